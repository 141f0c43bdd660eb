// SPDX-License-Identifier: Apache-2.0

import MSAL

// The code of the article "Delegates and the main actor".

@MainActor
final class SignUpModel: SignUpStartDelegate, SignUpVerifyCodeDelegate {
    private(set) var message = ""
    private var waiting: SignUpCodeRequiredState?

    func begin(_ app: MSALNativeAuthPublicClientApplication, _ mail: String) {
        let parameters = MSALNativeAuthSignUpParameters(username: mail)
        parameters.password = "Tr0ub4dor-and-3"
        parameters.attributes = ["country": "Norway"]
        app.signUp(parameters: parameters, delegate: self)
    }

    func onSignUpCodeRequired(
        newState: SignUpCodeRequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    ) {
        message = "A code of \(codeLength) digits went to \(sentTo)."
        waiting = newState
    }

    func onSignUpStartError(error: SignUpStartError) {
        message = error.errorDescription ?? "That did not work."
    }

    func submit(_ code: String) {
        waiting?.submitCode(code: code, delegate: self)
    }

    func onSignUpCompleted(newState: SignInAfterSignUpState) {
        message = "You have an account now."
    }

    func onSignUpVerifyCodeError(error: VerifyCodeError, newState: SignUpCodeRequiredState?) {
        message = error.isInvalidCode ? "That is not the code." : error.errorDescription ?? "That did not work."
        waiting = newState
    }
}

@MainActor
func accessToken(of result: MSALNativeAuthUserAccountResult, scopes: [String]) async throws -> String {
    let parameters = MSALNativeAuthGetAccessTokenParameters()
    parameters.scopes = scopes
    return try await withCheckedThrowingContinuation { end in
        result.getAccessToken(parameters: parameters, delegate: TokenRequest(end))
    }
}

final class TokenRequest: CredentialsDelegate {
    private let end: CheckedContinuation<String, any Error>

    init(_ end: CheckedContinuation<String, any Error>) {
        self.end = end
    }

    func onAccessTokenRetrieveCompleted(result: MSALNativeAuthTokenResult) {
        end.resume(returning: result.accessToken)
    }

    func onAccessTokenRetrieveError(error: RetrieveAccessTokenError) {
        end.resume(throwing: error)
    }
}
