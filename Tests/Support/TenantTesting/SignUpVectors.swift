// SPDX-License-Identifier: Apache-2.0

import Tenant
import Wire

private let mira = "mira@lofoten.example"
private let ids = "client_id=\(Scene.passwordApp)&username=mira%40lofoten.example"
private let types = "challenge_type=oob+password+redirect"

/// An attribute name as the service builds it for a custom one.
private let loyalty = "extension_77a1c0de77a1c0de77a1c0de77a1c0de_loyaltyNumber"

extension Conformance {
    /// `/signup/v1.0/start` and `/signup/v1.0/challenge`.
    static let signUp = start + startPasswords + challenge

    private static func vector(_ number: String, _ title: String, _ body: String, _ expected: Expected)
        -> ConformanceVector
    {
        ConformanceVector(number, title, expected) { try $0.caller.post("/signup/v1.0/start", body) }
    }

    private static let start: [ConformanceVector] = [
        vector(
            "1", "start in a code flow",
            "client_id=\(Scene.codeApp)&username=mira%40lofoten.example&challenge_type=oob%20redirect", .continuation),
        vector("2", "start with a strong password", "\(ids)&\(types)&password=Fjord-Salmon-47", .continuation),
        vector(
            "3", "start with an unknown attribute", "\(ids)&\(types)&attributes=%7B%22shoeSize%22%3A%2243%22%7D",
            .continuation),
        ConformanceVector(
            "3", "what is known of an unknown attribute afterwards",
            Expected(members: ["country": .string("Norway")], absent: ["shoeSize"])
        ) { scene in
            let values = "%7B%22country%22%3A%22Norway%22%2C%22shoeSize%22%3A%2243%22%7D"
            let done = try scene.verified(mira, "&password=\(Scene.password)&attributes=\(values)")
            let token = try scene.redeem(done.token).accessToken
            return try scene.caller.get("/oidc/userinfo", ["authorization": "Bearer " + token])
        },
        vector("3", "start with an unknown field", "\(ids)&\(types)&colour=blue", .continuation),
        vector(
            "4", "start without a username", "client_id=\(Scene.passwordApp)&\(types)",
            .refused("invalid_request", nil, 90100, text: "username parameter is empty or not valid")),
        vector(
            "5", "start with a username that is no address", "client_id=\(Scene.passwordApp)&username=abc&\(types)",
            .refused("invalid_request", nil, 90100, text: "username parameter is empty or not valid")),
        vector(
            "6", "start without a client id", "username=mira%40lofoten.example&\(types)",
            .refused("invalid_request", nil, 90100, text: "client_id parameter is empty or not valid")),
        vector(
            "6", "start with an empty client id", "client_id=&username=mira%40lofoten.example&\(types)",
            .refused("invalid_request", nil, 90100, text: "client_id parameter is empty or not valid")),
        vector(
            "7", "start of an unknown client",
            "client_id=3b6a2d54-0c1f-4f7e-8f43-6d1f2f3f4a10&username=mira%40lofoten.example&\(types)",
            .refused("unauthorized_client", nil, 700_016)),
        ConformanceVector(
            "8", "start with native authentication off", .refused("invalid_client", "nativeauthapi_disabled", nil)
        ) { scene in
            try scene.start(mira, app: try scene.app(native: false, flow: "email-password"))
        },
        vector(
            "10", "start whose list lacks redirect", "\(ids)&challenge_type=oob+password",
            .refused("unsupported_challenge_type", nil, 901_007)),
        vector(
            "11", "start whose list has an unknown word", "\(ids)&challenge_type=oob+magic+redirect",
            .refused("invalid_request", nil, 901_007)),
        vector("12", "start whose list is redirect alone", "\(ids)&challenge_type=redirect", .redirect),
        ConformanceVector("13", "start with a registered address", .refused("user_already_exists", nil, 1_003_037)) {
            scene in
            try scene.passwordAccount(mira)
            return try scene.start("Mira@Lofoten.Example")
        },
        ConformanceVector(
            "19", "start with a postal code of 41 characters",
            Expected(
                status: 400, error: "invalid_grant", suberror: "attribute_validation_failed",
                absent: ["continuation_token"], names: ["invalid_attributes": ["postalCode"]])
        ) { scene in
            let app = try scene.app(.password, [AttributeDefinition(name: "postalCode")])
            let value = String(repeating: "7", count: 41)
            return try scene.start(mira, app: app, "&attributes=%7B%22postalCode%22%3A%22\(value)%22%7D")
        },
        ConformanceVector("20", "start of an app without a user flow", .redirect) { scene in
            try scene.start(mira, app: try scene.app(native: true, flow: nil))
        },
        ConformanceVector("21", "start with JSON", .refused("invalid_request", nil, nil)) { scene in
            try scene.caller.post(
                "/signup/v1.0/start", #"{"client_id":"\#(Scene.passwordApp)","username":"mira@lofoten.example"}"#,
                ["content-type": "application/json"])
        },
    ]

    private static func password(_ number: String, _ password: String, _ suberror: String, _ code: Int64? = nil)
        -> ConformanceVector
    {
        vector(
            number, "start with a password: \(suberror)", "\(ids)&\(types)&password=\(password)",
            .refused("invalid_grant", suberror, code))
    }

    private static let startPasswords: [ConformanceVector] = [
        password("14", "fjord", "password_too_short"),
        password("15", "Aa1-" + String(repeating: "x", count: 253), "password_too_long"),
        password("16", "aaaaaaaaaa", "password_too_weak", 399_246),
        password("17", "P%40ssw0rd1", "password_banned"),
        password("18", "Fj%C3%B8rd-Salmon-47", "password_is_invalid"),
    ]

    private static let challenge: [ConformanceVector] = [
        ConformanceVector("22", "challenge after start", .codeSent) { try $0.codeSent(mira) },
        ConformanceVector("23", "challenge again with the newest token", .codeSent) { scene in
            try scene.signUpChallenge(try scene.codeSent(mira).token)
        },
        ConformanceVector("24", "challenge after credential_required", .password) { scene in
            try scene.signUpChallenge(try scene.verified(mira).token)
        },
        ConformanceVector("25", "challenge without a token", .refused("invalid_request", nil, 90100)) { scene in
            try scene.caller.post("/signup/v1.0/challenge", "client_id=\(Scene.passwordApp)")
        },
        ConformanceVector("26", "challenge with garbage", .refused("invalid_grant", nil, 55200)) { scene in
            try scene.signUpChallenge("garbage")
        },
        ConformanceVector("27", "challenge with a sign-in's token", .refused("invalid_request", nil, 55200)) { scene in
            try scene.passwordAccount(mira)
            return try scene.signUpChallenge(try scene.initiate(mira).token)
        },
        ConformanceVector("28", "challenge with an expired token", .refused("expired_token", nil, 552_003)) { scene in
            let token = try scene.start(mira).token
            scene.tenant.clock.advance(by: 600)
            return try scene.signUpChallenge(token)
        },
        ConformanceVector("29", "the sixth code in half an hour", .refused("invalid_request", nil, 701_014)) { scene in
            var answer = try scene.start(mira)
            for _ in 1...6 { answer = try scene.signUpChallenge(answer.token) }
            return answer
        },
    ]
}

// MARK: - continue

extension Conformance {
    /// `/signup/v1.0/continue`.
    static let signUpContinue = codes + passwords + attributes + mistakes

    private static let codes: [ConformanceVector] = [
        ConformanceVector("30", "right code where everything was given", .continuation) {
            try $0.passwordAccount(mira)
        },
        ConformanceVector("31", "right code in a code flow", .continuation) { try $0.codeAccount(mira) },
        ConformanceVector("32", "wrong code", .refused("invalid_grant", "invalid_oob_value", 50181)) { scene in
            let sent = try scene.codeSent(mira)
            return try scene.proceed(sent.token, "grant_type=oob&oob=\(try scene.wrongCode(mira))")
        },
        ConformanceVector("32", "right code with the token of the wrong one", .continuation) { scene in
            let sent = try scene.codeSent(mira, app: Scene.codeApp, "&\(Scene.country)")
            _ = try scene.proceed(sent.token, "grant_type=oob&oob=\(try scene.wrongCode(mira))", app: Scene.codeApp)
            return try scene.proceed(sent.token, "grant_type=oob&oob=\(try scene.code(mira))", app: Scene.codeApp)
        },
        ConformanceVector("33", "superseded code", .refused("invalid_grant", "invalid_oob_value", 50181)) { scene in
            let sent = try scene.codeSent(mira)
            let old = try scene.code(mira)
            scene.tenant.clock.advance(by: 1)
            let again = try scene.signUpChallenge(sent.token)
            return try scene.proceed(again.token, "grant_type=oob&oob=\(old)")
        },
        ConformanceVector("34", "right code without a password", .goesOn("credential_required", 55103)) { scene in
            try scene.verified(mira)
        },
        ConformanceVector(
            "35", "right code without attributes",
            .goesOn("attributes_required", 55106, ["required_attributes": ["country", "city"]])
        ) { scene in
            try scene.verified(mira, "&password=\(Scene.password)")
        },
    ]

    private static func afterVerification(_ scene: Scene, _ proof: String, _ more: String = "") throws -> RawAnswer {
        let asked = try scene.signUpChallenge(try scene.verified(mira, more).token)
        return try scene.proceed(asked.token, proof)
    }

    private static let passwords: [ConformanceVector] = [
        ConformanceVector("36", "strong password", .continuation) { scene in
            try afterVerification(scene, "grant_type=password&password=\(Scene.password)", "&\(Scene.country)")
        },
        ConformanceVector(
            "37", "strong password without attributes",
            .goesOn("attributes_required", 55106, ["required_attributes": ["country", "city"]])
        ) { scene in
            try afterVerification(scene, "grant_type=password&password=\(Scene.password)")
        },
        ConformanceVector("38", "weak password", .refused("invalid_grant", "password_too_weak", 399_246)) { scene in
            try afterVerification(scene, "grant_type=password&password=aaaaaaaaaa")
        },
    ]

    private static func asked(_ scene: Scene, _ attributes: [AttributeDefinition], _ json: String) throws -> RawAnswer {
        let app = try scene.app(.code, attributes)
        let page = try scene.verified(mira, app: app)
        return try scene.proceed(page.token, "grant_type=attributes&attributes=\(json)", app: app)
    }

    private static let loyaltyRule = AttributeDefinition(name: loyalty, regex: "^[0-9]{6}$")

    private static let attributes: [ConformanceVector] = [
        ConformanceVector("39", "all attributes", .continuation) { scene in
            try asked(
                scene, [AttributeDefinition(name: "displayName"), loyaltyRule],
                "%7B%22displayName%22%3A%22Mira+L%22%2C%22\(loyalty)%22%3A%22123456%22%7D")
        },
        ConformanceVector(
            "40", "one attribute still missing",
            .goesOn("attributes_required", 55106, ["required_attributes": [loyalty]])
        ) { scene in
            try asked(
                scene, [AttributeDefinition(name: "displayName"), loyaltyRule], "%7B%22displayName%22%3A%22Mira+L%22%7D"
            )
        },
        ConformanceVector(
            "41", "an attribute that breaks its pattern",
            Expected(
                status: 400, error: "invalid_grant", suberror: "attribute_validation_failed",
                absent: ["continuation_token"], names: ["invalid_attributes": [loyalty]])
        ) { scene in
            try asked(
                scene, [AttributeDefinition(name: "displayName"), loyaltyRule],
                "%7B%22displayName%22%3A%22Mira+L%22%2C%22\(loyalty)%22%3A%2212%22%7D")
        },
        ConformanceVector(
            "42", "attributes before the code",
            .goesOn("verification_required", nil, ["unverified_attributes": ["email"]])
        ) { scene in
            try scene.proceed(try scene.codeSent(mira).token, "grant_type=attributes&\(Scene.country)")
        },
    ]

    private static let mistakes: [ConformanceVector] = [
        ConformanceVector("43", "unknown grant", .refused("invalid_grant", nil, nil)) { scene in
            try scene.proceed(try scene.codeSent(mira).token, "grant_type=banana")
        },
        ConformanceVector("44", "code grant without a code", .refused("invalid_request", nil, 90100)) { scene in
            try scene.proceed(try scene.codeSent(mira).token, "grant_type=oob")
        },
        ConformanceVector("45", "continue with an expired token", .refused("expired_token", nil, 552_003)) { scene in
            let sent = try scene.codeSent(mira)
            scene.tenant.clock.advance(by: 600)
            return try scene.proceed(sent.token, "grant_type=oob&oob=\(try scene.code(mira))")
        },
        ConformanceVector("46", "account made meanwhile", .refused("user_already_exists", nil, 1_003_037)) { scene in
            let slow = try scene.codeSent(mira, "&password=\(Scene.password)&\(Scene.country)")
            let code = try scene.code(mira)
            scene.tenant.clock.advance(by: 1)
            try scene.passwordAccount(mira)
            return try scene.proceed(slow.token, "grant_type=oob&oob=\(code)")
        },
    ]
}
