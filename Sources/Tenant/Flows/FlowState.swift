// SPDX-License-Identifier: Apache-2.0

import Wire

/// Where a flow stands, and everything that its next call needs.
enum FlowState: Sendable, Codable {
    case signUp(SignUpDraft)
    case signIn(SignInDraft)
    case reset(ResetDraft)
    case secondFactor(SecondFactorDraft)
    case registration(RegistrationDraft)
    /// Tokens are due: after a sign-up, a reset or a registration.
    case redeemable(Authentication)
    /// A browser walks through the flows; its form's token is the continuation token.
    case browser(BrowserDraft)

    /// Whether somebody is about to sign in.
    var isSignIn: Bool {
        switch self {
        case .signIn, .secondFactor, .redeemable: true
        case .signUp, .reset, .registration, .browser: false
        }
    }

    /// The account that it is about; nil for one that is not there yet.
    var account: String? {
        switch self {
        case .signUp, .browser: nil
        case .signIn(let draft): draft.account
        case .reset(let draft): draft.account
        case .secondFactor(let draft): draft.authentication.account
        case .registration(let draft): draft.authentication.account
        case .redeemable(let authentication): authentication.account
        }
    }
}

/// What a client said at the start of a flow that it can do.
struct ClientAbilities: Sendable, Codable {
    var challengeTypes: Words<ChallengeType>
    var capabilities: Words<Capability>

    init(_ challengeTypes: Words<ChallengeType>, _ capabilities: Words<Capability>?) {
        self.challengeTypes = challengeTypes
        self.capabilities = capabilities ?? []
    }
}

/// Who has proven to be whom so far, and how.
struct Authentication: Sendable, Codable {
    var account: String
    /// The password's generation at the time of the proof: what an old password began ends with it.
    var generation: Int64
    var client: ClientAbilities
    /// In the words of RFC 8176.
    var amr: [AuthenticationMethod]
    /// The mail address that was proven in this very flow.
    var provenMail: EmailAddress?

    init(
        of account: StoredAccount, client: ClientAbilities, amr: [AuthenticationMethod], provenMail: EmailAddress? = nil
    ) {
        self.account = account.id
        generation = account.generation
        self.client = client
        self.amr = amr
        self.provenMail = provenMail
    }

    /// Whether nothing more than the first factor was proven.
    var isWeak: Bool { !amr.contains(.several) }
}

/// How a person was recognised (RFC 8176, section 2).
enum AuthenticationMethod: String, Sendable, Codable {
    case password = "pwd"
    case code = "otp"
    case textMessage = "sms"
    case several = "mfa"
}

/// What a call does to its flow.
enum Move {
    /// The flow goes on: a new continuation token goes into the answer, and the old one is dead but for replays.
    case advance(FlowState, Outcome)
    /// The flow goes on, and its token stays what it is.
    case remain(FlowState, Outcome)
    /// The flow is over with this answer.
    case finish(Outcome)
    /// The flow stays where it is, and its token good for another try.
    case refuse(Refusal)

    /// What the client is told.
    enum Outcome {
        case reply(any CarriesToken)
        case refusal(Refusal)
        case tokens(Tokens)

        static var continuation: Outcome { .reply(Continuation()) }
    }

    /// Only a browser can go on.
    static func browser(_ reason: String? = nil) -> Move {
        .finish(.reply(Continuation(challengeType: .redirect, redirectReason: reason)))
    }
}

/// A reply that a continuation token goes into.
protocol CarriesToken: Encodable {
    var continuationToken: String? { get set }
}

extension Continuation: CarriesToken {}
extension ChallengeReply: CarriesToken {}
extension Methods: CarriesToken {}
extension ResetSubmitted: CarriesToken {}
extension ResetProgress: CarriesToken {}

/// A flow that a continuation token leads to, and the app that it belongs to.
struct Flow {
    let id: String
    let state: FlowState
    let app: AppRegistration
}
