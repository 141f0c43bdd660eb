// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Wire

/// A request of a flow that the model can tell the answer to. Two equal calls are the same request, byte by byte.
struct ModelCall: Hashable {
    let act: Act
    let app: String
    let token: String
    /// The code, the password, the attributes, the contact, the username or the method's id; what the act takes.
    var value = ""

    var path: String {
        switch act {
        case .signUpChallenge: "/signup/v1.0/challenge"
        case .signUpCode, .signUpPassword, .signUpAttributes: "/signup/v1.0/continue"
        case .signInChallenge: "/oauth2/v2.0/challenge"
        case .introspect: "/oauth2/v2.0/introspect"
        case .tokenPassword, .tokenCode, .tokenSecondCode, .tokenContinuation: "/oauth2/v2.0/token"
        case .registerIntrospect: "/register/v1.0/introspect"
        case .registerChallenge: "/register/v1.0/challenge"
        case .registerCode, .registerProven: "/register/v1.0/continue"
        case .resetChallenge: "/resetpassword/v1.0/challenge"
        case .resetCode: "/resetpassword/v1.0/continue"
        case .resetSubmit: "/resetpassword/v1.0/submit"
        case .resetPoll: "/resetpassword/v1.0/poll_completion"
        }
    }

    var body: String { "client_id=\(app)&continuation_token=\(token)" + fields }

    /// What a token that leads nowhere is answered with: it is a bad grant where the reference says so, and makes a bad
    /// request elsewhere.
    var deadToken: Outcome {
        path.hasPrefix("/signup/") || ["/oauth2/v2.0/challenge", "/oauth2/v2.0/token"].contains(path)
            ? .dead : .unusable
    }

    private var fields: String {
        switch act {
        case .signUpChallenge, .introspect, .registerIntrospect, .resetChallenge, .resetPoll: ""
        case .signUpCode, .registerCode, .resetCode: "&grant_type=oob&oob=\(value)"
        case .signUpPassword: "&grant_type=password&password=\(value)"
        case .signUpAttributes: "&grant_type=attributes&attributes=\(value)"
        case .signInChallenge: value.isEmpty ? "" : "&id=\(value)"
        case .tokenPassword: "&grant_type=password&password=\(value)&\(Scene.standardScope)"
        case .tokenCode: "&grant_type=oob&oob=\(value)&\(Scene.standardScope)"
        case .tokenSecondCode: "&grant_type=mfa_oob&oob=\(value)&\(Scene.standardScope)"
        case .tokenContinuation: "&grant_type=continuation_token&\(Scene.standardScope)&username=\(value)"
        case .registerChallenge: "&challenge_type=oob&challenge_target=\(value.replacing("+", with: "%2B"))"
        case .registerProven: "&grant_type=continuation_token"
        case .resetSubmit: "&new_password=\(value)"
        }
    }
}

extension Outcome {
    /// What an answer says, read without the tenant's own types.
    init(_ answer: RawAnswer) {
        self = answer.status == 200 ? Outcome(success: answer) : Outcome(refusal: answer)
    }

    private init(success answer: RawAnswer) {
        if !answer.accessToken.isEmpty {
            self = .tokens
        } else if let status = answer["status"]?.string {
            self = ["in_progress": .inProgress, "succeeded": .succeeded][status] ?? .other(status)
        } else if answer["poll_interval"] != nil {
            self = .submitted
        } else if answer["methods"] != nil {
            self = .methods
        } else if let type = answer["challenge_type"]?.string {
            let kinds: [String: Outcome] = [
                "oob": .code, "password": .password, "redirect": .browser, "preverified": .preverified,
            ]
            self = kinds[type] ?? .other(type)
        } else {
            self = answer.token.isEmpty ? .other("200") : .ok
        }
    }

    private static let refusals: [String: Outcome] = [
        "credential_required  55103": .credentialRequired, "attributes_required  55106": .attributesRequired,
        "verification_required  55108": .verificationRequired,
        "invalid_grant mfa_required 50076": .mfaRequired,
        "invalid_grant registration_required 50072": .registrationRequired,
        "invalid_grant invalid_oob_value 50181": .wrongCode, "invalid_grant  50126": .wrongPassword,
        "invalid_grant  50053": .locked, "invalid_request  701014": .tooManyCodes,
        "user_already_exists  1003037": .userExists, "invalid_request  90100": .malformed,
        "invalid_request  55200": .unusable, "invalid_grant password_too_weak 399246": .badPassword,
        "invalid_grant password_recently_used 399250": .passwordRecentlyUsed,
        "invalid_grant attribute_validation_failed 1003999": .badAttributes,
        "invalid_request  901001": .badContact, "invalid_request introspect_required 901002": .methodNotNamed,
        "expired_token  552003": .expired, "invalid_grant  55200": .dead, "user_not_found  50034": .userUnknown,
        "invalid_request  500222": .noRecovery, "invalid_grant  700082": .deadRefreshToken,
    ]

    private init(refusal answer: RawAnswer) {
        let text = "\(answer.error ?? "") \(answer.suberror ?? "") \(answer.code ?? 0)"
        self = Self.refusals[text] ?? .other("\(answer.status) \(text)")
    }
}
