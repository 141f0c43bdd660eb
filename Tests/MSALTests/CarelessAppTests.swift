// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import NativeAuth
import TenantTesting
import Testing
import Wire

@testable import MSAL

/// What apps do that nobody told them to.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct CarelessAppTests {
    typealias Line = ScriptedTransport.Line

    // MARK: Interceptors

    struct Interception: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let does: @Sendable (@escaping MSALNativeAuthRequestInterceptorAddHeaderCompletionBlock) -> Void
        let adds: [String: String]
    }

    nonisolated static let interceptions = [
        Interception(testDescription: "at once", does: { $0(["x-shop": "1"]) }, adds: ["x-shop": "1"]),
        Interception(testDescription: "nothing", does: { $0(nil) }, adds: [:]),
        Interception(
            testDescription: "on another thread",
            does: { add in DispatchQueue.global().async { add(["x-shop": "1"]) } },
            adds: ["x-shop": "1"]),
        Interception(
            testDescription: "on the main queue", does: { add in DispatchQueue.main.async { add(["x-shop": "1"]) } },
            adds: ["x-shop": "1"]),
        Interception(
            testDescription: "twice",
            does: {
                $0(["x-shop": "1"]); $0(["x-shop": "2"])
            }, adds: ["x-shop": "1"]),
        Interception(testDescription: "never", does: { _ in }, adds: [:]),
        Interception(
            testDescription: "fields that are none",
            does: {
                $0(["x-shop": "1", "x-a b": "1", "x-é": "1", "x-a:": "1", "x-a\r\n": "1", "x-line": "a\r\nb: c"])
            },
            adds: ["x-shop": "1"]),
        Interception(
            testDescription: "fields of others",
            does: {
                $0(["X-Shop": "1", "shop": "1", "X-MS-a": "1", "x-client-a": "1", "x-broker-a": "1", "x-app-a": "1"])
            },
            adds: ["X-Shop": "1"]),
    ]

    @Test(arguments: interceptions)
    func interceptor(_ interception: Interception) async throws {
        let scene = try AppScene { $0.requestInterceptor = Fields(interception.does) }
        _ = try await scene.signInCode()
        #expect(scene.server.calls.count == 2)
        for call in scene.server.calls {
            let own = call.headers.filter { field in
                ["x-shop", "shop", "x-a", "x-é", "x-line", "x-ms", "x-broker", "x-app"]
                    .contains { field.key.lowercased().hasPrefix($0) }
            }
            #expect(own == interception.adds)
            #expect(call.headers["x-client-a"] == nil)
        }
    }

    // MARK: Attributes

    @Test(arguments: ["Date()", "nan", "Data()", "a class"])
    func attributeThatJSONCannotHold(_ value: String) async throws {
        let scene = try AppScene()
        let parameters = scene.signUp()
        let odd: [String: Any] = ["Date()": Date(), "nan": Double.nan, "Data()": Data([1]), "a class": scene]
        parameters.attributes = ["city": "Bergen", "birthday": try #require(odd[value])]
        let heard = try await scene.hear { scene.app.signUp(parameters: parameters, delegate: $0) }
        #expect(heard.told == .general)
        #expect(heard.error?.failureReason == "JSON cannot hold birthday")
        #expect(scene.server.calls.isEmpty)
    }

    @Test func emptyAttributesAreSentAsNone() async throws {
        let scene = try AppScene()
        let parameters = scene.signUp()
        parameters.attributes = [:]
        _ = try await scene.hear([.ok(Said.token("CT1")), .ok(Said.codeSent("CT2"))]) {
            scene.app.signUp(parameters: parameters, delegate: $0)
        }
        #expect(["{}", nil].contains(scene.server.form(0)["attributes"]))
    }

    // MARK: Parameters, states and results

    @Test func parametersMayChangeAfterTheCall() async throws {
        let scene = try AppScene()
        let parameters = scene.signIn(password: "p")
        parameters.scopes = ["api://a/Read"]
        _ = try await scene.hear([.ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")), .tokens]) {
            scene.app.signIn(parameters: parameters, delegate: $0)
            (parameters.username, parameters.password, parameters.scopes) = ("other@b.example", nil, nil)
        }
        #expect(scene.server.form(0)["username"] == Fjordshop.mira)
        #expect(scene.server.form(2)["password"] == "p")
        #expect(scene.server.form(2)["scope"]?.contains("api://a/Read") == true)
    }

    @Test func signOutOfSomebodyWhoWasReplaced() async throws {
        let scene = try AppScene()
        let first = try await scene.account()
        let tokens = Issuer.shared.tokens(
            access: "AT9",
            id: Issuer.shared.idToken({
                $0["oid"] = .string("o2"); $0["preferred_username"] = .string("b")
            })
        ).replacing("client_info", with: "left_out")
        _ = try await scene.account(.ok(tokens))
        first.signOut()
        first.signOut()
        #expect(scene.app.getNativeAuthUserAccount()?.account.username == "b")
    }

    /// As with Microsoft's SDK, a call may be made from any thread, on one state, any number of times.
    @Test func oneStateManyThreads() async throws {
        let scene = try AppScene()
        let state = try await scene.signInCode()
        (0..<20).forEach { _ in scene.server.add(.no("invalid_grant", "invalid_oob_value", 50181)) }
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    await withCheckedContinuation { end in
                        DispatchQueue.global().async {
                            state.submitCode(code: "1", delegate: OneWord { end.resume(returning: $0) })
                        }
                    }
                }
            }
            for await isWrongCode in group { #expect(isWrongCode) }
        }
        #expect(scene.server.isOver)
    }

    // MARK: Settings

    @Test(arguments: [
        (-1, 0, 0.001), (.nan, 0, 0.001), (-.infinity, 0, 0.001), (0, 0, 0.001), (2.5, 2.5, 2.5),
        (.infinity, 86_400, 86_400), (.greatestFiniteMagnitude, 86_400, 86_400),
    ])
    func secondsThatAreNoTime(_ seconds: Double, _ interval: Double, _ timeout: Double) {
        let config = MSALHTTPConfig()
        (config.retryInterval, config.timeoutIntervalForRequest) = (seconds, seconds)
        #expect(config.interval == .seconds(interval))
        #expect(config.timeout == .seconds(timeout))
    }
}

/// An app's interceptor.
private final class Fields: NSObject, MSALNativeAuthRequestInterceptor {
    private let does: @Sendable (@escaping MSALNativeAuthRequestInterceptorAddHeaderCompletionBlock) -> Void

    init(_ does: @escaping @Sendable (@escaping MSALNativeAuthRequestInterceptorAddHeaderCompletionBlock) -> Void) {
        self.does = does
    }

    func addAdditionalHeaderFields(
        _ requestUrl: URL?, completionBlock: @escaping MSALNativeAuthRequestInterceptorAddHeaderCompletionBlock
    ) {
        does(completionBlock)
    }
}

/// Hears whether the code was wrong.
private final class OneWord: SignInVerifyCodeDelegate, Sendable {
    private let end: @Sendable (Bool) -> Void
    init(_ end: @escaping @Sendable (Bool) -> Void) { self.end = end }

    func onSignInVerifyCodeError(error: VerifyCodeError, newState: SignInCodeRequiredState?) {
        end(error.isInvalidCode && newState != nil)
    }
}
