// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL

// The program of docs/tutorials/sign-in-after-sign-up.md.

// MARK: - The program

enum SignInAfterSignUp {
    @MainActor
    static func main() async throws {
        let app = try shopApp(CommandLine.arguments)
        let parameters = MSALNativeAuthSignUpParameters(username: ask("Email:"))
        parameters.attributes = ["country": "Norway"]
        guard let state = await signUp(app, parameters) else { return }
        guard let result = await signIn(after: state, scopes: ["api://sample/Orders.Read"]) else { return }
        print("Signed in as \(result.account.username ?? "nobody").")
        if let token = await accessToken(of: result) {
            print("The token allows \(token.scopes.joined(separator: " ")).")
        }
    }
}

/// Signs a new account in; nil where that fails.
@MainActor
func signIn(after state: SignInAfterSignUpState, scopes: [String]) async -> MSALNativeAuthUserAccountResult? {
    let parameters = MSALNativeAuthSignInAfterSignUpParameters()
    parameters.scopes = scopes
    return await withCheckedContinuation { end in
        state.signIn(parameters: parameters, delegate: FirstSignIn(end))
    }
}

/// The sign-in that ends another flow.
final class FirstSignIn: SignInAfterSignUpDelegate {
    let end: CheckedContinuation<MSALNativeAuthUserAccountResult?, Never>

    init(_ end: CheckedContinuation<MSALNativeAuthUserAccountResult?, Never>) {
        self.end = end
    }

    func onSignInCompleted(result: MSALNativeAuthUserAccountResult) {
        end.resume(returning: result)
    }

    func onSignInAfterSignUpError(error: SignInAfterSignUpError) {
        print(error.isBrowserRequired ? "Go on in a browser." : report(error))
        end.resume(returning: nil)
    }
}

// MARK: - The token

/// The access token for the scopes of the sign-in; nil where there is none.
@MainActor
func accessToken(
    of result: MSALNativeAuthUserAccountResult,
    _ parameters: MSALNativeAuthGetAccessTokenParameters = MSALNativeAuthGetAccessTokenParameters()
) async -> MSALNativeAuthTokenResult? {
    await withCheckedContinuation { end in
        result.getAccessToken(parameters: parameters, delegate: TokenRequest(end))
    }
}

final class TokenRequest: CredentialsDelegate {
    private let end: CheckedContinuation<MSALNativeAuthTokenResult?, Never>

    init(_ end: CheckedContinuation<MSALNativeAuthTokenResult?, Never>) {
        self.end = end
    }

    func onAccessTokenRetrieveCompleted(result: MSALNativeAuthTokenResult) {
        end.resume(returning: result)
    }

    func onAccessTokenRetrieveError(error: RetrieveAccessTokenError) {
        print(report(error))
        end.resume(returning: nil)
    }
}

// MARK: - After a reset

/// Signs in with the proof of a password reset; nil where that fails.
@MainActor
func signIn(after state: SignInAfterResetPasswordState) async -> MSALNativeAuthUserAccountResult? {
    await withCheckedContinuation { end in
        state.signIn(parameters: MSALNativeAuthSignInAfterResetPasswordParameters(), delegate: FirstSignIn(end))
    }
}

extension FirstSignIn: SignInAfterResetPasswordDelegate {
    func onSignInAfterResetPasswordError(error: SignInAfterResetPasswordError) {
        print(error.isBrowserRequired ? "Go on in a browser." : report(error))
        end.resume(returning: nil)
    }
}

// MARK: - In an app

/// Somebody who is signed in, from the end of a sign-up on.
@MainActor
final class WelcomeModel: SignInAfterSignUpDelegate {
    private(set) var greeting = "" { didSet { changed() } }
    /// Called when there is something new to be shown.
    var changed: () -> Void = {}

    /// To be called with the state that `onSignUpCompleted` brings.
    func begin(_ state: SignInAfterSignUpState) {
        let parameters = MSALNativeAuthSignInAfterSignUpParameters()
        parameters.scopes = ["api://sample/Orders.Read"]
        state.signIn(parameters: parameters, delegate: self)
    }

    func onSignInCompleted(result: MSALNativeAuthUserAccountResult) {
        greeting = "Welcome, \(result.account.username ?? "friend")."
    }

    func onSignInAfterSignUpError(error: SignInAfterSignUpError) {
        greeting = "You have an account. Please sign in."
    }
}
