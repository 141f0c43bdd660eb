// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL
import NativeAuth
import Synchronization
import TenantTesting
import Testing

/// What an app adds to its requests, and the data centre that they go to.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct InterceptorTests {
    /// Says the same of every request, and notes what it was asked about.
    private final class Fields: NSObject, MSALNativeAuthRequestInterceptor {
        private let answers: [[String: String]?]
        private let urls = Mutex<[URL?]>([])

        init(_ answers: [String: String]?...) { self.answers = answers }

        var asked: [String] { urls.withLock { $0.map { $0?.absoluteString ?? "-" } } }

        func addAdditionalHeaderFields(
            _ requestUrl: URL?, completionBlock: @escaping MSALNativeAuthRequestInterceptorAddHeaderCompletionBlock
        ) {
            urls.withLock { $0.append(requestUrl) }
            answers.forEach { completionBlock($0) }
        }
    }

    private func headers(with fields: Fields) async throws -> [String: String] {
        let scene = try AppScene { $0.requestInterceptor = fields }
        _ = try await scene.hear { scene.app.signIn(parameters: scene.signIn(), delegate: $0) }
        return try #require(scene.server.calls.first).headers
    }

    @Test(arguments: [
        ("x-custom", true), ("X-Custom", true), ("x-", true), ("x-msal", true), ("x-clientele", true),
        ("x-ms-custom", false), ("X-MS-Custom", false), ("x-client-SKU", false), ("x-client-custom", false),
        ("x-broker-custom", false), ("X-App-Name", false), ("Authorization", false), ("custom", false),
        ("client-request-id", false), ("", false),
    ])
    func name(_ name: String, _ isAllowed: Bool) async throws {
        let headers = try await headers(with: Fields([name: "mine"]))
        #expect(headers.values.contains("mine") == isAllowed)
        #expect(headers[name] != "mine" || isAllowed)
    }

    @Test func allowedFieldsPassBesideOthers() async throws {
        let headers = try await headers(with: Fields(["x-one": "1", "x-ms-two": "2", "x-three": "3"]))
        #expect(headers["x-one"] == "1")
        #expect(headers["x-three"] == "3")
        #expect(headers["x-ms-two"] == nil)
        #expect(headers["Content-Type"] == "application/x-www-form-urlencoded")
    }

    @Test func nothingMayBeAdded() async throws {
        let without = try await headers(with: Fields([:])).keys.sorted()
        #expect(try await headers(with: Fields(nil)).keys.sorted() == without)
        #expect(try await headers(with: Fields(["x-one": "1"])).keys.sorted() == (without + ["x-one"]).sorted())
    }

    @Test func firstWordCounts() async throws {
        let headers = try await headers(with: Fields(["x-one": "1"], ["x-one": "2"], nil))
        #expect(headers["x-one"] == "1")
    }

    /// One header field cannot bring another one with it (RFC 9110, section 5.5).
    @Test(arguments: ["a\r\nx-ms-b: c", "a\u{0}", "a\u{7F}"])
    func controlCharactersDoNotPass(_ value: String) async throws {
        #expect(try await headers(with: Fields(["x-one": value]))["x-one"] == nil)
    }

    @Test func everyAttemptIsAskedAbout() async throws {
        let fields = Fields(["x-one": "1"])
        let scene = try AppScene { $0.requestInterceptor = fields }
        let said: [ScriptedTransport.Line] = [.down, .ok(Said.token("CT1")), .ok(Said.codeSent("CT2"))]
        _ = try await scene.hear(said) { scene.app.signIn(parameters: scene.signIn(), delegate: $0) }
        #expect(
            fields.asked == [
                "\(Fjordshop.authority)/oauth2/v2.0/initiate", "\(Fjordshop.authority)/oauth2/v2.0/initiate",
                "\(Fjordshop.authority)/oauth2/v2.0/challenge",
            ])
        #expect(scene.server.calls.map { $0.headers["x-one"] } == ["1", "1", "1"])
    }

    @Test func refreshesAreNotAskedAbout() async throws {
        let fields = Fields(["x-one": "1"])
        let scene = try AppScene { $0.requestInterceptor = fields }
        let account = try await scene.account()
        let parameters = MSALNativeAuthGetAccessTokenParameters()
        parameters.forceRefresh = true
        _ = try await scene.hear([.tokens]) { account.getAccessToken(parameters: parameters, delegate: $0) }
        #expect(fields.asked.count == 3)
        #expect(scene.server.calls.map { $0.headers["x-one"] } == ["1", "1", "1", nil])
    }

    // MARK: The data centre

    @Test func dataCentreIsNamedInEveryCall() async throws {
        let scene = try AppScene { $0.sliceConfig = MSALSliceConfig(slice: "first", dc: "ESTS-PUB WEULR1") }
        let account = try await scene.account()
        let parameters = MSALNativeAuthGetAccessTokenParameters()
        parameters.forceRefresh = true
        _ = try await scene.hear([.tokens]) { account.getAccessToken(parameters: parameters, delegate: $0) }
        let paths = ["initiate", "challenge", "token", "token"]
        #expect(
            scene.server.calls.map(\.url)
                == paths.map { "\(Fjordshop.authority)/oauth2/v2.0/\($0)?dc=ESTS-PUB%20WEULR1" })
        #expect(scene.server.documents.allSatisfy { !$0.contains("dc=") })
    }

    @Test(arguments: [nil, MSALSliceConfig(slice: "first", dc: nil)])
    func noDataCentreNoQuery(_ slice: MSALSliceConfig?) async throws {
        let scene = try AppScene { $0.sliceConfig = slice }
        _ = try await scene.hear { scene.app.signIn(parameters: scene.signIn(), delegate: $0) }
        #expect(scene.server.calls.map(\.url) == ["\(Fjordshop.authority)/oauth2/v2.0/initiate"])
    }
}
