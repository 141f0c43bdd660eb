// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Testing
import Wire

@testable import Tenant

private let mira = "mira@lofoten.example"

/// Each number and switch that a tenant's owner may change is changed, and has its effect.
struct ConfigurableTests {
    struct Line: Sendable, CustomTestStringConvertible {
        let name: String
        let change: @Sendable (inout Settings) -> Void
        let holds: @Sendable (Scene) throws -> Bool

        init(
            _ name: String, _ change: @escaping @Sendable (inout Settings) -> Void,
            _ holds: @escaping @Sendable (Scene) throws -> Bool
        ) {
            self.name = name
            self.change = change
            self.holds = holds
        }

        var testDescription: String { name }
    }

    @Test(arguments: lines)
    func hasItsEffect(_ line: Line) throws {
        #expect(try line.holds(Scene(try TestTenant(line.change))))
    }

    /// The effect is the setting's: a tenant that has the defaults does not show it.
    @Test(arguments: lines)
    func isNotThereWithoutIt(_ line: Line) throws {
        #expect(try !line.holds(Scene(try TestTenant())))
    }

    @Test func everySettingHasALine() {
        let names = Set(Settings.limits.map(\.name) + Settings.switches.map(\.name))
        #expect(names.subtracting(Self.lines.map(\.name)) == [])
    }

    @Test func everyDefaultIsAllowed() {
        let defaults = Settings(tenantID: "a", name: "b", origin: "c")
        for limit in Settings.limits { #expect(limit.range.contains(defaults[keyPath: limit.path]), "\(limit.name)") }
    }

    private static let lines = codes + flows + lockout + lives + polls + switches

    /// Whether a sign-up's code is good after so many wrong ones and so many seconds.
    private static func isGood(_ address: String, _ scene: Scene, wrong: Int = 0, after seconds: Double = 0) throws
        -> Bool
    {
        let sent = try scene.codeSent(address)
        for number in 0..<wrong {
            _ = try scene.proceed(sent.token, "grant_type=oob&oob=\(try scene.wrongCode(address, number))")
        }
        scene.tenant.clock.advance(by: seconds)
        return try scene.proceed(sent.token, "grant_type=oob&oob=\(try scene.code(address))").error
            == "credential_required"
    }

    private static let ola = "ola@lofoten.example"

    private static let codes: [Line] = [
        Line("code_length", { $0.codeLength = 6 }) { scene in
            let sent = try scene.codeSent(mira)
            return try sent["code_length"] == .integer(6) && scene.code(mira).count == 6
        },
        Line("code_lifetime", { $0.codeLifetime = 90 }) { scene in
            try isGood(mira, scene, after: 89) && !isGood(ola, scene, after: 90)
        },
        Line("code_attempts", { $0.codeAttempts = 2 }) { scene in
            try isGood(mira, scene, wrong: 1) && !isGood(ola, scene, wrong: 2)
        },
        Line("resend_interval", { $0.resendInterval = 30 }) { try $0.codeSent(mira)["interval"] == .integer(30) },
        Line("resend_wait", { $0.resendWait = 20 }) { scene in
            let sent = try scene.codeSent(mira)
            scene.tenant.clock.advance(by: 19)
            guard try scene.signUpChallenge(sent.token).code == 701_014 else { return false }
            scene.tenant.clock.advance(by: 1)
            return try scene.signUpChallenge(sent.token).status == 200
        },
        Line("codes_per_address", { $0.codesPerAddress = 2 }) { scene in
            let second = try scene.signUpChallenge(try scene.codeSent(mira).token)
            return try second.status == 200 && scene.signUpChallenge(second.token).code == 701_014
        },
        Line("contacts_per_account", { $0.contactsPerAccount = 2 }) { scene in
            try scene.passwordAccount(mira)
            let app = try scene.strongApp()
            var due = try scene.signIn(mira, app: app, Scene.capable)
            for number in 1...2 {
                due = try scene.registerChallenge(due.token, "challenge_target=%2B479000000\(number)", app: app)
                guard due.status == 200 else { return false }
            }
            return try scene.registerChallenge(due.token, "challenge_target=%2B4790000003", app: app).code == 701_014
        },
        Line("code_window", { $0.codeWindow = 100 }) { scene in
            var answer = try scene.codeSent(mira)
            for _ in 2...5 { answer = try scene.signUpChallenge(answer.token) }
            scene.tenant.clock.advance(by: 99)
            guard try scene.signUpChallenge(answer.token).code == 701_014 else { return false }
            scene.tenant.clock.advance(by: 1)
            return try scene.signUpChallenge(answer.token).status == 200
        },
    ]

    private static let flows: [Line] = [
        Line("flow_lifetime", { $0.flowLifetime = 50 }) { scene in
            let opened = try scene.start(mira)
            scene.tenant.clock.advance(by: 49)
            let sent = try scene.signUpChallenge(opened.token)
            scene.tenant.clock.advance(by: 50)
            return try sent.status == 200 && scene.signUpChallenge(sent.token).code == 552_003
        },
        Line("flow_maximum", { $0.flowMaximum = 100 }) { scene in
            var sent = try scene.codeSent(mira)
            for _ in 1...3 {
                scene.tenant.clock.advance(by: 33)
                sent = try scene.signUpChallenge(sent.token)
            }
            scene.tenant.clock.advance(by: 1)
            return try sent.status == 200 && scene.signUpChallenge(sent.token).code == 552_003
        },
        Line("the reset's expires_in", { $0.flowLifetime = 50 }) {
            try $0.resetVerified(mira)["expires_in"] == .integer(50)
        },
        Line("replay_window", { $0.replayWindow = 5 }) { scene in
            let opened = try scene.start(mira)
            let sent = try scene.signUpChallenge(opened.token)
            scene.tenant.clock.advance(by: 5)
            guard try scene.signUpChallenge(opened.token).token == sent.token else { return false }
            scene.tenant.clock.advance(by: 1)
            return try scene.signUpChallenge(opened.token).error == "invalid_grant"
        },
        Line("requests_per_second", { $0.requestsPerSecond = 2 }) { scene in
            try (1...3).map { _ in try scene.initiate(mira).status } == [400, 400, 429]
        },
    ]

    private static let lockout: [Line] = [
        Line("lock_threshold", { $0.lockThreshold = 2 }) { scene in
            try scene.passwordAccount(mira)
            let token = try scene.challenged(mira).token
            for number in 1...2 { _ = try scene.submit(password: "wrong-\(number)", token) }
            return try scene.submit(password: Scene.password, token).code == 50053
        },
        Line("lock_duration", { $0.lockDuration = 10 }) { scene in
            try scene.passwordAccount(mira)
            let token = try scene.challenged(mira).token
            for number in 1...10 { _ = try scene.submit(password: "wrong-\(number)", token) }
            scene.tenant.clock.advance(by: 9)
            guard try scene.submit(password: Scene.password, token).code == 50053 else { return false }
            scene.tenant.clock.advance(by: 1)
            return try scene.submit(password: Scene.password, token).status == 200
        },
    ]

    /// The last second in which a refresh token is good, and the first in which it is not.
    private static func refreshes(_ scene: Scene, _ tokens: RawAnswer, app: String, within life: Double) throws -> Bool
    {
        scene.tenant.clock.advance(by: life - 1)
        let next = try scene.refresh(tokens.refreshToken, app: app)
        scene.tenant.clock.advance(by: life)
        return try next.status == 200 && scene.refresh(next.refreshToken, app: app).code == 700_082
    }

    private static let lives: [Line] = [
        Line("access_token_lifetime", { $0.accessTokenLifetime = 600 }) { scene in
            let life = try scene.signedIn(mira)["expires_in"]?.integer ?? 0
            return (600...900).contains(life)
        },
        Line("id_token_lifetime", { $0.idTokenLifetime = 60 }) { scene in
            let claims = try #require(JWT(try scene.signedIn(mira)["id_token"]?.string ?? "")).claims
            return claims["exp"]?.integer == claims["iat"]?.integer.map { $0 + 60 }
        },
        Line("refresh_token_lifetime", { $0.refreshTokenLifetime = 1000 }) { scene in
            try refreshes(scene, try scene.signedIn(mira), app: Scene.passwordApp, within: 1000)
        },
        Line("code_refresh_token_lifetime", { $0.codeRefreshTokenLifetime = 1000 }) { scene in
            let tokens = try scene.redeem(try scene.codeAccount(mira).token, app: Scene.codeApp)
            return try refreshes(scene, tokens, app: Scene.codeApp, within: 1000)
        },
    ]

    private static func looks(_ scene: Scene, _ count: Int) throws -> [String?] {
        let submitted = try scene.resetSubmitted(mira)
        return try (0..<count).map { _ in try scene.poll(submitted.token)["status"]?.string }
    }

    private static let polls: [Line] = [
        Line("polls_in_progress", { $0.pollsInProgress = 0 }) { try looks($0, 1) == ["succeeded"] },
        Line("polls_in_progress", { $0.pollsInProgress = 4 }) {
            try looks($0, 5) == Array(repeating: "in_progress", count: 4) + ["succeeded"]
        },
        Line("poll_interval", { $0.pollInterval = 7 }) {
            try $0.resetSubmitted(mira)["poll_interval"] == .integer(7)
        },
    ]

    private static let switches: [Line] = [
        Line("password_reset", { $0.passwordReset = false }) { scene in
            try scene.passwordAccount(mira)
            return try scene.resetStart(mira).code == 500_222
        },
        Line("alias_sign_in", { $0.aliasSignIn = true }) { scene in
            try scene.passwordAccount(mira)
            _ = try scene.tenant.provider.changeAccount(mira) { $0.alias = "mira.l" }
            return try scene.initiate("mira.l").status == 200
        },
        Line("no_redirect_is_invalid_request", { $0.noRedirectIsInvalidRequest = true }) { scene in
            try ["/signup/v1.0/start", "/oauth2/v2.0/initiate", "/resetpassword/v1.0/start"].allSatisfy { path in
                let answer = try scene.caller.post(
                    path, "client_id=\(Scene.passwordApp)&username=mira%40lofoten.example&challenge_type=oob")
                return answer.error == "invalid_request" && answer.code == 901_007
            }
        },
        Line("blocked_contacts", { $0.blockedContacts = ["+47*"] }) { scene in
            try scene.registrationSent(mira, "challenge_target=%2B4790000007").answer.code == 550_024
        },
    ]
}
