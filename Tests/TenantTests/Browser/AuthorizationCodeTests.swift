// SPDX-License-Identifier: Apache-2.0

import Foundation
import TenantTesting
import Testing
import Wire

@testable import Tenant

/// The authorization code flow, from the app's request to its tokens.
struct AuthorizationCodeTests {
    private let mira = "mira@lofoten.example"
    private let scene: Scene
    private let pages: Pages

    init() throws {
        scene = Scene(try TestTenant())
        pages = Pages(scene)
        try scene.passwordAccount(mira)
    }

    @Test("a code brings tokens, with the nonce, and the answer names the issuer")
    func signsIn() throws {
        let code = try pages.signIn(mira)
        let brought = try pages.brought()
        #expect(pages.answer.status == 303)
        #expect(pages.location?.hasPrefix("http://127.0.0.1:4711?code=") == true)
        #expect(brought["state"] == "a b&c")
        #expect(brought["iss"] == scene.tenant.provider.currentSettings.issuer)
        #expect(Set(brought.keys) == ["code", "state", "iss"])
        let tokens = try pages.redeem(code)
        #expect(tokens.status == 200)
        #expect(tokens["token_type"] == .string("Bearer") && tokens["client_info"] != nil)
        let id = try #require(JWT(tokens["id_token"]?.string ?? "")).claims
        #expect(id["nonce"] == .string("n-0S6_WzA2Mj") && id["amr"] == .array([.string("pwd")]))
        #expect(id["aud"] == .string(Scene.passwordApp))
        let again = try scene.refresh(tokens.refreshToken)
        #expect(again.status == 200)
        #expect(try #require(JWT(again["id_token"]?.string ?? "")).claims["nonce"] == nil, "a refresh has no nonce")
    }

    @Test("Rule 77: a code that is used again is refused, and ends what it led to")
    func reuse() throws {
        let code = try pages.signIn(mira)
        let tokens = try pages.redeem(code)
        let second = try pages.redeem(code)
        #expect(second.status == 400 && second.error == "invalid_grant" && second.code == 54005)
        #expect(try scene.refresh(tokens.refreshToken).code == 700_082)
        #expect(try scene.tenant.provider.auditTrail().contains { $0.event.kind == .codeReuse })
    }

    @Test("Rule 77: a code is good for a minute")
    func life() throws {
        let late = try pages.signIn(mira)
        scene.tenant.clock.advance(by: 60)
        #expect(try pages.redeem(late).code == 70008)
        let early = try pages.signIn(mira)
        scene.tenant.clock.advance(by: 59)
        #expect(try pages.redeem(early).status == 200)
    }

    @Test("Rule 77: of many uses at once, one brings tokens")
    func atOnce() async throws {
        let code = try pages.signIn(mira)
        let provider = scene.tenant.provider
        let body = Form([
            "client_id": Scene.passwordApp, "grant_type": "authorization_code", "code": code,
            "redirect_uri": Pages.redirect, "code_verifier": Pages.verifier,
        ]).body
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    provider.answer(
                        Request(
                            method: "POST", path: "/local/oauth2/v2.0/token",
                            headers: ["content-type": "application/x-www-form-urlencoded"], body: body)
                    ).status
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 200 }.count == 1)
    }

    @Test(
        "Rule 77: without the secret behind the challenge there are no tokens, and the code is used up",
        arguments: [
            "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXl", Pages.challenge, "short",
            String(repeating: "a", count: 129), Pages.verifier + "=",
        ])
    func verifier(wrong: String) throws {
        let code = try pages.signIn(mira)
        let refused = try pages.redeem(code, ["code_verifier": wrong])
        #expect(refused.error == "invalid_grant" && refused.code == 501_481)
        #expect(try pages.redeem(code).code == 54005)
    }

    @Test("a code is for the app that asked, and for where it was brought to")
    func bound() throws {
        #expect(try pages.redeem(try pages.signIn(mira), ["client_id": Scene.codeApp]).code == 9_002_313)
        for other in ["http://127.0.0.1:4712", "http://127.0.0.1:4711/", "http://localhost:4711"] {
            #expect(try pages.redeem(try pages.signIn(mira), ["redirect_uri": other]).code == 500_112, "\(other)")
        }
        #expect(try pages.redeem("nonsense").error == "invalid_grant")
        for field in ["code", "redirect_uri", "code_verifier"] {
            let missing = try pages.redeem(try pages.signIn(mira), [field: nil])
            #expect(missing.error == "invalid_request" && missing.code == 90100, "\(field)")
        }
    }

    @Test("whoever is disabled, or has another password, between the pages and the tokens gets none")
    func proofEnds() throws {
        let code = try pages.signIn(mira)
        #expect(try scene.tenant.provider.changeAccount(mira) { $0.isDisabled = true })
        #expect(try pages.redeem(code).error == "invalid_grant")
    }

    @Test("Rule 17: the database holds neither a code nor the token of a form")
    func secrecy() throws {
        try pages.authorize()
        let token = pages.token
        try pages.submit(["username": mira])
        let next = pages.token
        try pages.submit(["password": Scene.password])
        let code = try #require(try pages.brought()["code"])
        let cookie = try #require(pages.cookie?.split(separator: "=").last.map(String.init))
        scene.tenant.close()
        for name in ["tenant.db", "tenant.db-wal"] {
            let path = scene.tenant.folder.path + "/" + name
            let bytes = (try? Data(contentsOf: URL(filePath: path))) ?? Data()
            for secret in [code, token, next, cookie, Scene.password] {
                #expect(!bytes.contains(secret.utf8), "\(name)")
            }
        }
    }

    @Test("an app without native authentication signs people in in a browser, refreshes and signs out")
    func browserOnly() throws {
        try scene.change { $0.nativeAuthentication = false }
        #expect(try scene.initiate(mira).error == "invalid_client")
        let tokens = try pages.redeem(try pages.signIn(mira))
        #expect(tokens.status == 200)
        #expect(try scene.refresh(tokens.refreshToken).status == 200)
        #expect(try scene.revoke(tokens.refreshToken).status == 200)
    }

    @Test("the description names the endpoints, and what they take")
    func description() throws {
        let document = try scene.caller.get("/v2.0/.well-known/openid-configuration")
        let base = scene.tenant.provider.currentSettings.authority
        #expect(document["authorization_endpoint"] == .string(base + "/oauth2/v2.0/authorize"))
        #expect(document["device_authorization_endpoint"] == .string(base + "/oauth2/v2.0/devicecode"))
        #expect(document["response_types_supported"] == .array([.string("code")]))
        #expect(document["code_challenge_methods_supported"] == .array([.string("S256")]))
        #expect(document["authorization_response_iss_parameter_supported"] == .bool(true))
        #expect(document["request_uri_parameter_supported"] == .bool(false))
        #expect(
            document["grant_types_supported"]
                == .array(
                    ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"].map {
                        .string($0)
                    }))
    }
}

extension Data {
    fileprivate func contains(_ text: String.UTF8View) -> Bool {
        firstRange(of: Data(text)) != nil
    }
}
