// SPDX-License-Identifier: Apache-2.0

import Wire

/// What a tenant says to an app before anybody signs in: enough to tell whether its registration fits native
/// authentication. Two requests that no message and no account come of.
package struct AppProbe: Sendable {
    /// What a sign-in is met with; nil where the tenant is ready for one.
    package let signIn: AuthError?
    /// What a sign-up is met with; nil where the tenant is ready for one.
    package let signUp: AuthError?
}

extension NativeAuthClient {
    /// Begins a sign-in and a sign-up, and goes no further.
    ///
    /// - Parameter username: An address that nobody has.
    package func probe(username: String) async -> AppProbe {
        AppProbe(signIn: await signInProbe(username), signUp: await signUpProbe(username))
    }

    private func signInProbe(_ username: String) async -> AuthError? {
        let conversation = Conversation<SignInStep>(self, username: username, Correlation())
        let call = SignIn.Initiate(
            clientId: conversation.clientID, username: username, challengeType: conversation.challengeTypes,
            capabilities: conversation.capabilities)
        // That nobody has the address is what a ready tenant says.
        let error = await problem(call)
        return error?.reason == .userNotFound ? nil : error
    }

    private func signUpProbe(_ username: String) async -> AuthError? {
        let conversation = Conversation<SignUpStep>(self, username: username, Correlation())
        let error = await problem(
            SignUp.Start(
                clientId: conversation.clientID, username: username, challengeType: conversation.challengeTypes,
                capabilities: conversation.capabilities))
        // A user flow that wants a password or attributes from the start is there, and says so.
        return error?.reason == .userAlreadyExists ? nil : error
    }

    private func problem(_ call: some Call) async -> AuthError? {
        do throws(AuthError) {
            switch try await service.answer(call, Correlation()) {
            case .reply: return nil
            case .refusal(let refusal): return AuthError(refusal)
            }
        } catch {
            return error
        }
    }
}
