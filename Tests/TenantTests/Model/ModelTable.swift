// SPDX-License-Identifier: Apache-2.0

/// Where a flow can stand, by the protocol's reference alone.
enum Place: String {
    case signUpOpened, signUpSent, signUpPassword, signUpAttributes
    case signInOpened, signInPassword, signInSent
    case factorDue, factorSent
    case registerDue, registerSent, registerProven
    case resetOpened, resetSent, resetVerified, resetSubmitted
    case redeemable
    case over
}

/// What a call tries, whatever token it brings.
enum Act: String, CaseIterable {
    case signUpChallenge, signUpCode, signUpPassword, signUpAttributes
    case signInChallenge, introspect
    case tokenPassword, tokenCode, tokenSecondCode, tokenContinuation
    case registerIntrospect, registerChallenge, registerCode, registerProven
    case resetChallenge, resetCode, resetSubmit, resetPoll
}

/// What may be true when a call comes in.
enum Fact: String {
    /// The code, the password or the username is not the right one.
    case wrong
    /// The value breaks a rule: a weak password, a long attribute, a contact that is none.
    case invalid
    /// No more codes go to this contact for now.
    case limited
    case locked
    /// Another sign-up has made the account meanwhile.
    case taken
    case lacksPassword, lacksAttributes
    /// The account has a password.
    case hasPassword
    /// The password is the account's already.
    case unchanged
    /// The app wants more than what is proven so far.
    case weak
    /// The account has a strong method.
    case registered
    case canProveMore, canRegister
    /// No method is named, and it is not clear which one is meant.
    case unnamed
    /// The contact was proven in this very flow.
    case proven
    case firstLook
    /// The password has been replaced since the flow's proof.
    case outdated
}

/// What an answer says.
enum Outcome: Hashable {
    // The flow goes on, with a new token.
    case ok, code, password, preverified, methods, submitted, succeeded
    case credentialRequired, attributesRequired, verificationRequired, mfaRequired, registrationRequired
    // The flow is over.
    case tokens, browser, userExists
    // The flow stays where it is, and its token good.
    case inProgress
    case wrongCode, wrongPassword, locked, tooManyCodes, malformed, unusable
    case badPassword, passwordRecentlyUsed, badAttributes, badContact, methodNotNamed
    // The token leads nowhere.
    case expired, dead
    // Nothing was opened.
    case userUnknown, noRecovery
    case deadRefreshToken
    case other(String)

    var goesOn: Bool {
        switch self {
        case .ok, .code, .password, .preverified, .methods, .submitted, .succeeded, .credentialRequired,
            .attributesRequired, .verificationRequired, .mfaRequired, .registrationRequired:
            true
        default: false
        }
    }
}

/// One edge: at a place, a call with these facts gets this answer and leads there.
struct Edge {
    let place: Place
    let act: Act
    let facts: Set<Fact>
    let outcome: Outcome
    let next: Place

    static func at(
        _ places: Place..., call act: Act, when facts: Fact..., get outcome: Outcome, to next: Place? = nil
    ) -> [Edge] {
        places.map { Edge(place: $0, act: act, facts: Set(facts), outcome: outcome, next: next ?? $0) }
    }
}

/// The protocol's state table. The first edge whose facts all hold is the one; where there is none, the call is not for
/// this place: it is refused, and nothing changes.
enum ModelTable {
    ///
    /// - Returns: The edge and the number of its line.
    static func edge(at place: Place, _ act: Act, _ facts: Set<Fact>) -> (line: Int, edge: Edge)? {
        for (line, edges) in lines.enumerated() {
            if let edge = edges.first(where: { $0.place == place && $0.act == act && $0.facts.isSubset(of: facts) }) {
                return (line, edge)
            }
        }
        return nil
    }

    static let lines = [outdated] + signUp + signIn + secondFactor + registration + reset
    static let edges = lines.flatMap { $0 }

    /// What an old password began ends with it, and so does a registration when there is a strong method.
    private static let outdated =
        Edge.at(.redeemable, call: .tokenContinuation, when: .outdated, get: .expired, to: .over)
        + Edge.at(.factorDue, .factorSent, call: .introspect, when: .outdated, get: .expired, to: .over)
        + Edge.at(.factorDue, .factorSent, call: .signInChallenge, when: .outdated, get: .expired, to: .over)
        + Edge.at(.factorSent, call: .tokenSecondCode, when: .outdated, get: .expired, to: .over)
        + Edge.at(.factorSent, call: .tokenCode, when: .outdated, get: .expired, to: .over)
        + late(.outdated) + late(.registered)
        + Edge.at(.resetVerified, .resetSubmitted, call: .resetSubmit, when: .outdated, .invalid, get: .badPassword)
        + Edge.at(.resetVerified, call: .resetSubmit, when: .outdated, .unchanged, get: .passwordRecentlyUsed)
        + lateReset(.resetChallenge) + lateReset(.resetCode) + lateReset(.resetSubmit)
        + Edge.at(.resetSubmitted, call: .resetPoll, when: .outdated, get: .expired, to: .over)

    private static func lateReset(_ call: Act) -> [Edge] {
        Edge.at(
            .resetOpened, .resetSent, .resetVerified, .resetSubmitted, call: call, when: .outdated, get: .expired,
            to: .over)
    }

    private static func late(_ fact: Fact) -> [Edge] {
        let registering: [Place] = [.registerDue, .registerSent, .registerProven]
        let calls: [Act] = [.registerIntrospect, .registerChallenge]
        return calls.flatMap { call in
            registering.flatMap { Edge.at($0, call: call, when: fact, get: .expired, to: .over) }
        }
            + Edge.at(.registerSent, call: .registerCode, when: fact, get: .expired, to: .over)
            + Edge.at(.registerProven, call: .registerProven, when: fact, get: .expired, to: .over)
    }

    private static let signUp: [[Edge]] = [
        Edge.at(.signUpOpened, .signUpSent, call: .signUpChallenge, when: .limited, get: .tooManyCodes),
        Edge.at(.signUpOpened, .signUpSent, call: .signUpChallenge, get: .code, to: .signUpSent),
        Edge.at(.signUpPassword, call: .signUpChallenge, get: .password),
        Edge.at(.signUpSent, call: .signUpCode, when: .wrong, get: .wrongCode),
        Edge.at(.signUpSent, call: .signUpCode, when: .lacksPassword, get: .credentialRequired, to: .signUpPassword),
        Edge.at(
            .signUpSent, call: .signUpCode, when: .lacksAttributes, get: .attributesRequired, to: .signUpAttributes),
        Edge.at(.signUpSent, call: .signUpCode, when: .taken, get: .userExists, to: .over),
        Edge.at(.signUpSent, call: .signUpCode, get: .ok, to: .redeemable),
        Edge.at(.signUpPassword, call: .signUpPassword, when: .invalid, get: .badPassword),
        Edge.at(
            .signUpPassword, call: .signUpPassword, when: .lacksAttributes, get: .attributesRequired,
            to: .signUpAttributes),
        Edge.at(.signUpPassword, call: .signUpPassword, when: .taken, get: .userExists, to: .over),
        Edge.at(.signUpPassword, call: .signUpPassword, get: .ok, to: .redeemable),
        Edge.at(
            .signUpOpened, .signUpSent, .signUpAttributes, call: .signUpAttributes, when: .invalid, get: .badAttributes),
        Edge.at(.signUpOpened, .signUpSent, call: .signUpAttributes, get: .verificationRequired),
        Edge.at(.signUpAttributes, call: .signUpAttributes, when: .lacksAttributes, get: .attributesRequired),
        Edge.at(.signUpAttributes, call: .signUpAttributes, when: .taken, get: .userExists, to: .over),
        Edge.at(.signUpAttributes, call: .signUpAttributes, get: .ok, to: .redeemable),
    ]

    private static let signIn: [[Edge]] =
        firstFactor + afterProof(.signInPassword, .tokenPassword)
        + afterProof(.redeemable, .tokenContinuation)

    private static let firstFactor: [[Edge]] = [
        Edge.at(
            .signInOpened, .signInPassword, call: .signInChallenge, when: .hasPassword, get: .password,
            to: .signInPassword),
        Edge.at(.signInOpened, .signInSent, call: .signInChallenge, when: .limited, get: .tooManyCodes),
        Edge.at(.signInOpened, .signInSent, call: .signInChallenge, get: .code, to: .signInSent),
        Edge.at(.signInSent, call: .tokenCode, when: .wrong, get: .wrongCode),
        Edge.at(.signInPassword, call: .tokenPassword, when: .locked, get: .locked),
        Edge.at(.signInPassword, call: .tokenPassword, when: .wrong, get: .wrongPassword),
        Edge.at(.redeemable, call: .tokenContinuation, when: .wrong, get: .malformed),
        // A code by mail is never followed by another one.
        Edge.at(.signInSent, call: .tokenCode, get: .tokens, to: .over),
    ]

    private static func afterProof(_ place: Place, _ act: Act) -> [[Edge]] {
        [
            Edge.at(place, call: act, when: .weak, .registered, .canProveMore, get: .mfaRequired, to: .factorDue),
            Edge.at(place, call: act, when: .weak, .registered, get: .browser, to: .over)
                + Edge.at(place, call: act, when: .weak, .canRegister, get: .registrationRequired, to: .registerDue),
            Edge.at(place, call: act, when: .weak, get: .browser, to: .over),
            Edge.at(place, call: act, get: .tokens, to: .over),
        ]
    }

    private static let secondFactor: [[Edge]] = [
        Edge.at(.factorDue, .factorSent, call: .introspect, get: .methods),
        Edge.at(.factorDue, call: .signInChallenge, when: .unnamed, get: .methodNotNamed),
        Edge.at(.factorDue, .factorSent, call: .signInChallenge, when: .wrong, get: .malformed),
        Edge.at(.factorDue, .factorSent, call: .signInChallenge, when: .limited, get: .tooManyCodes),
        Edge.at(.factorDue, .factorSent, call: .signInChallenge, get: .code, to: .factorSent),
        Edge.at(.factorSent, call: .tokenSecondCode, when: .wrong, get: .wrongCode),
        Edge.at(.factorSent, call: .tokenCode, when: .wrong, get: .wrongCode),
        Edge.at(.factorSent, call: .tokenSecondCode, get: .tokens, to: .over),
        Edge.at(.factorSent, call: .tokenCode, get: .tokens, to: .over),
    ]

    private static let registration: [[Edge]] = [
        Edge.at(.registerDue, .registerSent, .registerProven, call: .registerIntrospect, get: .methods),
        Edge.at(
            .registerDue, .registerSent, .registerProven, call: .registerChallenge, when: .invalid, get: .badContact),
        Edge.at(
            .registerDue, .registerSent, .registerProven, call: .registerChallenge, when: .proven, get: .preverified,
            to: .registerProven),
        Edge.at(
            .registerDue, .registerSent, .registerProven, call: .registerChallenge, when: .limited, get: .tooManyCodes),
        Edge.at(
            .registerDue, .registerSent, .registerProven, call: .registerChallenge, get: .code, to: .registerSent),
        Edge.at(.registerSent, call: .registerCode, when: .wrong, get: .wrongCode),
        Edge.at(.registerSent, call: .registerCode, get: .ok, to: .redeemable),
        Edge.at(.registerProven, call: .registerProven, get: .ok, to: .redeemable),
    ]

    private static let reset: [[Edge]] = [
        Edge.at(.resetOpened, .resetSent, call: .resetChallenge, when: .limited, get: .tooManyCodes),
        Edge.at(.resetOpened, .resetSent, call: .resetChallenge, get: .code, to: .resetSent),
        Edge.at(.resetSent, call: .resetCode, when: .wrong, get: .wrongCode),
        Edge.at(.resetSent, call: .resetCode, get: .ok, to: .resetVerified),
        Edge.at(.resetVerified, .resetSubmitted, call: .resetSubmit, when: .invalid, get: .badPassword),
        Edge.at(.resetVerified, call: .resetSubmit, when: .unchanged, get: .passwordRecentlyUsed),
        Edge.at(.resetVerified, .resetSubmitted, call: .resetSubmit, get: .submitted, to: .resetSubmitted),
        Edge.at(.resetSubmitted, call: .resetPoll, when: .firstLook, get: .inProgress),
        Edge.at(.resetSubmitted, call: .resetPoll, get: .succeeded, to: .redeemable),
    ]
}
