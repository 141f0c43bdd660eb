// SPDX-License-Identifier: Apache-2.0

package import Tenant
import Wire

private let mira = "mira@lofoten.example"
private let second = "mira@bergen.example"
private let phone = "+4790000007"

extension Conformance {
    /// Sign-ins whose app wants a second factor, and the refreshes after them.
    static let secondFactor = policy + methods + secondCode + newPolicy

    private static let mfaRequired = Expected.goesOn("invalid_grant", "mfa_required", 50076)
    private static let registrationRequired = Expected.goesOn("invalid_grant", "registration_required", 50072)

    private static func redirect(without capability: String) -> Expected {
        Expected(
            members: [
                "challenge_type": .string("redirect"),
                "redirect_reason": .string("Client is missing \(capability) capability"),
            ], absent: ["continuation_token", "access_token"])
    }

    private static let policy: [ConformanceVector] = [
        ConformanceVector("70", "password where a second factor is wanted", mfaRequired) {
            try $0.secondFactorDue(mira, [phone]).answer
        },
        ConformanceVector("71", "the same without the capability", redirect(without: "mfa_required")) { scene in
            try scene.secondFactorDue(mira, [phone], capabilities: "").answer
        },
        ConformanceVector("71", "the same with the other capability alone", redirect(without: "mfa_required")) {
            scene in
            try scene.secondFactorDue(mira, [phone], capabilities: "&capabilities=registration_required").answer
        },
        ConformanceVector("72", "password of an account without a method", registrationRequired) {
            try $0.secondFactorDue(mira, []).answer
        },
        ConformanceVector("73", "the same without the capability", redirect(without: "registration_required")) {
            scene in
            try scene.secondFactorDue(mira, [], capabilities: "&capabilities=mfa_required").answer
        },
    ]

    private static let methods: [ConformanceVector] = [
        ConformanceVector("63", "methods of an account", .continuation) { scene in
            let (app, due) = try scene.secondFactorDue(mira, [second, phone])
            return try scene.introspect(due.token, app: app)
        }.and("the methods are listed with masked hints") { _, answer in
            answer.methodIDs.count == 2 && Set(answer.methodIDs).count == 2
                && answer.methods("challenge_type") == ["oob", "oob"]
                && Set(zip(answer.methods("challenge_channel"), answer.methods("login_hint")).map { "\($0) \($1)" })
                    == ["email m***a@be****.example", "sms +47*******7"]
        },
        ConformanceVector("64", "methods with a plain sign-in's token", .refused("invalid_request", nil, 55200)) {
            scene in
            try scene.passwordAccount(mira)
            return try scene.introspect(try scene.challenged(mira).token)
        },
        ConformanceVector("65", "methods with an expired token", .refused("expired_token", nil, 552_003)) { scene in
            let (app, due) = try scene.secondFactorDue(mira, [phone])
            scene.tenant.clock.advance(by: 600)
            return try scene.introspect(due.token, app: app)
        },
        ConformanceVector("58", "second code by mail", .codeSent("email", "m***a@be****.example")) { scene in
            try scene.secondCodeSent(mira, [second, phone], by: "email").answer
        },
        ConformanceVector("59", "second code by text message", .codeSent("sms", "+47*******7")) { scene in
            try scene.secondCodeSent(mira, [second, phone], by: "sms").answer
        },
        ConformanceVector(
            "60", "second code by a method that is not named",
            .refused("invalid_request", "introspect_required", nil)
        ) { scene in
            let (app, due) = try scene.secondFactorDue(mira, [second, phone])
            return try scene.signInChallenge(due.token, app: app)
        },
        ConformanceVector(
            "61", "second code to a blocked number", .refused("access_denied", "provider_blocked_by_rep", 550_024),
            settings: { $0.blockedContacts = ["+479*"] }
        ) { scene in
            try scene.secondCodeSent(mira, [second, phone], by: "sms").answer
        },
    ]

    private static func secondCode(_ scene: Scene, _ channel: String, _ code: (String) throws -> String) throws
        -> RawAnswer
    {
        let (app, sent) = try scene.secondCodeSent(mira, [second, phone], by: channel)
        let code = try code(channel == "sms" ? phone : second)
        return try scene.token("grant_type=mfa_oob&continuation_token=\(sent.token)&oob=\(code)", app: app)
    }

    private static let secondCode: [ConformanceVector] = [
        ConformanceVector("76", "right second code by mail", .tokens) { scene in
            try secondCode(scene, "email", scene.code)
        },
        ConformanceVector("76", "right second code by text message", .tokens) { scene in
            try secondCode(scene, "sms", scene.code)
        },
        ConformanceVector("76", "right second code under the older grant", .tokens) { scene in
            let (app, sent) = try scene.secondCodeSent(mira, [phone], by: "sms")
            return try scene.token(
                "grant_type=oob&continuation_token=\(sent.token)&oob=\(try scene.code(phone))", app: app)
        },
        ConformanceVector("77", "wrong second code", .refused("invalid_grant", "invalid_oob_value", 50181)) { scene in
            try secondCode(scene, "sms") { try scene.wrongCode($0) }
        },
        ConformanceVector("77", "right second code with the token of the wrong one", .tokens) { scene in
            let (app, sent) = try scene.secondCodeSent(mira, [phone], by: "sms")
            let proof = "grant_type=mfa_oob&continuation_token=\(sent.token)&oob="
            _ = try scene.token(proof + (try scene.wrongCode(phone)), app: app)
            return try scene.token(proof + (try scene.code(phone)), app: app)
        },
    ]

    private static let newPolicy: [ConformanceVector] = [
        ConformanceVector(
            "90", "refresh where a second factor is wanted since", .refused("invalid_grant", "basic_action", 50076)
        ) { scene in
            let secret = try scene.signedIn(mira).refreshToken
            try scene.change { $0.multiFactor = MultiFactorPolicy() }
            return try scene.refresh(secret)
        },
        ConformanceVector("90", "refresh of who had proven a second factor", .tokens) { scene in
            let (app, sent) = try scene.secondCodeSent(mira, [phone], by: "sms")
            let tokens = try scene.token(
                "grant_type=mfa_oob&continuation_token=\(sent.token)&oob=\(try scene.code(phone))", app: app)
            return try scene.refresh(tokens.refreshToken, app: app)
        },
    ]
}

// MARK: - Steps

extension Scene {
    package static let capable = "&capabilities=mfa_required+registration_required"

    /// An app with a policy for second factors.
    package func strongApp(_ policy: MultiFactorPolicy = MultiFactorPolicy(), flow: String = "email-password") throws
        -> String
    {
        let app = try app(native: true, flow: flow)
        try change(app) { $0.multiFactor = policy }
        return app
    }

    /// The right password of a new account with these methods, at an app that wants more than it.
    package func secondFactorDue(
        _ address: String, _ contacts: [String], capabilities: String = capable,
        _ policy: MultiFactorPolicy = MultiFactorPolicy()
    ) throws -> (app: String, answer: RawAnswer) {
        try passwordAccount(address)
        for contact in contacts {
            if let contact = Contact(contact) { _ = try tenant.provider.addMethod(contact, to: address) }
        }
        let app = try strongApp(policy)
        return (app, try signIn(address, app: app, capabilities))
    }

    package func introspect(_ token: String, app: String = passwordApp) throws -> RawAnswer {
        try caller.post("/oauth2/v2.0/introspect", "client_id=\(app)&continuation_token=\(token)")
    }

    /// A second factor whose code was sent by the account's method of a channel.
    package func secondCodeSent(_ address: String, _ contacts: [String], by channel: String) throws
        -> (app: String, answer: RawAnswer)
    {
        let (app, due) = try secondFactorDue(address, contacts)
        let listed = try introspect(due.token, app: app)
        let id = zip(listed.methodIDs, listed.methods("challenge_channel")).first { $1 == channel }?.0 ?? ""
        return (app, try signInChallenge(listed.token, app: app, "&id=\(id)"))
    }
}

extension RawAnswer {
    /// One member of each method that the answer lists.
    package func methods(_ member: String) -> [String] {
        if case .array(let methods)? = self["methods"] { methods.map { $0[member]?.string ?? "" } } else { [] }
    }

    package var methodIDs: [String] { methods("id") }
}
