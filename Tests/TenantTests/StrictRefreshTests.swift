// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Testing
import Wire

@testable import Tenant

/// Refresh tokens that work once: a second use ends the session, unless it is the same request, whose answer was lost.
struct StrictRefreshTests {
    private let mira = "mira@lofoten.example"
    private let scene: Scene
    private let first: String

    init() throws {
        scene = Scene(try TestTenant { $0.refreshTokenReuse = .strict })
        first = try scene.signedIn(mira).refreshToken
    }

    /// Another request with the same token.
    private func otherRefresh(_ secret: String, _ number: Int = 1) throws -> RawAnswer {
        try scene.token("grant_type=refresh_token&refresh_token=\(secret)&n=\(number)")
    }

    private func expectDead(_ answer: RawAnswer, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(answer.status == 400 && answer.error == "invalid_grant", sourceLocation: sourceLocation)
        #expect(answer.code == 700_082 && answer.refreshToken.isEmpty, sourceLocation: sourceLocation)
    }

    @Test func everyRefreshGivesTheNextToken() throws {
        var seen = [first]
        for _ in 0..<5 {
            let answer = try scene.refresh(seen.last ?? "")
            #expect(answer.status == 200 && !seen.contains(answer.refreshToken))
            seen.append(answer.refreshToken)
        }
    }

    @Test func secondUseEndsTheSession() throws {
        let second = try scene.refresh(first).refreshToken
        expectDead(try otherRefresh(first))
        for secret in [first, second] {
            expectDead(try scene.refresh(secret))
            expectDead(try otherRefresh(secret))
        }
    }

    @Test func otherSessionsLiveOn() throws {
        let other = try scene.signIn(mira).refreshToken
        _ = try scene.refresh(first)
        expectDead(try otherRefresh(first))
        #expect(try scene.refresh(other).status == 200)
    }

    @Test func lostAnswerIsFetchedByTheSameRequestForAMinute() throws {
        let answer = try scene.refresh(first)
        scene.tenant.clock.advance(by: 60)
        let again = try scene.refresh(first)
        #expect(again.status == 200 && again.body == answer.body)
        #expect(try scene.refresh(answer.refreshToken).status == 200, "it has cost the session nothing")
    }

    @Test func sameRequestLaterEndsTheSession() throws {
        let second = try scene.refresh(first).refreshToken
        scene.tenant.clock.advance(by: 61)
        expectDead(try scene.refresh(first))
        expectDead(try scene.refresh(second))
    }

    @Test func onlyTheLastAnswerIsKept() throws {
        let second = try scene.refresh(first).refreshToken
        let third = try scene.refresh(second).refreshToken
        expectDead(try scene.refresh(first))
        expectDead(try scene.refresh(third))
    }

    @Test func lostAnswerIsNotForDisabledAccounts() throws {
        _ = try scene.refresh(first)
        #expect(try scene.tenant.provider.changeAccount(mira) { $0.isDisabled = true })
        #expect(try scene.refresh(first).code == 50057)
    }

    @Test func lostAnswerSurvivesARestart() throws {
        let answer = try scene.refresh(first)
        try scene.tenant.restart()
        #expect(try scene.refresh(first).body == answer.body)
    }

    /// Without `offline_access` no new token goes out, so the old one stays good.
    @Test func tokenIsSpentOnlyForAnother() throws {
        for _ in 0..<3 {
            let answer = try scene.refresh(first, scope: "scope=openid")
            #expect(answer.status == 200 && answer.refreshToken.isEmpty)
        }
        #expect(try !scene.refresh(first).refreshToken.isEmpty)
    }

    @Test func refusedRequestSpendsNothing() throws {
        #expect(try scene.refresh(first, scope: "scope=nonsense").error == "invalid_scope")
        expectDead(try scene.refresh(first, app: Scene.codeApp))
        #expect(try scene.refresh(first).status == 200)
    }

    /// A token that was forged is no used one, and ends nobody's session.
    @Test func forgedTokenEndsNothing() throws {
        let second = try scene.refresh(first).refreshToken
        let parts = second.split(separator: ".")
        expectDead(try scene.refresh("\(parts[0]).1.\(parts[2])"))
        #expect(try scene.refresh(second).status == 200)
    }

    @Test("Rule 71: of many uses one wins, and the others end the session")
    func oneOfManyUsesWinsAndTheOthersEndTheSession() async throws {
        let answers = try await withThrowingTaskGroup(of: RawAnswer.self) { group in
            for number in 0..<64 { group.addTask { try otherRefresh(first, number) } }
            return try await group.reduce(into: [RawAnswer]()) { $0.append($1) }
        }
        let winners = answers.filter { $0.status == 200 }
        #expect(winners.count == 1 && answers.count { $0.code == 700_082 } == 63)
        expectDead(try scene.refresh(winners.first?.refreshToken ?? ""))
    }

    @Test func sameRequestManyTimesAtOnceHasOneEffect() async throws {
        let answers = try await withThrowingTaskGroup(of: RawAnswer.self) { group in
            for _ in 0..<64 { group.addTask { try scene.refresh(first) } }
            return try await group.reduce(into: [RawAnswer]()) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0.status == 200 } && Set(answers.map(\.body)).count == 1)
        #expect(try scene.refresh(answers.first?.refreshToken ?? "").status == 200)
    }
}
