// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Testing
import Wire

@testable import Tenant

/// Sign-out that an app starts in a browser (OpenID Connect RP-Initiated Logout 1.0).
struct LogoutTests {
    private let mira = "mira@lofoten.example"
    private let goal = "https://shop.example/bye"
    private let coded = "https%3A%2F%2Fshop.example%2Fbye"
    private let scene: Scene
    private let tokens: RawAnswer
    private var hint: String { tokens["id_token"]?.string ?? "" }

    init() throws {
        scene = Scene(try TestTenant())
        try scene.change { app in
            app.logoutRedirects = ["https://shop.example/bye", "msal.shop://bye?x=1"]
            app.name = "Shop <b>"
        }
        tokens = try scene.signedIn(mira)
    }

    private func logout(_ parameters: String, post: Bool = false) throws -> RawAnswer {
        post
            ? try scene.caller.post("/oauth2/v2.0/logout", parameters)
            : try scene.caller.get("/oauth2/v2.0/logout" + (parameters.isEmpty ? "" : "?" + parameters))
    }

    private func text(_ answer: RawAnswer) -> String { String(decoding: answer.body, as: UTF8.self) }

    private func isSignedIn(_ secret: String? = nil) throws -> Bool {
        try scene.refresh(secret ?? tokens.refreshToken).status == 200
    }

    private func expectPage(_ answer: RawAnswer, _ status: Int = 200, _ location: SourceLocation = #_sourceLocation) {
        #expect(answer.status == status, sourceLocation: location)
        #expect(answer.headers["content-type"] == "text/html; charset=utf-8", sourceLocation: location)
        let policy = answer.headers["content-security-policy"] ?? ""
        for part in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"] {
            #expect(policy.contains(part), sourceLocation: location)
        }
        #expect(!policy.contains("script") && !policy.contains("unsafe"), sourceLocation: location)
        #expect(answer.headers["x-frame-options"] == "DENY", sourceLocation: location)
        #expect(answer.headers["referrer-policy"] == "no-referrer", sourceLocation: location)
        #expect(answer.headers["cache-control"] == "no-store", sourceLocation: location)
        #expect(answer.headers["location"] == nil, sourceLocation: location)
        #expect(!text(answer).lowercased().contains("<script"), sourceLocation: location)
    }

    @Test("Rule 76: the session of the ID token is ended, and the browser sent to a registered address alone")
    func ends() throws {
        let other = try scene.signIn(mira).refreshToken
        let answer = try logout("id_token_hint=\(hint)&post_logout_redirect_uri=\(coded)&state=a%26b+c")
        #expect(answer.status == 303)
        #expect(answer.headers["location"] == goal + "?state=a%26b+c")
        #expect(answer.headers["content-security-policy"] != nil)
        #expect(try !isSignedIn())
        #expect(try isSignedIn(other), "other sessions live on")
        let events = try scene.tenant.provider.auditTrail().filter { $0.event.kind == .logout }
        #expect(events.count == 1 && events.first?.event.clientID == Scene.passwordApp)
    }

    @Test("a form does the same, and without a state none is added")
    func form() throws {
        let answer = try logout("id_token_hint=\(hint)&post_logout_redirect_uri=\(coded)", post: true)
        #expect(answer.status == 303 && answer.headers["location"] == goal)
        #expect(try !isSignedIn())
    }

    @Test("a state is put behind the parameters that an address has")
    func query() throws {
        let answer = try logout("id_token_hint=\(hint)&post_logout_redirect_uri=msal.shop%3A%2F%2Fbye%3Fx%3D1&state=s")
        #expect(answer.headers["location"] == "msal.shop://bye?x=1&state=s")
    }

    @Test(
        "Rule 76: to no other address, however close",
        arguments: [
            "https%3A%2F%2Fshop.example%2Fbye%2F", "https%3A%2F%2Fshop.example%2Fbye%3Fx", "https%3A%2F%2Fevil.example",
            "https%3A%2F%2FSHOP.example%2Fbye", "javascript%3Aalert(1)", "%2F%2Fevil.example",
        ])
    func unregistered(address: String) throws {
        let answer = try logout("id_token_hint=\(hint)&post_logout_redirect_uri=\(address)&state=s")
        expectPage(answer)
        #expect(text(answer).contains("not registered") && !text(answer).contains("evil"))
        #expect(try !isSignedIn(), "that much was asked for, and proven")
    }

    @Test("Rule 76: a hint may have expired, but its signature has to hold, and its client")
    func hints() throws {
        let parts = hint.split(separator: ".")
        let forged = Issuer.stranger.idToken()
        for wrong in ["x", "a.b.c", "\(parts[0]).\(parts[1]).AAAA", forged, tokens.accessToken, tokens.refreshToken] {
            expectPage(try logout("id_token_hint=\(wrong)&post_logout_redirect_uri=\(coded)"), 400)
        }
        expectPage(try logout("id_token_hint=\(hint)&client_id=\(Scene.codeApp)"), 400)
        #expect(try isSignedIn())
        scene.tenant.clock.advance(by: 7200)
        expectPage(try logout("id_token_hint=\(hint)&client_id=\(Scene.passwordApp.uppercased())"))
        #expect(try !isSignedIn())
        expectPage(try logout("id_token_hint=\(hint)"))
    }

    @Test("Rule 76: without a hint nothing is ended, and a page says so")
    func confirmation() throws {
        for post in [false, true] {
            let bare = try logout("", post: post)
            expectPage(bare)
            #expect(!text(bare).contains("href"))
            let named = try logout(
                "client_id=\(Scene.passwordApp)&post_logout_redirect_uri=\(coded)&state=%22%3E%3Cscript%3E", post: post)
            expectPage(named)
            #expect(text(named).contains(#"href="https://shop.example/bye?state=%22%3E%3Cscript%3E""#))
            #expect(text(named).contains("Back to Shop &lt;b&gt;"))
            let stranger = try logout(
                "client_id=\(Scene.passwordApp)&post_logout_redirect_uri=https%3A%2F%2Fevil.example")
            #expect(!text(stranger).contains("evil"))
        }
        #expect(try isSignedIn())
    }

    @Test("what cannot be understood is refused")
    func malformed() throws {
        for query in ["id_token_hint=%zz", "client_id=a&client_id=b", "state=%ff"] {
            expectPage(try logout(query), 400)
            expectPage(try logout(query, post: true), 400)
        }
        #expect(try scene.caller.answer("PUT", "/oauth2/v2.0/logout", [:], "").status == 405)
    }

    @Test(
        "only addresses that a browser may be sent to can be registered",
        arguments: [
            ("https://shop.example/bye", true), ("http://127.0.0.1:3000/", true), ("http://localhost/", true),
            ("msal.shop://bye", true), ("http://shop.example/", false), ("javascript:alert(1)", false),
            ("data:text/html,x", false), ("https://shop.example/#x", false), ("msal.shop://b#x", false), ("", false),
            ("/bye", false), ("https://a@shop.example/", false), ("a.b:\"x", false),
        ])
    func registrable(address: String, isAllowed: Bool) {
        var app = AppRegistration(clientID: Scene.passwordApp, name: "Shop", userFlow: nil)
        app.logoutRedirects = [address]
        #expect((app.problem == nil) == isAllowed)
    }
}
