// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Testing
import Wire

@testable import Tenant

private let mira = "mira@lofoten.example"
private let orders = "scope=openid+offline_access+api%3A%2F%2Fsample%2FOrders.Read"

/// Which claims tokens have, what apps are allowed, and how long tokens last.
struct ClaimTests {
    private let scene: Scene

    init() throws { scene = Scene(try TestTenant()) }

    private func claims(_ text: String?) throws -> [String: JSONValue] { try #require(JWT(text ?? "")).claims }

    private func idClaims(_ answer: RawAnswer) throws -> [String: JSONValue] { try claims(answer["id_token"]?.string) }

    // MARK: - Mappings

    @Test func appsMappingReplacesTheAttributes() throws {
        try scene.change { $0.claims = [ClaimMapping(.user, "country", as: "land")] }
        let claims = try idClaims(try scene.signedIn(mira))
        #expect(claims["land"] == .string("Norway"))
        #expect(claims["country"] == nil)
        #expect(claims["email"] == .string(mira))
        #expect(claims["preferred_username"] == .string(mira))
    }

    @Test func emptyMappingTellsNoAttribute() throws {
        try scene.change { $0.claims = [] }
        #expect(try idClaims(try scene.signedIn(mira))["country"] == nil)
    }

    @Test func mappingOfAnUnknownAttributeTellsNothing() throws {
        try scene.change {
            $0.claims = [ClaimMapping(.user, "Country", as: "land"), ClaimMapping(.user, "no", as: "x")]
        }
        let claims = try idClaims(try scene.signedIn(mira))
        #expect(claims["land"] == nil)
        #expect(claims["x"] == nil)
    }

    @Test func apisMappingIsForItsAccessTokens() throws {
        var api = Resource.sample
        api.claims = [ClaimMapping(.user, "country", as: "land")]
        try scene.tenant.provider.save(api)
        let tokens = try scene.signedIn(mira, scope: orders)
        #expect(try claims(tokens.accessToken)["land"] == .string("Norway"))
        #expect(try idClaims(tokens)["land"] == nil)
        let other = try scene.refresh(tokens.refreshToken)
        #expect(try claims(other.accessToken)["land"] == nil)
    }

    /// No mapping takes the name of a claim that says who a token is about.
    @Test(arguments: ["sub", "iss", "aud", "oid", "scp", "amr", "email"])
    func ownClaimsCannotBeMapped(_ name: String) throws {
        let mapping = [ClaimMapping(.user, "country", as: name)]
        #expect(mapping.problem != nil)
        try scene.change { $0.claims = mapping }
        #expect(try idClaims(try scene.signedIn(mira))[name] != .string("Norway"))
    }

    // MARK: - The claims request

    private func asking(_ json: String, scope: String = Scene.standardScope) throws -> RawAnswer {
        try scene.redeem(try scene.passwordAccount(mira).token + "&claims=\(json)", scope: scope)
    }

    @Test func askedClaimIsToldBesidesTheMapping() throws {
        try scene.change { $0.claims = [] }
        let tokens = try asking("%7B%22id_token%22%3A%7B%22country%22%3Anull%2C%22moon%22%3Anull%7D%7D")
        let claims = try idClaims(tokens)
        #expect(claims["country"] == .string("Norway"))
        #expect(claims["moon"] == nil)
        #expect(try self.claims(tokens.accessToken)["country"] == nil)
    }

    @Test func accessTokensCanBeAskedForClaims() throws {
        let tokens = try asking("%7B%22access_token%22%3A%7B%22country%22%3A%7B%22essential%22%3Atrue%7D%7D%7D")
        #expect(try claims(tokens.accessToken)["country"] == .string("Norway"))
    }

    @Test func refreshHasARequestOfItsOwn() throws {
        try scene.change { $0.claims = [] }
        let first = try asking("%7B%22id_token%22%3A%7B%22country%22%3Anull%7D%7D")
        #expect(try idClaims(try scene.refresh(first.refreshToken))["country"] == nil)
        let asked = try scene.refresh(
            first.refreshToken + "&claims=%7B%22id_token%22%3A%7B%22country%22%3Anull%7D%7D")
        #expect(try idClaims(asked)["country"] == .string("Norway"))
    }

    @Test(arguments: ["nonsense", "%5B%5D", "%22text%22", "7", "%7B%22id_token%22%3A7%7D"])
    func otherTextIsNoRequest(_ text: String) throws {
        let done = try scene.passwordAccount(mira)
        let refused = try scene.redeem(done.token + "&claims=\(text)")
        #expect(refused.error == "invalid_request")
        #expect(refused.code == 90100)
        #expect(try scene.redeem(done.token).status == 200)
    }

    // MARK: - Consent

    @Test(
        arguments: [
            (nil, 200), (["api://sample/Orders.Read"], 200), (["api://sample/Orders.Write"], 400), ([], 400),
        ] as [([String]?, Int)])
    func consentIsForSingleScopes(_ consented: [String]?, _ status: Int) throws {
        try scene.change { $0.consented = consented }
        let done = try scene.passwordAccount(mira)
        #expect(try scene.redeem(done.token, scope: orders).status == status)
        // The standard scopes need none, and the refusal has not used the token up.
        if status == 400 { #expect(try scene.redeem(done.token).status == 200) }
    }

    @Test func withdrawnConsentIsFeltAtTheRefresh() throws {
        let tokens = try scene.signedIn(mira, scope: orders)
        try scene.change { $0.consented = [] }
        let refused = try scene.refresh(tokens.refreshToken, scope: orders)
        #expect(refused.suberror == "consent_required")
        #expect(refused.code == 65001)
        #expect(try scene.refresh(tokens.refreshToken).status == 200)
    }

    // MARK: - Lives

    @Test(arguments: [(3600, false), (7199, nil), (7200, true), (36000, true)] as [(Int, Bool?)])
    func longLivedTokenIsToBeRenewedEarly(_ lifetime: Int, _ isTold: Bool?) throws {
        let scene = Scene(try TestTenant { $0.accessTokenLifetime = lifetime })
        let tokens = try scene.signedIn(mira)
        let life = try #require(tokens["expires_in"]?.integer)
        #expect(tokens["refresh_in"]?.integer == (life >= 7200 ? life / 2 : nil))
        if let isTold { #expect((tokens["refresh_in"] != nil) == isTold) }
    }

    @Test func accountWithCodesRefreshesForADay() throws {
        let tokens = try scene.redeem(try scene.codeAccount(mira).token, app: Scene.codeApp)
        scene.tenant.clock.advance(by: 86399)
        let next = try scene.refresh(tokens.refreshToken, app: Scene.codeApp)
        #expect(next.status == 200)
        scene.tenant.clock.advance(by: 86400)
        #expect(try scene.refresh(next.refreshToken, app: Scene.codeApp).code == 700_082)
    }
}
