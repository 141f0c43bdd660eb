// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Synchronization
import TenantTesting
import Testing
import Wire

@testable import Tenant

/// Callouts against real sockets: a receiver that does not do what it should costs nobody more than the budget.
@Suite(.timeLimit(.minutes(10)))
struct CalloutTransportTests {
    private static let gold = CalloutOutcome.claims(["tier": .string("gold")])

    private static func once(_ answer: String) throws -> ReceiverSocket {
        try ReceiverSocket { peer in
            _ = peer.request()
            peer.send(answer)
        }
    }

    /// What comes of a call without a second attempt.
    private static func outcome(
        _ receiver: ReceiverSocket, _ change: (inout AuthenticationExtension) -> Void = { _ in }
    ) async throws -> CalloutOutcome {
        let registration = CalloutScene.registration(at: receiver.url) {
            $0.maximumRetries = 0
            change(&$0)
        }
        let outcome = try await CalloutScene().asking(registration)
        // Also keeps the receiver until here.
        #expect(receiver.accepted <= 1)
        return outcome
    }

    // MARK: - Connections

    @Test func connectionServesTheNextCall() async throws {
        let receiver = try ReceiverSocket.answering(ReceiverSocket.claims)
        let scene = try CalloutScene()
        for _ in 0..<5 { #expect(await scene.asking(CalloutScene.registration(at: receiver.url)) == Self.gold) }
        #expect(receiver.accepted == 1)
        #expect(receiver.requests.count == 5)
    }

    @Test func otherDefinitionGetsAnotherConnection() async throws {
        let receiver = try ReceiverSocket.answering(ReceiverSocket.claims)
        let scene = try CalloutScene()
        let registrations = [
            CalloutScene.registration(at: receiver.url),
            CalloutScene.registration(at: receiver.url) { $0.timeoutMilliseconds = 1999 },
            CalloutScene.registration(at: receiver.url) { $0.id = CalloutScene.listenerID },
        ]
        for registration in registrations { #expect(await scene.asking(registration) == Self.gold) }
        #expect(receiver.accepted == 3)
    }

    @Test func threadsDoNotShareAConnection() async throws {
        let receiver = try ReceiverSocket { peer in
            while let request = peer.request() {
                let id = request.split(separator: "client-request-id: ").last?.prefix { !$0.isNewline } ?? ""
                peer.send(ReceiverSocket.claims.replacing("gold", with: "\(id.prefix(4))"))
            }
        }
        let scene = try CalloutScene()
        let outcomes = await withTaskGroup { group in
            for _ in 0..<30 { group.addTask { await scene.asking(CalloutScene.registration(at: receiver.url)) } }
            return await group.reduce(into: [CalloutOutcome]()) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { $0.code == nil })
        #expect(receiver.requests.count == 30)
        // Each got the answer to its own request: no two ids begin alike but by chance.
        #expect(Set(outcomes.map { "\($0)" }).count >= 28)
    }

    // MARK: - Answers that are none

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\n{}", 1_003_006),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", 1_003_006),
        (
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\n{}",
            1_003_006
        ),
        ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}", 1_003_003),
        ("HTTP/1.1 204 No Content\r\n\r\n", 1_003_002),
        ("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n", 1_003_002),
        // Closed half-way, with a length that was a lie, and without an answer.
        ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", 1_003_027),
        ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{", 1_003_027),
        ("HTTP/1.1 200 OK\r\nContent-Ty", 1_003_027),
        ("", 1_003_027),
        ("SSH-2.0-OpenSSH\r\n", 1_003_027),
        // Shorter than what is sent: the rest is no answer to anything.
        (ReceiverSocket.claims.replacing("Content-Length: ", with: "Content-Length: 50\r\nX: "), 1_003_003),
    ])
    func answer(_ answer: String, _ code: Int) async throws {
        #expect(try await Self.outcome(Self.once(answer)).code == code)
    }

    @Test func resetIsAFailure() async throws {
        let receiver = try ReceiverSocket { peer in
            _ = peer.request()
            peer.send("HTTP/1.1 200 OK\r\n")
            peer.reset()
        }
        #expect(try await Self.outcome(receiver).code == 1_003_027)
    }

    @Test func nobodyListens() async throws {
        let dead = try ReceiverSocket { _ in }.port
        let outcome = try await CalloutScene().asking(CalloutScene.registration(at: "http://127.0.0.1:\(dead)/"))
        #expect(outcome.code == 1_003_027)
    }

    @Test("Rule 103: a redirect is not followed", arguments: [301, 302, 303, 307, 308])
    func redirectIsNotFollowed(_ status: Int) async throws {
        let other = try ReceiverSocket.answering(ReceiverSocket.claims)
        let receiver = try Self.once(
            "HTTP/1.1 \(status) Elsewhere\r\nLocation: \(other.url)\r\nContent-Length: 0\r\n\r\n")
        #expect(try await Self.outcome(receiver).code == 1_003_002)
        #expect(other.accepted == 0)
    }

    @Test("Rule 103: cookies are not kept") func cookiesAreNotKept() async throws {
        let answer = ReceiverSocket.claims.replacing("Content-Type", with: "Set-Cookie: a=b\r\nContent-Type")
        let receiver = try ReceiverSocket.answering(answer)
        let scene = try CalloutScene()
        for _ in 0..<2 { #expect(await scene.asking(CalloutScene.registration(at: receiver.url)) == Self.gold) }
        #expect(receiver.requests.count == 2)
        #expect(receiver.requests.allSatisfy { !$0.lowercased().contains("cookie") })
    }

    @Test("Rule 104: a huge answer is cut off") func hugeAnswerIsCutOff() async throws {
        let receiver = try ReceiverSocket { peer in
            _ = peer.request()
            peer.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
            while peer.send(String(repeating: " ", count: 65536)) {}
        }
        #expect(try await Self.outcome(receiver).code == 1_003_024)
    }

    @Test func answerHasALimit() async throws {
        func answer(_ size: Int) -> String {
            let body = ReceiverSocket.claims.split(separator: "\r\n\r\n", maxSplits: 1)[1]
            return ReceiverSocket.ok(body + String(repeating: " ", count: size - body.utf8.count))
        }
        #expect(try await Self.outcome(Self.once(answer(65536))) == Self.gold)
        #expect(try await Self.outcome(Self.once(answer(65537))).code == 1_003_024)
    }

    // MARK: - The budget

    /// How long a call of a receiver takes that never finishes, and what comes of it.
    private static func duration(
        _ receiver: ReceiverSocket, timeout: Int, retries: Int
    ) async throws -> (Duration, CalloutOutcome) {
        let registration = CalloutScene.registration(at: receiver.url) {
            $0.timeoutMilliseconds = timeout
            $0.maximumRetries = retries
        }
        let scene = try CalloutScene()
        return await OwnThread.run {
            let start = ContinuousClock.now
            let outcome = scene.ask(registration)
            return (ContinuousClock.now - start, outcome)
        }
    }

    private static func silent() throws -> ReceiverSocket { try ReceiverSocket { $0.waitForEnd() } }

    @Test("Rule 104: silence ends in time", arguments: [(200, 0, 1, 200), (200, 1, 2, 400), (2000, 1, 1, 2000)])
    func silenceEndsInTime(_ timeout: Int, _ retries: Int, _ attempts: Int, _ milliseconds: Int) async throws {
        let receiver = try Self.silent()
        let (duration, outcome) = try await Self.duration(receiver, timeout: timeout, retries: retries)
        #expect(outcome.code == 1_003_005)
        #expect(receiver.accepted == attempts)
        #expect(duration >= .milliseconds(milliseconds - 20))
        #expect(duration < .milliseconds(milliseconds + 2000))
    }

    @Test func drippingEndsInTime() async throws {
        let receiver = try ReceiverSocket { peer in
            _ = peer.request()
            while peer.send("H") { usleep(10_000) }
        }
        let dripping = try ReceiverSocket { peer in
            _ = peer.request()
            peer.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n")
            while peer.send(" ") { usleep(10_000) }
        }
        let (duration, outcome) = try await Self.duration(dripping, timeout: 300, retries: 0)
        #expect(outcome.code == 1_003_005)
        #expect(duration >= .milliseconds(280) && duration < .seconds(3))
        let (headless, none) = try await Self.duration(receiver, timeout: 300, retries: 0)
        #expect(none.code == 1_003_005 || none.code == 1_003_027)
        #expect(headless < .seconds(3))
    }

    @Test func secondAttemptMayHelp() async throws {
        let receiver = try ReceiverSocket { [first = First()] peer in
            guard peer.request() != nil, !first.isFirst else { return }
            peer.send(ReceiverSocket.claims)
        }
        #expect(try await CalloutScene().asking(CalloutScene.registration(at: receiver.url)) == Self.gold)
        #expect(receiver.accepted == 2)
    }

    /// What a second attempt cannot mend is not tried again.
    @Test(arguments: [
        "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 302 No\r\nContent-Length: 0\r\n\r\n",
        ReceiverSocket.ok("{}"), "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
    ])
    func secondAttemptIsNotWasted(_ answer: String) async throws {
        let receiver = try ReceiverSocket.answering(answer)
        #expect(try await CalloutScene().asking(CalloutScene.registration(at: receiver.url)).code != nil)
        #expect(receiver.requests.count == 1)
    }

    // MARK: - Other people's failures

    @Test("Rule 104: a breaker spares a failing receiver") func breakerSparesAFailingReceiver() async throws {
        let receiver = try ReceiverSocket.answering("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
        let healthy = try ReceiverSocket.answering(ReceiverSocket.claims)
        let scene = try CalloutScene()
        let registration = CalloutScene.registration(at: receiver.url)
        for _ in 0..<5 { #expect(await scene.asking(registration).code == 1_003_002) }
        for _ in 0..<5 { #expect(await scene.asking(registration).code == 1_003_023) }
        #expect(receiver.requests.count == 5)
        // Another extension does not notice.
        let other = CalloutScene.registration(at: healthy.url) { $0.id = CalloutScene.listenerID }
        #expect(await scene.asking(other) == Self.gold)
        #expect(await scene.asking(registration, at: CalloutScene.now + 10).code == 1_003_002)
        #expect(await scene.asking(registration, at: CalloutScene.now + 10).code == 1_003_023)
        #expect(receiver.requests.count == 6)
        // A definition that was mended is tried at once.
        let mended = CalloutScene.registration(at: healthy.url)
        #expect(await scene.asking(mended, at: CalloutScene.now + 10) == Self.gold)
    }

    /// However many wait for a receiver that hangs, the callers of another one do not.
    @Test func hangingReceiverHoldsUpNobodyElse() async throws {
        let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
        let receiver = try ReceiverSocket { peer in
            _ = peer.request()
            arrival.yield()
            peer.waitForEnd()
        }
        let healthy = try ReceiverSocket.answering(ReceiverSocket.claims)
        let scene = try CalloutScene()
        let registration = CalloutScene.registration(at: receiver.url) {
            $0.timeoutMilliseconds = 1000
            $0.maximumRetries = 0
        }
        await withTaskGroup { group in
            for _ in 0..<60 { group.addTask { await scene.asking(registration).code } }
            var arrivals = arrived.makeAsyncIterator()
            await arrivals.next()
            let other = CalloutScene.registration(at: healthy.url) { $0.id = CalloutScene.listenerID }
            #expect(await scene.asking(other) == Self.gold)
            for await code in group { #expect([1_003_004, 1_003_005, 1_003_023].contains(code)) }
        }
        // 32 at once, and those that got in while the first few failed.
        #expect(receiver.accepted < 32 + CircuitBreaker.threshold)
    }
}

/// Says once that it is the first time.
private final class First: Sendable {
    private let asked = Mutex(false)

    var isFirst: Bool {
        asked.withLock { asked in
            defer { asked = true }
            return !asked
        }
    }
}
