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

    /// Each server counts the requests of a second for itself.
    @Test(arguments: lines.filter { TestTenant.store != .replicas || $0.name != "requests_per_second" })
    func hasItsEffect(_ line: Line) throws {
        #expect(try line.holds(Scene(try TestTenant(line.change))))
    }

    /// The effect is the setting's: a tenant that has the defaults does not show it.
    @Test(arguments: lines)
    func isNotThereWithoutIt(_ line: Line) throws {
        #expect(try !line.holds(Scene(try TestTenant())))
    }

    @Test func everySettingHasALine() {
        let names = Settings.table.filter { setting in
            switch setting.form {
            case .number, .choice: true
            case .word, .text, .list: false
            }
        }.map(\.name)
        #expect(Set(names).subtracting(Self.lines.map(\.name)) == [])
    }

    @Test func everyDefaultIsAllowed() {
        let defaults = Settings(tenantID: "a", name: "b", origin: "c")
        for setting in Settings.table {
            #expect(setting.change(to: setting.text(in: defaults)) != nil, "\(setting.name)")
        }
    }

    private static let lines = codes + flows + limits + lockout + passwords + lives + polls + switches + mail

    /// What is on its way is left alone for as long as it may take.
    private static let mail = [
        Line("smtp_timeout", { $0.smtpTimeout = 120 }) { scene in
            let provider = scene.tenant.provider
            try provider.database.transaction { connection in
                _ = try connection.run("INSERT INTO outbox (sealed) VALUES (?)", .blob([1, 2]))
            }
            guard try provider.claimNext(IdentityProvider.channels) != nil else { return false }
            scene.tenant.clock.advance(by: 90)
            return try provider.claimNext(IdentityProvider.channels) == nil
        }
    ]

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
        Line("lock_maximum", { $0.lockMaximum = 60 }) { scene in
            try scene.passwordAccount(mira)
            let token = try scene.challenged(mira).token
            for number in 1...10 { _ = try scene.submit(password: "wrong-\(number)", token) }
            scene.tenant.clock.advance(by: 60)
            _ = try scene.submit(password: "wrong-11", token)
            scene.tenant.clock.advance(by: 60)
            return try scene.submit(password: Scene.password, token).status == 200
        },
        Line("lock_ceiling", { $0.lockCeiling = 10 }) { scene in
            try scene.passwordAccount(mira)
            let token = try scene.challenged(mira).token
            for number in 1...10 { _ = try scene.submit(password: "wrong-\(number)", token) }
            scene.tenant.clock.advance(by: 500)
            return try scene.submit(password: Scene.password, token).code == 50053
        },
    ]

    /// Somebody who is not on this machine.
    private static func remote(_ scene: Scene) -> Scene { Scene(scene.tenant, by: scene.caller.from("203.0.113.7")) }

    private static func statuses(of names: Int, _ scene: Scene) throws -> [Int] {
        try (1...names).map { try scene.initiate("person\($0)@lofoten.example").status }
    }

    private static let limits: [Line] = [
        Line("wrong_codes_per_account", { $0.wrongCodesPerAccount = 2 }) { scene in
            let sent = try scene.codeSent(mira)
            let guesses = try (0...2).map {
                try scene.proceed(sent.token, "grant_type=oob&oob=\(try scene.wrongCode(mira, $0))").status
            }
            return guesses == [400, 400, 429]
        },
        Line("failures_per_network", { $0.failuresPerNetwork = 2 }) { scene in
            try scene.passwordAccount(mira)
            let remote = remote(scene)
            let token = try remote.challenged(mira).token
            return try (1...3).map { try remote.submit(password: "wrong-\($0)", token).status } == [400, 400, 429]
        },
        Line("names_per_network", { $0.namesPerNetwork = 2 }) { try statuses(of: 3, remote($0)) == [400, 400, 429] },
        Line("codes_per_network", { $0.codesPerNetwork = 1 }) { scene in
            let remote = remote(scene)
            return try remote.codeSent(mira).status == 200 && remote.codeSent(ola).status == 429
        },
        Line("codes_per_hour", { $0.codesPerHour = 1 }) { scene in
            try scene.codeSent(mira).status == 200 && remote(scene).codeSent(ola).status == 429
        },
        Line("calls_per_flow", { $0.callsPerFlow = 2 }) { scene in
            var answer = try scene.start(mira)
            return try (1...3).map { _ in
                answer = try scene.signUpChallenge(answer.token)
                return answer.status
            } == [200, 200, 429]
        },
        Line("limit_loopback", { $0.limitLoopback = true }) { try statuses(of: 21, $0).last == 429 },
    ]

    private static func taken(_ password: String, _ scene: Scene) throws -> Bool {
        try scene.start(mira, "&password=\(password)").status == 200
    }

    private static func hashBegins(_ beginning: String, _ scene: Scene) throws -> Bool {
        try scene.passwordAccount(mira)
        let hash = try scene.tenant.provider.database.transaction { connection in
            try connection.rows("SELECT password FROM account").first?.text(0)
        }
        return hash?.hasPrefix(beginning) == true
    }

    private static let passwords: [Line] = [
        Line("password_minimum", { $0.passwordMinimum = 12 }) {
            try !taken("Fjord-47", $0) && taken("Fjord-Salmon-47", $0)
        },
        Line("password_kinds", { $0.passwordKinds = 4 }) { try !taken("Fjordsal47", $0) && taken("Fjord-sal-47", $0) },
        Line("password_unicode", { $0.passwordUnicode = true }) { try taken("Fj%C3%B8rd-Salmon-47", $0) },
        Line("password_history", { $0.passwordHistory = 0 }) { scene in
            let verified = try scene.resetVerified(mira)
            return try scene.resetSubmit(verified.token, Scene.password).status == 200
        },
        Line("password_notice", { $0.passwordNotice = true }) { scene in
            _ = try scene.resetSubmitted(mira)
            return try scene.tenant.folder.spool.messages(to: mira).contains { $0.code.isEmpty }
        },
        Line("hash_memory", { $0.hashMemory = 20480 }) { try hashBegins("$argon2id$v=19$m=20480,", $0) },
        Line("hash_passes", { $0.hashPasses = 3 }) { try hashBegins("$argon2id$v=19$m=256,t=3,", $0) },
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
        Line("key_rotation", { $0.keyRotation = 10 }) { scene in
            scene.tenant.clock.advance(by: 9 * 86400)
            guard case .array(let keys)? = try scene.caller.get("/discovery/v2.0/keys")["keys"] else { return false }
            return keys.count == 2
        },
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
