// SPDX-License-Identifier: Apache-2.0

package import Tenant
import Wire

private let mira = "mira@lofoten.example"
private let other = "mira@bergen.example"
private let phone = "+4790000007"

extension Conformance {
    /// `/register/v1.0`, and the tokens after it.
    static let registration = contacts + refusedContacts + proofs

    /// A code is on its way to a contact that the client knows in full.
    private static func codeSent(_ channel: String, _ target: String) -> Expected {
        Expected(
            members: [
                "challenge_type": .string("oob"), "binding_method": .string("prompt"),
                "challenge_channel": .string(channel), "challenge_target": .string(target),
                "code_length": .integer(8),
            ], present: ["continuation_token"], absent: ["challenge_target_label"])
    }

    private static let contacts: [ConformanceVector] = [
        ConformanceVector(
            "109", "kinds of methods",
            Expected(
                members: [
                    "methods": .array([
                        .object([
                            "id": .string("email"), "challenge_type": .string("oob"),
                            "challenge_channel": .string("email"), "login_hint": .string(mira),
                        ]),
                        .object([
                            "id": .string("sms"), "challenge_type": .string("oob"),
                            "challenge_channel": .string("sms"),
                        ]),
                    ])
                ], present: ["continuation_token"])
        ) { scene in
            let (app, due) = try scene.secondFactorDue(mira, [])
            return try scene.registerIntrospect(due.token, app: app)
        },
        ConformanceVector("110", "code to a new address", codeSent("email", other)) { scene in
            try scene.registrationSent(mira, "challenge_target=\(other)").answer
        },
        ConformanceVector("110", "code to a new number", codeSent("sms", phone)) { scene in
            try scene.registrationSent(mira, "challenge_target=%2B4790000007&challenge_channel=sms").answer
        },
        ConformanceVector(
            "111", "address that the sign-up has proven",
            Expected(
                members: ["challenge_type": .string("preverified")], present: ["continuation_token"],
                absent: ["challenge_target", "code_length"])
        ) { try $0.preverified(mira).answer },
    ]

    private static let refusedContacts: [ConformanceVector] = [
        ConformanceVector("112", "contact that is none", .refused("invalid_request", nil, 901_001)) { scene in
            try scene.registrationSent(mira, "challenge_target=not-a-phone&challenge_channel=sms").answer
        },
        ConformanceVector(
            "113", "kind of method that the policy lacks", .refused("access_denied", "provider_blocked_by_admin", nil)
        ) { scene in
            try scene.registrationSent(
                mira, "challenge_target=%2B4790000007&challenge_channel=sms", MultiFactorPolicy(channels: [.email])
            ).answer
        },
        ConformanceVector(
            "114", "contact of bad reputation", .refused("access_denied", "provider_blocked_by_rep", 550_024),
            settings: { $0.blockedContacts = ["*@bergen.example"] }
        ) { scene in
            try scene.registrationSent(mira, "challenge_target=\(other)").answer
        },
    ]

    private static let proofs: [ConformanceVector] = [
        ConformanceVector("115", "right code of a registration", .continuation) { try $0.registered(mira).answer },
        ConformanceVector("116", "wrong code of a registration", .refused("invalid_grant", "invalid_oob_value", 50181))
        { scene in
            let (app, sent) = try scene.registrationSent(mira, "challenge_target=\(other)")
            return try scene.registerProceed(sent.token, "grant_type=oob&oob=\(try scene.wrongCode(other))", app: app)
        },
        ConformanceVector("117", "grant for a proven address", .continuation) { scene in
            let (app, proven) = try scene.preverified(mira)
            return try scene.registerProceed(proven.token, "grant_type=continuation_token", app: app)
        },
        ConformanceVector(
            "118", "grant for a proven address where none is", .refused("invalid_request", nil, 55200)
        ) { scene in
            let (app, sent) = try scene.registrationSent(mira, "challenge_target=\(other)")
            return try scene.registerProceed(sent.token, "grant_type=continuation_token", app: app)
        },
        ConformanceVector("119", "tokens after a registration", .tokens) { scene in
            let (app, done) = try scene.registered(mira)
            return try scene.redeem(done.token, app: app)
        },
        ConformanceVector("119", "tokens after the registration of a proven address", .tokens) { scene in
            let (app, proven) = try scene.preverified(mira)
            let done = try scene.registerProceed(proven.token, "grant_type=continuation_token", app: app)
            return try scene.redeem(done.token, app: app)
        },
    ]
}

// MARK: - Steps

extension Scene {
    package func registerIntrospect(_ token: String, app: String) throws -> RawAnswer {
        try caller.post("/register/v1.0/introspect", "client_id=\(app)&continuation_token=\(token)")
    }

    /// `target` holds the contact and its channel.
    package func registerChallenge(_ token: String, _ target: String, app: String) throws -> RawAnswer {
        try caller.post(
            "/register/v1.0/challenge",
            "client_id=\(app)&continuation_token=\(token)&challenge_type=oob&\(target)")
    }

    /// `proof` holds the grant and what belongs to it.
    package func registerProceed(_ token: String, _ proof: String, app: String) throws -> RawAnswer {
        try caller.post("/register/v1.0/continue", "client_id=\(app)&continuation_token=\(token)&\(proof)")
    }

    /// A new account's registration of a contact, at an app that wants one.
    package func registrationSent(
        _ address: String, _ target: String, _ policy: MultiFactorPolicy = MultiFactorPolicy()
    ) throws -> (app: String, answer: RawAnswer) {
        let (app, due) = try secondFactorDue(address, [], policy)
        let listed = try registerIntrospect(due.token, app: app)
        return (app, try registerChallenge(listed.token, target, app: app))
    }

    /// A registration as far as the right code.
    package func registered(_ address: String) throws -> (app: String, answer: RawAnswer) {
        let (app, sent) = try registrationSent(address, "challenge_target=\(other)")
        return (app, try registerProceed(sent.token, "grant_type=oob&oob=\(try code(other))", app: app))
    }

    /// A sign-up whose end asks for a method, for which the new account's own address is named.
    package func preverified(_ address: String) throws -> (app: String, answer: RawAnswer) {
        let app = try strongApp()
        let done = try verified(address, app: app, "&password=\(Self.password)&\(Self.country)\(Self.capable)")
        let due = try redeem(done.token, app: app)
        let listed = try registerIntrospect(due.token, app: app)
        return (app, try registerChallenge(listed.token, "challenge_target=\(address)", app: app))
    }
}
