// SPDX-License-Identifier: Apache-2.0

import Foundation
import NativeAuth
import TenantTesting
import Testing

@testable import MSAL

/// Every kind of delegate takes a person from the sign-up to a token.
@Suite(.timeLimit(.minutes(10)))
struct KindTests {
    private static let whole = "code displayName+city completed mira@lofoten.example AT1.secret"

    private let server = ScriptedTransport([
        .ok(Said.token("CT1")), .ok(Said.codeSent("CT2")), .refused(Said.attributesRequired("CT3")),
        .ok(Said.token("CT4")), .ok(Issuer.shared.tokens()),
    ])
    private let app: MSALNativeAuthPublicClientApplication

    init() throws {
        let authority = try MSALCIAMAuthority(url: #require(URL(string: Fjordshop.authority)))
        app = try MSALNativeAuthPublicClientApplication(
            MSALNativeAuthPublicClientApplicationConfig(
                clientId: Fjordshop.clientID, authority: authority, challengeTypes: [.OOB, .password]),
            storage: MemoryStorage(), transport: server, time: ManualClock().source)
    }

    private func signUp(_ delegate: any SignUpStartDelegate) {
        app.signUp(parameters: MSALNativeAuthSignUpParameters(username: Fjordshop.mira), delegate: delegate)
    }

    @Test func plain() async {
        let end = await withCheckedContinuation { end in signUp(PlainDelegate { end.resume(returning: $0) }) }
        #expect(end == Self.whole)
    }

    @Test @MainActor func screen() async {
        let end = await withCheckedContinuation { end in signUp(ScreenDelegate { end.resume(returning: $0) }) }
        #expect(end == Self.whole)
    }

    @Test func oneForEachCall() async {
        let end = await withCheckedContinuation { end in signUp(StartDelegate { end.resume(returning: $0) }) }
        #expect(end == Self.whole)
    }

    @Test func objectOfFoundation() async {
        let end = await withCheckedContinuation { end in signUp(ControllerDelegate { end.resume(returning: $0) }) }
        #expect(end == Self.whole)
    }

    @Test func sendable() async {
        let end = await withCheckedContinuation { end in signUp(SendableDelegate { end.resume(returning: $0) }) }
        #expect(end == Self.whole)
    }

    /// The callback comes on the main actor, after the call that leads to it.
    @Test @MainActor func callReturnsFirst() async {
        var order: [String] = []
        await withCheckedContinuation { (end: CheckedContinuation<Void, Never>) in
            signUp(
                ErrorDelegate { _ in
                    MainActor.preconditionIsolated()
                    order.append("callback")
                    end.resume()
                })
            order.append("returned")
        }
        #expect(order == ["returned", "callback"])
    }

    /// Nobody but the call holds the delegate, and nobody holds it after that.
    @Test @MainActor func delegateIsKeptForTheCall() async {
        weak var delegate: ErrorDelegate?
        let text = await withCheckedContinuation { end in
            let strong = ErrorDelegate { end.resume(returning: $0) }
            delegate = strong
            signUp(strong)
        }
        #expect(
            text == "MSALNativeAuth has called the delegate method onSignUpCodeRequired that has not been implemented")
        while delegate != nil { await Task.yield() }
    }
}

/// A delegate without any of the optional methods.
private final class ErrorDelegate: SignUpStartDelegate {
    private let finish: Finish
    init(finish: @escaping Finish) { self.finish = finish }
    func onSignUpStartError(error: SignUpStartError) { finish(error.localizedDescription) }
}
