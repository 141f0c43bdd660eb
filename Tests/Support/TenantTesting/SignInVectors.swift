// SPDX-License-Identifier: Apache-2.0

import Tenant
import Wire

private let mira = "mira@lofoten.example"

extension Conformance {
    /// `/oauth2/v2.0/initiate` and `/oauth2/v2.0/challenge`.
    static let signIn = initiate + challenge

    private static func initiate(_ scene: Scene, _ app: String, _ types: String) throws -> RawAnswer {
        try scene.caller.post(
            "/oauth2/v2.0/initiate", "client_id=\(app)&username=mira%40lofoten.example&challenge_type=\(types)")
    }

    private static let initiate: [ConformanceVector] = [
        ConformanceVector("47", "known user", .continuation) { scene in
            try scene.passwordAccount(mira)
            return try initiate(scene, Scene.passwordApp, "password%20oob%20redirect")
        },
        ConformanceVector("48", "unknown user", .refused("user_not_found", nil, 50034)) { try $0.initiate(mira) },
        ConformanceVector(
            "49", "initiate without a username",
            .refused("invalid_request", nil, 90100, text: "username parameter is empty or not valid")
        ) { scene in
            try scene.caller.post(
                "/oauth2/v2.0/initiate", "client_id=\(Scene.passwordApp)&challenge_type=oob+password+redirect")
        },
        ConformanceVector(
            "50", "initiate with native authentication off", .refused("invalid_client", "nativeauthapi_disabled", nil)
        ) { scene in
            try scene.initiate(mira, app: try scene.app(native: false, flow: "email-password"))
        },
        ConformanceVector(
            "51", "initiate whose list lacks redirect", .refused("unsupported_challenge_type", nil, 901_007)
        ) { scene in
            try initiate(scene, Scene.passwordApp, "oob+password")
        },
        ConformanceVector("51", "initiate whose list has an unknown word", .refused("invalid_request", nil, 901_007)) {
            scene in
            try initiate(scene, Scene.passwordApp, "oob+magic+redirect")
        },
    ]

    private static let challenge: [ConformanceVector] = [
        ConformanceVector("54", "account with a password", .password) { scene in
            try scene.passwordAccount(mira)
            return try scene.challenged(mira)
        },
        ConformanceVector("55", "account with codes", .codeSent) { scene in
            try scene.codeAccount(mira)
            return try scene.challenged(mira, app: Scene.codeApp)
        },
        ConformanceVector("56", "account with a password, list without it", .redirect) { scene in
            try scene.passwordAccount(mira)
            return try scene.signInChallenge(try initiate(scene, Scene.passwordApp, "oob+redirect").token)
        },
        ConformanceVector("57", "account with codes, list without them", .redirect) { scene in
            try scene.codeAccount(mira)
            let opened = try initiate(scene, Scene.codeApp, "password+redirect")
            return try scene.signInChallenge(opened.token, app: Scene.codeApp)
        },
        ConformanceVector("62", "challenge with a sign-up's token", .refused("invalid_request", nil, 55200)) { scene in
            try scene.signInChallenge(try scene.start(mira).token)
        },
    ]
}

// MARK: - token

extension Conformance {
    /// `/oauth2/v2.0/token`.
    static let token = factors + afterSignUp + scopes + refreshing

    /// A sign-in that waits for its password.
    private static func asked(_ scene: Scene) throws -> String {
        try scene.passwordAccount(mira)
        return try scene.challenged(mira).token
    }

    private static let factors: [ConformanceVector] = [
        ConformanceVector("66", "right password", .tokens) { scene in
            try scene.submit(password: Scene.password, try asked(scene))
        },
        ConformanceVector("67", "wrong password", .refused("invalid_grant", nil, 50126)) { scene in
            try scene.submit(password: "Fjord-Salmon-48", try asked(scene))
        },
        ConformanceVector("68", "right password with the token of the wrong one", .tokens) { scene in
            let token = try asked(scene)
            _ = try scene.submit(password: "Fjord-Salmon-48", token)
            return try scene.submit(password: Scene.password, token)
        },
        ConformanceVector("69", "the eleventh wrong password", .refused("invalid_grant", nil, 50053)) { scene in
            let token = try asked(scene)
            for number in 1...10 { _ = try scene.submit(password: "Wrong-\(number)", token) }
            return try scene.submit(password: "Wrong-11", token)
        },
        ConformanceVector("69", "right password of a locked account", .refused("invalid_grant", nil, 50053)) { scene in
            let token = try asked(scene)
            for number in 1...10 { _ = try scene.submit(password: "Wrong-\(number)", token) }
            scene.tenant.clock.advance(by: 59)
            return try scene.submit(password: Scene.password, token)
        },
        ConformanceVector("74", "right code", .tokens) { scene in
            try scene.codeAccount(mira)
            scene.tenant.clock.advance(by: 1)
            let sent = try scene.challenged(mira, app: Scene.codeApp)
            return try scene.token(
                "grant_type=oob&continuation_token=\(sent.token)&oob=\(try scene.code(mira))", app: Scene.codeApp)
        },
        ConformanceVector("75", "wrong code", .refused("invalid_grant", "invalid_oob_value", 50181)) { scene in
            try scene.codeAccount(mira)
            scene.tenant.clock.advance(by: 1)
            let sent = try scene.challenged(mira, app: Scene.codeApp)
            return try scene.token(
                "grant_type=oob&continuation_token=\(sent.token)&oob=\(try scene.wrongCode(mira))", app: Scene.codeApp)
        },
    ]

    private static let afterSignUp: [ConformanceVector] = [
        ConformanceVector("78", "token of a sign-up", .tokens) { scene in
            let done = try scene.passwordAccount(mira)
            return try scene.token(
                "grant_type=continuation_token&continuation_token=\(done.token)&username=mira%40lofoten.example")
        },
        ConformanceVector("79", "token of a sign-up, used before", .refused("invalid_grant", nil, 55200)) { scene in
            let done = try scene.passwordAccount(mira)
            _ = try scene.token("grant_type=continuation_token&continuation_token=\(done.token)")
            return try scene.token(
                "grant_type=continuation_token&continuation_token=\(done.token)", scope: "scope=openid+offline_access")
        },
        ConformanceVector("80", "token of a sign-up with another username", .refused("invalid_request", nil, nil)) {
            scene in
            let done = try scene.passwordAccount(mira)
            return try scene.token(
                "grant_type=continuation_token&continuation_token=\(done.token)&username=other%40lofoten.example")
        },
    ]

    private static let scopes: [ConformanceVector] = [
        ConformanceVector("81", "no openid", .tokens.without("id_token")) { scene in
            try scene.signedIn(mira, scope: "scope=profile+offline_access")
        },
        ConformanceVector("82", "no offline_access", .tokens.without("refresh_token")) { scene in
            try scene.signedIn(mira, scope: "scope=openid+profile")
        },
        ConformanceVector("83", "no client_info", .tokens.without("client_info")) { scene in
            let done = try scene.passwordAccount(mira)
            return try scene.caller.post(
                "/oauth2/v2.0/token",
                "client_id=\(Scene.passwordApp)&grant_type=continuation_token&continuation_token=\(done.token)"
                    + "&scope=openid%20profile%20offline_access")
        },
        ConformanceVector("84", "unknown scope", .refused("invalid_scope", nil, 70011)) { scene in
            try scene.signedIn(mira, scope: "scope=openid+api%3A%2F%2Fsample%2FOrders.Burn")
        },
        ConformanceVector("86", "unknown grant", .refused("unsupported_grant_type", nil, 70003)) { scene in
            try scene.token("grant_type=banana&continuation_token=\(try scene.passwordAccount(mira).token)")
        },
    ]

    private static let refreshing: [ConformanceVector] = [
        ConformanceVector("88", "refresh", .tokens) { scene in
            try scene.refresh(try scene.signedIn(mira).refreshToken)
        },
        ConformanceVector("88", "refresh with the token before the newest", .tokens) { scene in
            let first = try scene.signedIn(mira).refreshToken
            _ = try scene.refresh(first)
            return try scene.refresh(first)
        },
        ConformanceVector("89", "refresh with garbage", .refused("invalid_grant", nil, 700_082)) {
            try $0.refresh("garbage")
        },
        ConformanceVector("89", "refresh with an expired token", .refused("invalid_grant", nil, 700_082)) { scene in
            let secret = try scene.signedIn(mira).refreshToken
            scene.tenant.clock.advance(by: 90 * 86400)
            return try scene.refresh(secret)
        },
    ]
}
