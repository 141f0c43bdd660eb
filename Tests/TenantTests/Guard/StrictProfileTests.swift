// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import TenantTesting
import Testing
import Wire

@testable import Tenant

private let mira = "mira@lofoten.example"
/// As long, and hidden as the same text.
private let nobody = "mora@lofoten.example"

/// A tenant that tells nobody who has an account.
struct StrictProfileTests {
    private let scene: Scene

    init() throws {
        scene = Scene(
            try TestTenant {
                $0.adopt(.strict)
                $0.limitLoopback = false
                $0.resendWait = 0
                $0.codesPerAddress = 1000
            })
    }

    /// Everything of an answer but what is new in each: tokens, ids and times.
    private func masked(_ answer: RawAnswer) -> String {
        var body = String(decoding: answer.body, as: UTF8.self)
        for name in ["continuation_token", "trace_id", "correlation_id", "timestamp"] {
            guard let value = answer[name]?.string else { continue }
            body = body.replacing(value, with: String(repeating: "x", count: value.count))
        }
        let changing = ["client-request-id", "x-ms-request-id"]
        let headers = answer.headers.filter { !changing.contains($0.key) }.sorted { $0.key < $1.key }
        return "\(answer.status) \(headers) \(body)"
    }

    private func expectAlike(_ answers: [RawAnswer], _ location: SourceLocation = #_sourceLocation) {
        let texts = answers.map(masked)
        #expect(Set(texts).count == 1, "\(texts.joined(separator: "\n"))", sourceLocation: location)
    }

    // MARK: - Answers

    @Test("Rule 27: a sign-up is answered alike for an address with an account and for one without")
    func signUpsAreAlike() throws {
        try Accounts.password(mira, scene)
        let opened = try [mira, nobody].map { try scene.start($0, "&password=\(Accounts.password)&\(Scene.country)") }
        #expect(opened[0].status == 200)
        expectAlike(opened)
        let sent = try opened.map { try scene.signUpChallenge($0.token) }
        #expect(sent[0]["challenge_type"] == .string("oob"))
        expectAlike(sent)
        expectAlike(try sent.map { try scene.proceed($0.token, "grant_type=oob&oob=00000000") })
        expectAlike(try sent.map { try scene.proceed($0.token, Scene.country + "&grant_type=attributes") })
    }

    @Test("Rule 27: the owner of an account hears that somebody signed up with its address, and gets no code")
    func ownerHearsOfASignUp() throws {
        try Accounts.password(mira, scene)
        scene.tenant.clock.advance(by: 1)
        _ = try scene.codeSent(mira)
        let mail = try #require(try scene.tenant.folder.spool.messages(to: mira).first)
        #expect(mail.subject == "Somebody tried to sign up with your address")
        #expect(mail.code.isEmpty)
        #expect(try scene.tenant.mails(to: mira) == 2)
    }

    @Test(
        "Rule 27: a sign-in with a password is answered alike for a name that is nobody's, and for a disabled account")
    func passwordSignInsAreAlike() throws {
        try Accounts.password(mira, scene)
        try Accounts.password("mara@lofoten.example", scene)
        _ = try scene.tenant.provider.changeAccount("mara@lofoten.example") { $0.isDisabled = true }
        let opened = try [mira, nobody, "mara@lofoten.example"].map { try scene.initiate($0) }
        #expect(opened[0].status == 200)
        expectAlike(opened)
        let asked = try opened.map { try scene.signInChallenge($0.token) }
        #expect(asked[0]["challenge_type"] == .string("password"))
        expectAlike(asked)
        let refused = try asked.map { try scene.submit(password: "wrong", $0.token) }
        #expect(refused[0].code == 50126)
        expectAlike(refused)
        // A decoy has no right password, not even the empty one.
        #expect(try scene.submit(password: Accounts.password, asked[1].token).code == 50126)
        #expect(try scene.submit(password: Accounts.password, asked[2].token).code == 50126)
        #expect(try scene.submit(password: Accounts.password, asked[0].token).status == 200)
    }

    @Test("Rule 27: a sign-in with a code is answered alike for a name that is nobody's, who gets no mail")
    func codeSignInsAreAlike() throws {
        try Accounts.code(mira, scene)
        scene.tenant.clock.advance(by: 1)
        let names = ["Mira@lofoten.example", "Mora@lofoten.example"]
        let opened = try names.map { try scene.initiate($0, app: Scene.codeApp) }
        expectAlike(opened)
        let sent = try opened.map { try scene.signInChallenge($0.token, app: Scene.codeApp) }
        #expect(sent[0]["challenge_type"] == .string("oob"))
        expectAlike(sent)
        #expect(try scene.tenant.mails(to: nobody) == 0)
        #expect(try scene.tenant.mails(to: mira) == 2)
        let wrong = "grant_type=oob&oob=00000000&continuation_token="
        expectAlike(try sent.map { try scene.token(wrong + $0.token, app: Scene.codeApp) })
        let right = "grant_type=oob&oob=\(try scene.code(mira))&continuation_token=\(sent[0].token)"
        #expect(try scene.token(right, app: Scene.codeApp).status == 200)
    }

    @Test("Rule 27: a reset is answered alike for a name that is nobody's, and for an account without a password")
    func resetsAreAlike() throws {
        try Accounts.password(mira, scene)
        try Accounts.code("mara@lofoten.example", scene)
        // Codes go to another address of hers, which nobody is told.
        let other = try #require(Contact("a-much-longer-address@bergen.example"))
        #expect(try scene.tenant.provider.addMethod(other, to: mira))
        scene.tenant.clock.advance(by: 1)
        let opened = try [mira, nobody, "mara@lofoten.example"].map { try scene.resetStart($0) }
        #expect(opened[0].status == 200)
        expectAlike(opened)
        let sent = try opened.map { try scene.resetChallenge($0.token) }
        #expect(sent[0].status == 200)
        expectAlike(sent)
        #expect(try scene.tenant.mails(to: nobody) == 0)
        expectAlike(try sent.map { try scene.resetProceed($0.token, "00000000") })
        expectAlike(try sent.map { try scene.resetSubmit($0.token, "Midnight-Sun-Boat-48") })
        let code = try scene.code(other.text)
        #expect(try scene.resetProceed(sent[0].token, code).status == 200)
    }

    @Test("Rule 28: the profile entra tells who has an account, as the service does")
    func entraTells() throws {
        let scene = Scene(try TestTenant())
        try scene.passwordAccount(mira)
        #expect(try scene.start(mira).error == "user_already_exists")
        #expect(try scene.initiate(nobody).error == "user_not_found")
        #expect(try scene.resetStart(nobody).error == "user_not_found")
    }

    // MARK: - Lockout

    @Test(
        "Rules 30 and 33: after five failures an account closes for a second, then for twice as long, up to 15 minutes")
    func lockDoubles() throws {
        try Accounts.password(mira, scene)
        var number = 0
        func fail() throws {
            number += 1
            #expect(try scene.submit(password: "wrong-\(number)", try scene.challenged(mira).token).code == 50126)
        }
        for _ in 1...5 { try fail() }
        for seconds in [1.0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900] {
            scene.tenant.clock.advance(by: seconds - 0.5)
            // The right password is as wrong as any other, and closed is not said.
            let token = try scene.challenged(mira).token
            let isClosed = try scene.submit(password: Accounts.password, token).code == 50126
            #expect(isClosed, "\(seconds)")
            scene.tenant.clock.advance(by: 0.5)
            try fail()
        }
        scene.tenant.clock.advance(by: 900)
        #expect(try scene.submit(password: Accounts.password, try scene.challenged(mira).token).status == 200)
    }

    @Test("Rules 33 and 39: a hundred failures in a row close an account until it has a new password")
    func hundredFailuresCloseForGood() throws {
        try Accounts.password(mira, scene)
        let hasher = PasswordHasher(cores: 2, cost: PasswordCost(memory: 8, passes: 1))
        let spool = scene.tenant.folder.spool
        let provider = scene.tenant.provider.sending(hasher: hasher) { try spool.deliver($0) }
        let fast = Scene(scene.tenant, by: Caller { provider.answer($0) })
        for number in 1...100 {
            scene.tenant.clock.advance(by: 901)
            #expect(try fast.submit(password: "wrong-\(number)", try fast.challenged(mira).token).code == 50126)
        }
        scene.tenant.clock.advance(by: 86400 * 300)
        #expect(try scene.submit(password: Accounts.password, try scene.challenged(mira).token).code == 50126)
        let sent = try scene.resetChallenge(try scene.resetStart(mira).token)
        let verified = try scene.resetProceed(sent.token, try scene.code(mira))
        #expect(try scene.resetSubmit(verified.token, "Midnight-Sun-Boat-48").status == 200)
        let token = try scene.challenged(mira).token
        #expect(try scene.submit(password: "Midnight-Sun-Boat-48", token).status == 200)
    }

    // MARK: - Time

    private static let rounds = ProcessInfo.processInfo.environment["NATIVEAUTH_SOAK"] == nil ? 300 : 2000

    /// Everything is done on this thread, so its work is measured: what others do at the same time says nothing. A hash that
    /// takes milliseconds, so that a missing one would be seen and three kinds of them do not take minutes.
    @Test("Rules 29 and 30: a wrong password takes as long for nobody, and for a locked account, as for any other")
    func wrongPasswordsTakeEquallyLong() throws {
        let names = [mira, nobody, "lock@lofoten.example", "dis@lofoten.example"]
        for name in names where name != nobody { try Accounts.password(name, scene) }
        _ = try scene.tenant.provider.changeAccount(names[3]) { $0.isDisabled = true }
        let hasher = PasswordHasher(cores: 1, cost: PasswordCost(memory: 2048, passes: 1))
        let provider = scene.tenant.provider.sending(hasher: hasher) { _ in }
        let fast = Scene(scene.tenant, by: Caller { provider.answer($0) })
        try provider.database.transaction { connection in
            // As the hasher would have made it: it costs the same.
            let hash = try hasher.hash(Password(Accounts.password))
            try connection.run("UPDATE account SET password = ?", SQLValue(hash))
            try connection.run(
                "UPDATE account SET locked_until = 253402300799, failures = 50 WHERE username = ?", .text(names[2]))
        }
        var times = names.map { _ in [Double]() }
        for round in 0..<Self.rounds + 10 {
            for (index, name) in names.enumerated() {
                if round % 25 == 0 { scene.tenant.clock.advance(by: 61) }
                // The count starts anew, or the first account would be locked, too.
                _ = try provider.database.transaction { connection in
                    try connection.run(
                        "UPDATE account SET failures = 0, locked_until = 0 WHERE username = ?", .text(mira))
                }
                let token = try fast.challenged(name).token
                let start = Statistics.work()
                #expect(try fast.submit(password: "wrong-\(round)", token).code == 50126)
                if round >= 10 { times[index].append((Statistics.work() - start) * 1e3) }
            }
        }
        let medians = times.map(Statistics.median)
        for other in medians.dropFirst() { #expect(abs(other / medians[0] - 1) < 0.15, "\(medians)") }
        // Far beyond chance, and far below what a missing hash makes: 10 or more.
        for other in times.dropFirst() { #expect(Statistics.distance(times[0], other) < 4, "\(medians)") }
    }

    @Test("Rules 29 and 30: a wrong password makes as much durable for nobody, and for a locked account")
    func wrongPasswordsAreWrittenAlike() throws {
        try Accounts.password(mira, scene)
        try Accounts.password("lock@lofoten.example", scene)
        let database = scene.tenant.provider.database
        _ = try database.transaction { connection in
            try connection.run("UPDATE account SET locked_until = 253402300799 WHERE username LIKE 'lock@%'")
        }
        for name in [mira, nobody, "lock@lofoten.example"] {
            let token = try scene.challenged(name).token
            func counted() throws -> Int64 {
                try database.transaction { connection in
                    try connection.rows(
                        "SELECT CAST(coalesce(sum(count), 0) AS BIGINT) FROM throttle WHERE kind = 'wrongPasswords'"
                    )
                    .first?.integer(0) ?? 0
                }
            }
            let before = try counted()
            #expect(try scene.submit(password: "wrong", token).code == 50126)
            #expect(try scene.submit(password: "wrong", token).code == 50126)
            #expect(try counted() == before + 2, "\(name)")
        }
    }

    // MARK: - Settings

    @Test func profileGivesItsValuesWhereNoneWereChosen() throws {
        var settings = Settings(tenantID: "t", name: "n", origin: "o")
        func set(_ name: String, _ value: String) throws {
            let setting = try #require(Settings.table.first { $0.name == name })
            let change = try #require(setting.change(to: value))
            change(&settings)
        }
        let fresh = settings
        try set("lock_threshold", "10")  // chosen, although it is the default
        try set("password_minimum", "20")
        settings.codeWindow = 77  // by an earlier program
        try set("profile", "strict")
        #expect(settings.profile == .strict)
        #expect(settings.lockThreshold == 10 && settings.passwordMinimum == 20 && settings.codeWindow == 77)
        #expect(settings.lockDuration == 1 && settings.lockCeiling == 100 && settings.passwordKinds == 0)
        try set("profile", "entra")
        #expect(settings.profile == .entra)
        #expect(settings.lockThreshold == 10 && settings.passwordMinimum == 20 && settings.codeWindow == 77)
        #expect(settings.lockDuration == fresh.lockDuration && settings.lockCeiling == fresh.lockCeiling)
    }

    @Test(arguments: TenantProfile.allCases)
    func everyValueOfAProfileIsOne(_ profile: TenantProfile) throws {
        for (name, text) in profile.values {
            let setting = try #require(Settings.table.first { $0.name == name }, "\(name)")
            #expect(setting.change(to: text) != nil, "\(name)")
        }
        var settings = Settings(tenantID: "t", name: "n", origin: "o")
        settings.adopt(profile)
        for (name, text) in profile.values {
            #expect(Settings.table.first { $0.name == name }?.text(in: settings) == text, "\(name)")
        }
    }

    @Test func profileIsKeptAndTold() throws {
        try scene.tenant.restart()
        #expect(scene.tenant.provider.currentSettings.profile == .strict)
        #expect(try scene.tenant.folder.updateCard(of: scene.tenant.provider).profile == "strict")
    }
}
