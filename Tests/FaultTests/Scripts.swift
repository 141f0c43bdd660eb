// SPDX-License-Identifier: Apache-2.0

import Tenant
import TenantTesting
import Wire

/// The people whom the scripts are about, and one app more.
enum People {
    static let ada = "ada@fjord.example"
    static let cai = "cai@fjord.example"
    static let bo = "bo@fjord.example"
    static let boPhone = "+4790000007"
    static let dan = "dan@fjord.example"
    static let danNew = "dan@bergen.example"
    static let new = "new@fjord.example"
    static let strongApp = "5a3d1e00-0000-4000-8000-00000000000f"
    static let newPassword = "Midnight-Sun-48"

    /// Makes them at a fresh tenant.
    static func make(at tenant: TestTenant) throws {
        // A database that others load at the same time may let somebody wait.
        let scene = Scene(tenant, by: tenant.caller.patient)
        var made = try [ada, bo, dan].map { try scene.passwordAccount($0) }
        made.append(try scene.codeAccount(cai))
        for answer in made where answer.status != 200 {
            throw UnexpectedAnswer(
                description: "a sign-up: \(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
        }
        if let phone = Contact(boPhone) { _ = try tenant.provider.addMethod(phone, to: bo) }
        var app = AppRegistration(clientID: strongApp, name: "Strong", userFlow: "email-password")
        app.multiFactor = MultiFactorPolicy()
        try tenant.provider.save(app)
    }
}

extension Script {
    /// Every flow, with the mistakes that people make.
    static let all = [signUp, codeSignIn, passwordSignIn, reset, secondFactor, registration, refresh, signOut]

    private static let password = "password=\(Scene.password)"
    private static let scope = Scene.standardScope

    static let signUp = Script(
        name: "sign-up", app: Scene.passwordApp,
        calls: [
            ScriptedCall("/signup/v1.0/start") { _ in
                "username=\(People.new)&challenge_type=oob+password+redirect"
            },
            ScriptedCall("/signup/v1.0/challenge"),
            ScriptedCall("/signup/v1.0/continue", error: "invalid_grant", suberror: "invalid_oob_value") { talk in
                "grant_type=oob&oob=\(try talk.wrongCode(People.new))"
            },
            ScriptedCall("/signup/v1.0/continue", error: "credential_required") { talk in
                "grant_type=oob&oob=\(try talk.code(People.new))"
            },
            ScriptedCall("/signup/v1.0/challenge"),
            ScriptedCall("/signup/v1.0/continue", error: "attributes_required") { _ in
                "grant_type=password&\(password)"
            },
            ScriptedCall("/signup/v1.0/continue") { _ in "grant_type=attributes&\(Scene.country)" },
            ScriptedCall("/oauth2/v2.0/token") { _ in "grant_type=continuation_token&\(scope)" },
        ])

    static let codeSignIn = Script(
        name: "sign-in by code", app: Scene.codeApp,
        calls: [
            ScriptedCall("/oauth2/v2.0/initiate") { _ in "username=\(People.cai)&challenge_type=oob+redirect" },
            ScriptedCall("/oauth2/v2.0/challenge"),
            ScriptedCall("/oauth2/v2.0/token", error: "invalid_grant", suberror: "invalid_oob_value") { talk in
                "grant_type=oob&oob=\(try talk.wrongCode(People.cai))&\(scope)"
            },
            ScriptedCall("/oauth2/v2.0/token") { talk in "grant_type=oob&oob=\(try talk.code(People.cai))&\(scope)" },
        ])

    private static func opening(_ address: String, _ more: String = "") -> [ScriptedCall] {
        [
            ScriptedCall("/oauth2/v2.0/initiate") { _ in
                "username=\(address)&challenge_type=oob+password+redirect" + more
            },
            ScriptedCall("/oauth2/v2.0/challenge"),
        ]
    }

    private static let rightPassword = ScriptedCall("/oauth2/v2.0/token") { _ in
        "grant_type=password&\(password)&\(scope)"
    }

    static let passwordSignIn = Script(
        name: "sign-in by password", app: Scene.passwordApp,
        calls: opening(People.ada) + [
            ScriptedCall("/oauth2/v2.0/token", error: "invalid_grant") { _ in
                "grant_type=password&password=Wrong-Salmon-48&\(scope)"
            }, rightPassword,
        ])

    static let reset = Script(
        name: "reset", app: Scene.passwordApp,
        calls: [
            ScriptedCall("/resetpassword/v1.0/start") { _ in "username=\(People.ada)&challenge_type=oob+redirect" },
            ScriptedCall("/resetpassword/v1.0/challenge"),
            ScriptedCall("/resetpassword/v1.0/continue") { talk in
                "grant_type=oob&oob=\(try talk.code(People.ada))"
            },
            ScriptedCall("/resetpassword/v1.0/submit") { _ in "new_password=\(People.newPassword)" },
            ScriptedCall("/resetpassword/v1.0/poll_completion", status: "succeeded"),
            ScriptedCall("/oauth2/v2.0/token") { _ in "grant_type=continuation_token&\(scope)" },
        ])

    static let secondFactor = Script(
        name: "second factor", app: People.strongApp,
        calls: opening(People.bo, Scene.capable) + [
            ScriptedCall("/oauth2/v2.0/token", error: "invalid_grant", suberror: "mfa_required") { _ in
                "grant_type=password&\(password)&\(scope)"
            },
            ScriptedCall("/oauth2/v2.0/introspect"),
            ScriptedCall("/oauth2/v2.0/challenge") { talk in "id=\(talk.method)" },
            ScriptedCall("/oauth2/v2.0/token") { talk in
                "grant_type=mfa_oob&oob=\(try talk.code(People.boPhone))&\(scope)"
            },
        ])

    static let registration = Script(
        name: "registration", app: People.strongApp,
        calls: opening(People.dan, Scene.capable) + [
            ScriptedCall("/oauth2/v2.0/token", error: "invalid_grant", suberror: "registration_required") { _ in
                "grant_type=password&\(password)&\(scope)"
            },
            ScriptedCall("/register/v1.0/introspect"),
            ScriptedCall("/register/v1.0/challenge") { _ in "challenge_type=oob&challenge_target=\(People.danNew)" },
            ScriptedCall("/register/v1.0/continue") { talk in "grant_type=oob&oob=\(try talk.code(People.danNew))" },
            ScriptedCall("/oauth2/v2.0/token") { _ in "grant_type=continuation_token&\(scope)" },
        ])

    private static let refreshing = ScriptedCall("/oauth2/v2.0/token") { talk in
        "grant_type=refresh_token&refresh_token=\(talk.refreshToken)&\(scope)"
    }

    static let refresh = Script(
        name: "refresh", app: Scene.passwordApp,
        calls: opening(People.ada) + [rightPassword, refreshing, refreshing])

    static let signOut = Script(
        name: "sign-out", app: Scene.passwordApp,
        calls: opening(People.ada) + [
            rightPassword, ScriptedCall("/oauth2/v2.0/revoke") { talk in "token=\(talk.refreshToken)" },
            ScriptedCall("/oauth2/v2.0/token", error: "invalid_grant") { talk in
                "grant_type=refresh_token&refresh_token=\(talk.refreshToken)&\(scope)"
            },
        ])
}

extension Talk {
    /// A code that is not the one that was sent.
    fileprivate func wrongCode(_ address: String) throws -> String {
        let right = try code(address)
        return right.hasSuffix("7") ? right.dropLast() + "8" : right.dropLast() + "7"
    }
}
