// SPDX-License-Identifier: Apache-2.0

package import Wire

/// A way to send a code to a person: to choose from for a second factor, or to be registered for one.
public struct AuthenticationMethod: Sendable, Hashable, Identifiable {
    /// The tenant's own id of it.
    public let id: String
    /// `email` or `sms`.
    public let channel: String
    /// For a second factor the masked address or number; for a registration a contact to suggest, if there is one.
    public let hint: String?
    package let challengeType: ChallengeType

    init(_ wire: Methods.Method) {
        id = wire.id
        channel = wire.challengeChannel.rawValue
        hint = wire.loginHint.flatMap { $0.isEmpty ? nil : $0 }
        challengeType = wire.challengeType
    }
}

extension Conversation {
    /// Asks for the methods there are, and reads them strictly: a person has to have a choice.
    func methods<C: Call>(_ call: C, retry: Step?) async throws(StepError<Step>) -> ([AuthenticationMethod], String)
    where C.Reply == Methods {
        let reply = try await reply(call, retry: retry, keep: { $0.isPassing })
        guard let token = reply.continuationToken, let methods = reply.methods, !methods.isEmpty else {
            throw unexpected(.missing(reply.continuationToken == nil ? "continuation_token" : "methods"), call)
        }
        return (methods.map(AuthenticationMethod.init), token)
    }
}
