// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Testing
import Wire

@testable import Tenant

/// Many requests at once have the effect of some order of them.
struct ConcurrencyTests {
    private let mira = "mira@lofoten.example"

    /// Runs the requests on several tasks at once.
    private func together(_ count: Int, _ request: @escaping @Sendable (Int) throws -> RawAnswer) async throws
        -> [RawAnswer]
    {
        try await withThrowingTaskGroup(of: RawAnswer.self) { group in
            for number in 0..<count { group.addTask { try request(number) } }
            return try await group.reduce(into: [RawAnswer]()) { $0.append($1) }
        }
    }

    /// The bodies differ, or the repeated request would rightly get the first one's answer.
    @Test("Rule 7: of 64 right codes at once one counts") func oneOfManyRightCodesCounts() async throws {
        let scene = Scene(try TestTenant())
        let sent = try scene.codeSent(mira)
        let proof = "grant_type=oob&oob=\(try scene.code(mira))"
        let answers = try await together(64) { try scene.proceed(sent.token, proof + "&n=\($0)") }
        #expect(answers.count { $0.error == "credential_required" } == 1)
        #expect(answers.count { $0.error == "invalid_grant" && $0.code == 55200 } == 63)
    }

    @Test("Rule 22: requests of one flow run one after the other, and a repeated one has one effect")
    func sameRequestManyTimesHasOneEffect() async throws {
        let scene = Scene(try TestTenant())
        let opened = try scene.start(mira)
        let answers = try await together(32) { _ in try scene.signUpChallenge(opened.token) }
        #expect(Set(answers.map(\.token)).count == 1)
        #expect(answers.allSatisfy { $0.status == 200 })
        #expect(try scene.tenant.mails(to: mira) == 1)
    }

    /// Five comparisons, and not one more, whatever the guesses' number.
    @Test("Rule 5: of 200 guesses at once five are compared") func fiveOfManyGuessesAreCompared() async throws {
        let scene = Scene(try TestTenant())
        let sent = try scene.codeSent(mira)
        let right = try #require(Int(try scene.code(mira)))
        let answers = try await together(200) { number in
            let guess = (right + 1 + number) % 100_000_000
            let text = String(repeating: "0", count: 8 - String(guess).count) + String(guess)
            return try scene.proceed(sent.token, "grant_type=oob&oob=\(text)")
        }
        #expect(answers.allSatisfy { $0.suberror == "invalid_oob_value" })
        let attempts = try scene.tenant.provider.database.transaction { connection in
            try connection.rows("SELECT attempts FROM code").first?.integer(0)
        }
        #expect(attempts == 5)
        #expect(
            try scene.proceed(sent.token, "grant_type=oob&oob=\(try scene.code(mira))").suberror == "invalid_oob_value")
    }

    @Test func oneOfManySignUpsMakesTheAccount() async throws {
        let tenant = try TestTenant { $0.codesPerAddress = 1000 }
        let scene = Scene(tenant)
        var flows: [(String, String)] = []
        for _ in 0..<64 {
            tenant.clock.advance(by: 1)
            let sent = try scene.codeSent(mira, app: Scene.codeApp, "&\(Scene.country)")
            flows.append((sent.token, try scene.code(mira)))
        }
        let all = flows
        let answers = try await together(64) { number in
            try scene.proceed(all[number].0, "grant_type=oob&oob=\(all[number].1)", app: Scene.codeApp)
        }
        #expect(answers.count { $0.status == 200 && !$0.token.isEmpty } == 1)
        #expect(answers.count { $0.error == "user_already_exists" } == 63)
        let accounts = try tenant.provider.database.transaction { connection in
            try connection.rows("SELECT count(*) FROM account").first?.integer(0)
        }
        #expect(accounts == 1)
    }

    @Test("Rule 23: a flow that has ended stays ended") func oneOfManyRedemptionsCounts() async throws {
        let scene = Scene(try TestTenant())
        let done = try scene.passwordAccount(mira)
        let answers = try await together(32) { number in
            try scene.token("grant_type=continuation_token&continuation_token=\(done.token)&n=\(number)")
        }
        #expect(answers.count { $0.status == 200 } == 1)
    }

    /// A lost answer is no theft: all of them lead to the same next token.
    @Test("Rule 70: many refreshes lead to one token") func manyRefreshesLeadToOneToken() async throws {
        let scene = Scene(try TestTenant())
        var secret = try scene.signedIn(mira).refreshToken
        for _ in 0..<3 {
            let current = secret
            let answers = try await together(64) { _ in try scene.refresh(current) }
            #expect(answers.allSatisfy { $0.status == 200 })
            let next = Set(answers.map(\.refreshToken))
            #expect(next.count == 1)
            #expect(!next.contains(current))
            secret = next.first ?? ""
        }
    }

    @Test("Rule 38: 20 right passwords at once are 20 sign-ins") func parallelSignInsAllSucceed() async throws {
        let scene = Scene(try TestTenant())
        try scene.passwordAccount(mira)
        let answers = try await together(20) { _ in
            try scene.submit(password: Scene.password, try scene.challenged("mira@lofoten.example").token)
        }
        #expect(answers.allSatisfy { $0.status == 200 })
        #expect(Set(answers.map(\.refreshToken)).count == 20)
    }

    /// No wrong password is lost when many are counted at once.
    @Test("Rule 36: of many wrong passwords at once each is counted") func parallelFailuresAreAllCounted() async throws
    {
        let scene = Scene(try TestTenant())
        try scene.passwordAccount(mira)
        let token = try scene.challenged(mira).token
        let answers = try await together(30) { try scene.submit(password: "wrong-\($0)", token) }
        #expect(answers.count { $0.code == 50126 } == 10)
        #expect(answers.count { $0.code == 50053 } == 20)
    }
}
