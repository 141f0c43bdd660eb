// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Testing
import Wire

@testable import Tenant

/// Tokens that are given back (RFC 7009).
struct RevocationTests {
    private let mira = "mira@lofoten.example"
    private let scene: Scene
    private let tokens: RawAnswer
    private var first: String { tokens.refreshToken }

    init() throws {
        scene = Scene(try TestTenant())
        tokens = try scene.signedIn(mira)
    }

    private func expectDead(_ secret: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let answer = try scene.refresh(secret)
        #expect(answer.error == "invalid_grant" && answer.code == 700_082, sourceLocation: sourceLocation)
    }

    @Test(
        "Rule 73: a refresh token that is given back ends its session",
        arguments: ["", "&token_type_hint=refresh_token", "&token_type_hint=access_token", "&token_type_hint=other"])
    func refreshTokenEndsItsSession(hint: String) throws {
        let second = try scene.refresh(first).refreshToken
        let answer = try scene.revoke(second, more: hint)
        #expect(answer.status == 200 && answer.json == .object([:]))
        #expect(answer.headers["cache-control"] == "no-store")
        try expectDead(first)
        try expectDead(second)
    }

    @Test func usedTokenEndsItToo() throws {
        let second = try scene.refresh(first).refreshToken
        let third = try scene.refresh(second).refreshToken
        #expect(try scene.revoke(first).status == 200)
        try expectDead(third)
    }

    @Test func otherSessionsLiveOn() throws {
        let other = try scene.signIn(mira).refreshToken
        #expect(try scene.revoke(first).status == 200)
        #expect(try scene.refresh(other).status == 200)
    }

    /// There is nothing that the client could do about them.
    @Test("Rule 73: what is no token, or none any more, is as good as revoked")
    func whatIsNoTokenAnyMoreIsAsGoodAsRevoked() throws {
        for _ in 1...2 { #expect(try scene.revoke(first).status == 200) }
        for text in ["nonsense", "a.b.c", "..", "\(first)x", "eyJhbGciOiJub25lIn0.e30."] {
            let answer = try scene.revoke(text)
            #expect(answer.status == 200 && answer.json == .object([:]), "\(text)")
        }
        let other = try scene.signIn(mira)
        #expect(try scene.tenant.provider.deleteAccount(mira))
        #expect(try scene.revoke(other.refreshToken).status == 200)
        scene.tenant.clock.advance(by: 365 * 86400)
        #expect(try scene.revoke(other.accessToken).status == 200, "it has expired")
    }

    @Test func forgedTokenEndsNothing() throws {
        let parts = first.split(separator: ".")
        #expect(try scene.revoke("\(parts[0]).7.\(parts[2])").status == 200)
        #expect(try scene.refresh(first).status == 200)
    }

    @Test("Rule 73: a token of another client stays as it is") func tokenOfAnotherClientStays() throws {
        let answer = try scene.revoke(first, app: Scene.codeApp)
        #expect(answer.status == 400 && answer.error == "invalid_grant")
        #expect(try scene.refresh(first).status == 200)
        #expect(try scene.revoke(first, app: Scene.passwordApp.uppercased()).status == 200)
    }

    @Test func signedTokensCannotBeRevoked() throws {
        for text in [tokens.accessToken, tokens["id_token"]?.string ?? ""] {
            let answer = try scene.revoke(text)
            #expect(answer.status == 400 && answer.error == "unsupported_token_type")
        }
        #expect(try scene.refresh(first).status == 200)
    }

    @Test func requestHasToSayWhoAsksForWhat() throws {
        #expect(try scene.revoke("").error == "invalid_request")
        #expect(try scene.caller.post("/oauth2/v2.0/revoke", "token=\(first)").error == "invalid_request")
        #expect(try scene.revoke(first, app: "nobody").error == "unauthorized_client")
        #expect(try scene.caller.get("/oauth2/v2.0/revoke").status == 405)
        #expect(try scene.refresh(first).status == 200)
    }

    /// Whichever comes first: after the answer to the revocation, nothing of the session is worth anything.
    @Test("Rule 72: after a revocation among refreshes nothing of the session works")
    func revocationAndRefreshesAtOnce() async throws {
        for _ in 0..<20 {
            let secret = try scene.signIn(mira).refreshToken
            let answers = try await withThrowingTaskGroup(of: RawAnswer.self) { group in
                for number in 0..<8 {
                    group.addTask { number == 4 ? try scene.revoke(secret) : try scene.refresh(secret) }
                }
                return try await group.reduce(into: [RawAnswer]()) { $0.append($1) }
            }
            for answer in answers where !answer.refreshToken.isEmpty { try expectDead(answer.refreshToken) }
            try expectDead(secret)
        }
    }

    /// The answer that strict tenants keep for a minute goes with the session.
    @Test func keptAnswerIsGone() throws {
        let scene = Scene(try TestTenant { $0.refreshTokenReuse = .strict })
        let first = try scene.signedIn(mira).refreshToken
        let second = try scene.refresh(first).refreshToken
        #expect(try scene.revoke(second).status == 200)
        #expect(try scene.refresh(first).code == 700_082)
    }
}
