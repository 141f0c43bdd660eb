// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// A step of a conversation, written down so that another process can go on from it. It holds the token that the next
/// call needs, so it is for files that nobody else can read.
package struct WrittenStep: Codable, Sendable, Equatable {
    /// Whom the conversation is about.
    package let username: String
    /// The id of the conversation, as far as it got one.
    package let correlationID: String
    let token: String
    let place: Place
    /// Where the step was interrupted that makes several calls.
    var next: String?
    var resumption: SignInResumption?
    /// The scopes of a sign-in.
    var scopes: [String]?

    /// Which step it is, and what it shows to a person.
    enum Place: Codable, Sendable, Equatable {
        case signUpCode(Delivery)
        case signUpPassword
        case signUpAttributes([RequiredAttribute])
        case signInCode(Delivery)
        case signInPassword
        case multiFactorChoice([Methods.Method])
        case multiFactorCode(Delivery, by: Methods.Method, of: [Methods.Method])
        case registrationChoice([Methods.Method])
        case registrationCode(Delivery, by: Methods.Method, contact: String, of: [Methods.Method])
        case resetCode(Delivery)
        case newPassword
    }

    /// A code on its way.
    struct Delivery: Codable, Sendable, Equatable {
        var sentTo: String
        var channel: String
        var codeLength: Int
        var resendAfter: Int64?
    }
}

extension WrittenStep {
    init<Step>(
        _ conversation: Conversation<Step>, _ token: String, _ place: Place, next: String? = nil,
        resumption: SignInResumption? = nil, scopes: [String]? = nil
    ) {
        username = conversation.username
        correlationID = conversation.correlationID
        self.token = token
        self.place = place
        self.next = next
        self.resumption = resumption
        self.scopes = scopes
    }

    func conversation<Step>(_ client: NativeAuthClient) -> Conversation<Step> {
        Conversation(client, username: username, Correlation(UUID(uuidString: correlationID)))
    }
}

extension WrittenStep {
    /// Whether more than a name was given to get there. A sign-in that waits for its first password begins as well anew.
    package var isWorthKeeping: Bool { place != .signInPassword || resumption != nil }
}

// MARK: - What steps show

extension WrittenStep.Delivery {
    init(_ delivery: CodeDelivery) {
        self.init(
            sentTo: delivery.sentTo, channel: delivery.channel, codeLength: delivery.codeLength,
            resendAfter: delivery.resendInterval?.components.seconds)
    }

    var value: CodeDelivery {
        CodeDelivery(
            sentTo: sentTo, channel: channel, codeLength: codeLength, resendAfter: resendAfter.map { Int($0) })
    }
}

extension Methods.Method {
    init(written method: AuthenticationMethod) {
        self.init(
            id: method.id, challengeType: method.challengeType, challengeChannel: Channel(rawValue: method.channel),
            loginHint: method.hint)
    }
}

extension RequiredAttribute {
    init(written attribute: RequestedAttribute) {
        self.init(
            name: attribute.name, type: attribute.type, required: attribute.isRequired,
            options: attribute.pattern.map { Options(regex: $0) })
    }
}
