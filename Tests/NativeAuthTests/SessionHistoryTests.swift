// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import NativeAuth
import Synchronization
import TenantTesting
import Testing
import Wire

/// What is remembered of a session: its last events, a refresh whose outcome nobody knows, and the clocks.
struct SessionHistoryTests {
    private let scene: SessionScene

    init() throws { scene = try SessionScene() }

    private var events: [SessionEvent] { get throws { try scene.client.state().events } }

    private static let ended =
        #"{"error":"invalid_grant","suberror":"bad_token","error_codes":[700003],"correlation_id":"c-9"}"#

    @Test func eventsTellTheStory() async throws {
        let account = try await scene.signIn()
        scene.clock.advance(by: 10)
        scene.server.add(.ok(scene.tokens("AT2")))
        _ = try await account.accessToken(forceRefresh: true)
        scene.clock.advance(by: 10)
        scene.server.add(.refused(Self.ended))
        #expect(await authFailure { try await account.accessToken(forceRefresh: true) } != nil)
        let events = try events
        #expect(events.map(\.kind) == [.signedIn, .refreshed, .refused])
        #expect(events.allSatisfy { $0.username == Fjordshop.mira && $0.account == account.homeAccountID })
        #expect(events.last?.error == "invalid_grant" && events.last?.suberror == "bad_token")
        #expect(events.last?.correlationID == "c-9")
        #expect(events.last?.at == scene.clock.now)
        for secret in ["AT1.secret", "RT1.secret", "AT2", "RT2"] {
            let told = String(describing: scene.own?["events"])
            #expect(!told.contains(secret))
        }
    }

    @Test func theLastTwentyAreKept() async throws {
        let account = try await scene.signIn()
        for number in 1...25 {
            scene.clock.advance(by: 1)
            scene.server.add(.ok(scene.tokens("AT\(number)", refresh: "RT\(number)")))
            _ = try await account.accessToken(forceRefresh: true)
        }
        let events = try events
        #expect(events.count == 20)
        #expect(events.last?.at == scene.clock.now)
    }

    @Test func whoSignsOutLeavesNoName() async throws {
        let account = try await scene.signIn()
        try await account.signOut()
        #expect(try events.map(\.kind) == [.signedIn, .signedOut])
        #expect(!scene.kept.contains(Fjordshop.mira))
    }

    // MARK: - The journal

    /// Faults after which the tenant may have spent the refresh token, and those after which it cannot have.
    @Test(arguments: [
        (NetworkProblem.connectionLost, true), (.timedOut, true), (.cancelled, true), (.tooLarge, true),
        (.noConnection, false), (.unknownHost, false), (.untrusted, false), (.proxy, false),
    ])
    func lostAnswerExplainsTheRefusalThatFollows(_ problem: NetworkProblem, _ mayHaveArrived: Bool) async throws {
        let account = try await scene.signIn()
        let began = scene.clock.now
        scene.server.add(.failure(problem), .failure(problem))
        #expect(await authFailure { try await account.accessToken(forceRefresh: true) } != nil)
        #expect((scene.own?["refreshing"] != nil) == mayHaveArrived)
        #expect(try events.last?.kind == (mayHaveArrived ? .refreshCutOff : .signedIn))
        scene.clock.advance(by: 60)
        while !scene.server.isOver { _ = try? await scene.server.send(HTTPRequest(method: "POST", url: "")) }
        scene.server.add(.refused(#"{"error":"invalid_grant","error_codes":[700082]}"#))
        let refused = await authFailure { try await account.accessToken(forceRefresh: true) }
        #expect(refused?.reason == .signInRequired)
        #expect(refused?.refreshCutOffAt == (mayHaveArrived ? began : nil))
        #expect(scene.own?["refreshing"] == nil)
    }

    /// A process that dies during a refresh leaves the journal, because it is written before the request.
    @Test func journalIsThereBeforeTheRequest() async throws {
        let account = try await scene.signIn()
        let storage = scene.storage
        let watching = WatchingTransport(inner: scene.server) {
            String(decoding: storage.load() ?? Data(), as: UTF8.self)
        }
        let other = try Fjordshop.client(watching, storage: storage, clock: scene.clock)
        scene.server.add(.ok(scene.tokens("AT2")))
        #expect(try await other.accessToken(forceRefresh: true).value == "AT2")
        let during = watching.seen
        #expect(during.contains(#""refreshing""#))
        #expect(JSONValue(json: Data(during.utf8))?["nativeauth"]?["refreshing"]?["refresh_token"]?.string?.count == 43)
        #expect(scene.own?["refreshing"] == nil)
        withExtendedLifetime(account) {}
    }

    /// Programs of the MSAL family share the cache without knowing the lock. What one of them wrote stays, and is used.
    @Test func refusalOfASpentTokenLeavesTheNewOne() async throws {
        let account = try await scene.signIn()
        let storage = scene.storage
        let theirs = scene.kept.replacing("AT1.secret", with: "AT-theirs").replacing("RT1.secret", with: "RT-theirs")
        let watching = WatchingTransport(inner: scene.server) {
            storage.save(Data(theirs.utf8))
            return ""
        }
        let other = try Fjordshop.client(watching, storage: storage, clock: scene.clock)
        scene.server.add(.refused(#"{"error":"invalid_grant","error_codes":[700082]}"#))
        #expect(try await other.accessToken(forceRefresh: true).value == "AT-theirs")
        #expect(scene.kept.contains("RT-theirs") && !scene.kept.contains("RT1.secret"))
        #expect(scene.own?["refreshing"] == nil)
        withExtendedLifetime(account) {}
    }

    /// What another program writes while a request is under way, and what comes of the request.
    @Test(arguments: [
        ScriptedTransport.Line.failure(.timedOut), .failure(.noConnection), .refused(#"{"error":"invalid_request"}"#),
    ])
    func whatAnotherProgramWroteIsKept(_ said: ScriptedTransport.Line) async throws {
        _ = try await scene.signIn()
        let storage = scene.storage
        let later = #""last_modification_time" : "1773490000""#
        let theirs = scene.kept.replacing("RT1.secret", with: "RT-theirs").replacing("AT1.secret", with: "AT-theirs")
            .replacing(#""target" : "offline_access openid profile""#, with: #""target" : "api://else/Read""#)
            .replacing(/"last_modification_time" : "\d+"/, with: later)
        let watching = WatchingTransport(inner: scene.server) {
            if !String(decoding: storage.load() ?? Data(), as: UTF8.self).contains("RT-theirs") {
                storage.save(Data(theirs.utf8))
            }
            return ""
        }
        let other = try Fjordshop.client(watching, storage: storage, clock: scene.clock)
        scene.server.add(said, said)
        _ = try? await other.accessToken(scopes: ["api://b/Read"])
        #expect(scene.kept.contains("RT-theirs") && scene.kept.contains("AT-theirs"))
        #expect(!scene.kept.contains("RT1.secret"))
    }

    /// Where what they wrote has no token for this, their refresh token gets one.
    @Test func refreshTokenOfAnotherProgramIsUsed() async throws {
        _ = try await scene.signIn()
        let storage = scene.storage
        let theirs = scene.kept.replacing("RT1.secret", with: "RT-theirs")
        let watching = WatchingTransport(inner: scene.server) {
            if !String(decoding: storage.load() ?? Data(), as: UTF8.self).contains("RT2") {
                storage.save(Data(theirs.utf8))
            }
            return ""
        }
        let other = try Fjordshop.client(watching, storage: storage, clock: scene.clock)
        scene.server.add(
            .refused(#"{"error":"invalid_grant","suberror":"bad_token","error_codes":[700003]}"#),
            .ok(scene.tokens("AT-b", refresh: "RT2", scope: "api://b/Read openid")))
        #expect(try await other.accessToken(scopes: ["api://b/Read"]).value == "AT-b")
        #expect(scene.server.form(scene.server.calls.count - 1)["refresh_token"] == "RT-theirs")
        #expect(scene.server.isOver)
    }

    /// Entries of other apps that came meanwhile stay, and the new refresh token is kept beside them.
    @Test func whatOtherAppsWroteIsKept() async throws {
        _ = try await scene.signIn()
        let storage = scene.storage
        let theirs = scene.kept.replacing(
            #""RefreshToken" : {"#, with: #""RefreshToken" : {"other": {"secret": "RT-other", "client_id": "x"},"#)
        let watching = WatchingTransport(inner: scene.server) {
            storage.save(Data(theirs.utf8))
            return ""
        }
        let other = try Fjordshop.client(watching, storage: storage, clock: scene.clock)
        scene.server.add(.ok(scene.tokens("AT2", refresh: "RT2")))
        #expect(try await other.accessToken(forceRefresh: true).value == "AT2")
        #expect(scene.kept.contains("RT-other") && scene.kept.contains("RT2") && !scene.kept.contains("RT1.secret"))
    }

    @Test func whoIsSignedOutMeanwhileStaysSo() async throws {
        _ = try await scene.signIn()
        let storage = scene.storage
        let watching = WatchingTransport(inner: scene.server) {
            storage.save(Data("{}".utf8))
            return ""
        }
        let other = try Fjordshop.client(watching, storage: storage, clock: scene.clock)
        scene.server.add(.ok(scene.tokens("AT2", refresh: "RT2")))
        #expect(try await other.accessToken(forceRefresh: true).value == "AT2")
        #expect(try scene.client.account() == nil)
        #expect(!scene.kept.contains("RT2"))
    }

    @Test func anotherRefreshTokenIsAnotherMatter() async throws {
        let account = try await scene.signIn()
        scene.server.add(.failure(.connectionLost), .failure(.connectionLost))
        #expect(await authFailure { try await account.accessToken(forceRefresh: true) } != nil)
        let again = try await scene.signIn(tokens: scene.tokens("AT5", refresh: "RT5"))
        scene.server.add(.refused(#"{"error":"invalid_grant","error_codes":[700082]}"#))
        #expect(await authFailure { try await again.accessToken(forceRefresh: true) }?.refreshCutOffAt == nil)
    }

    // MARK: - Clocks

    /// The examples' time is 2026-03-14 09:30:00 UTC.
    @Test(arguments: [
        ("Sat, 14 Mar 2026 09:30:00 GMT", nil), ("Sat, 14 Mar 2026 09:30:29 GMT", nil),
        ("Sat, 14 Mar 2026 09:40:00 GMT", -600), ("Sat, 14 Mar 2026 09:29:00 GMT", 60), ("yesterday", nil),
        ("Fri, 01 Jan 9999 00:00:00 GMT", nil),
    ])
    func clocksAreCompared(_ date: String, _ ahead: Int?) async throws {
        let account = try await scene.signIn()
        scene.server.add(.answer(200, scene.tokens("AT2"), ["date": date]))
        _ = try await account.accessToken(forceRefresh: true)
        #expect(try scene.client.state().clockAhead == ahead)
    }
}

/// Looks at something whenever a request passes.
private final class WatchingTransport: Transport {
    let inner: ScriptedTransport
    let look: @Sendable () -> String
    private let last = Mutex("")

    init(inner: ScriptedTransport, look: @escaping @Sendable () -> String) {
        self.inner = inner
        self.look = look
    }

    var seen: String { last.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        if request.method == "POST" { last.withLock { $0 = look() } }
        return try await inner.send(request)
    }
}
