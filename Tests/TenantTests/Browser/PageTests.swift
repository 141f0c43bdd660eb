// SPDX-License-Identifier: Apache-2.0

import Foundation
import TenantTesting
import Testing
import Wire

@testable import Tenant

/// The pages: what they ask, in which order, and what protects them.
struct PageTests {
    private let mira = "mira@lofoten.example"
    private let scene: Scene
    private let pages: Pages

    init() throws {
        scene = Scene(try TestTenant())
        pages = Pages(scene)
    }

    // MARK: - The ways through

    @Test("a person signs up with a code, a password and attributes, and is signed in")
    func signUp() throws {
        try pages.authorize(["prompt": "create"])
        #expect(pages.title == "Create an account for Sample app (password)")
        try pages.submit(["username": " \(mira) "])
        #expect(pages.title == "Enter the code" && pages.text.contains("m***a@lo*****.example"))
        try pages.submit(["code": try scene.wrongCode(mira)])
        #expect(pages.title == "Enter the code" && pages.problem == "The code is wrong or no longer valid.")
        #expect(pages.answer.status == 400)
        let code = try scene.code(mira)
        try pages.submit(["code": " \(code.prefix(4))-\(code.dropFirst(4)) "])
        #expect(pages.title == "Choose a password")
        try pages.submit(["password": Scene.password, "again": "other"])
        #expect(pages.problem == "Enter the same password twice.")
        try pages.submit(["password": "short", "again": "short"])
        #expect(pages.problem == "The password has fewer than 8 characters.")
        try pages.submit(["password": Scene.password, "again": Scene.password])
        #expect(pages.title == "About you")
        try pages.submit(["attribute-0": "", "attribute-1": "Narvik"])
        #expect(pages.title == "About you", "a required attribute is asked for again")
        try pages.submit(["attribute-0": "Norway"])
        let tokens = try pages.redeem(try #require(try pages.brought()["code"]))
        let claims = try #require(JWT(tokens["id_token"]?.string ?? "")).claims
        #expect(claims["country"] == .string("Norway"))
        #expect(try scene.signIn(mira).status == 200, "and natively from now on")
    }

    @Test("a person with codes alone signs in with one, and may have another")
    func code() throws {
        try scene.codeAccount(mira)
        try pages.authorize(["client_id": Scene.codeApp, "login_hint": mira])
        #expect(pages.text.contains(#"value="mira@lofoten.example""#))
        scene.tenant.clock.advance(by: 1)
        try pages.submit(["username": mira])
        let first = try scene.code(mira)
        scene.tenant.clock.advance(by: 1)
        try pages.submit(["do": "again"])
        #expect(pages.title == "Enter the code" && pages.problem == nil)
        try pages.submit(["code": first])
        #expect(pages.problem != nil, "Rule 9: the former code is dead")
        try pages.submit(["code": try scene.code(mira)])
        let tokens = try pages.redeem(
            try #require(try pages.brought()["code"]), ["client_id": Scene.codeApp])
        #expect(tokens.status == 200)
    }

    @Test("a forgotten password is replaced, and all sessions are over")
    func reset() throws {
        let old = try scene.signedIn(mira).refreshToken
        try pages.authorize()
        try pages.submit(["username": mira])
        scene.tenant.clock.advance(by: 1)
        try pages.submit(["do": "reset"])
        #expect(pages.title == "Enter the code")
        try pages.submit(["code": try scene.code(mira)])
        try pages.submit(["password": Scene.password, "again": Scene.password])
        #expect(pages.problem?.contains("the one that the account has") == true)
        try pages.submit(["password": "Herring-Glacier-88", "again": "Herring-Glacier-88"])
        #expect(try pages.redeem(try #require(try pages.brought()["code"])).status == 200)
        #expect(try scene.refresh(old).status == 400)
    }

    @Test("Rule 55: a second factor is registered, and asked for after a password and after a reset")
    func secondFactor() throws {
        try scene.passwordAccount(mira)
        try scene.change { $0.multiFactor = MultiFactorPolicy(channels: [.email]) }
        try pages.authorize()
        try pages.submit(["username": mira])
        try pages.submit(["password": Scene.password])
        #expect(pages.title == "Where do second codes go?")
        try pages.submit(["contact": "+4712345678"])
        #expect(pages.problem == "This kind of method is switched off.")
        try pages.submit(["contact": "mira@fjord.example"])
        try pages.submit(["code": try scene.code("mira@fjord.example")])
        let first = try pages.redeem(try #require(try pages.brought()["code"]))
        let claims = try #require(JWT(first["id_token"]?.string ?? "")).claims
        #expect(claims["amr"] == .array(["pwd", "otp", "mfa"].map { .string($0) }))
        scene.tenant.clock.advance(by: 1)
        try pages.authorize()
        try pages.submit(["username": mira])
        try pages.submit(["password": Scene.password])
        #expect(pages.title == "Enter the code" && pages.location == nil)
        try pages.submit(["code": try scene.code("mira@fjord.example")])
        #expect(try pages.brought()["code"] != nil)
        try pages.authorize()
        try pages.submit(["username": mira])
        scene.tenant.clock.advance(by: 1)
        try pages.submit(["do": "reset"])
        try pages.submit(["code": try scene.code("mira@fjord.example")])
        try pages.submit(["password": "Herring-Glacier-88", "again": "Herring-Glacier-88"])
        #expect(pages.title == "Enter the code" && pages.location == nil)
    }

    @Test("somebody who turns back is taken there, and somebody who does not want to is the app's again")
    func turns() throws {
        try pages.authorize()
        try pages.submit(["do": "signup"])
        #expect(pages.title.hasPrefix("Create an account"))
        try pages.submit(["do": "signin"])
        #expect(pages.title.hasPrefix("Sign in"))
        try pages.submit(["do": "cancel"])
        #expect(try pages.brought()["error"] == "access_denied")
        #expect(try pages.brought()["error_description"]?.hasPrefix("AADSTS65004") == true)
    }

    // MARK: - One set of rules

    @Test("a wrong password counts as it does natively: the account is closed after ten")
    func lockout() throws {
        try scene.passwordAccount(mira)
        try pages.authorize()
        try pages.submit(["username": mira])
        for number in 0..<10 {
            try pages.submit(["password": "Wrong-Salmon-\(number)"])
            #expect(pages.problem == "The username or the password is wrong.")
        }
        try pages.submit(["password": Scene.password])
        #expect(pages.problem?.contains("locked") == true)
        #expect(try scene.signIn(mira).code == 50053)
        let failed = try scene.tenant.provider.auditTrail().filter { $0.event.kind == .signInFailed }
        #expect(failed.count >= 11)
    }

    @Test("a name that nobody has is said in one profile, and not in the other")
    func unknownName() throws {
        try pages.authorize()
        try pages.submit(["username": "nobody@lofoten.example"])
        #expect(pages.problem?.hasPrefix("There is no account") == true)
        #expect(pages.text.contains(#"value="nobody@lofoten.example""#), "it need not be typed again")
        let strict = Scene(try TestTenant { $0.adopt(.strict) })
        let discreet = Pages(strict)
        try discreet.authorize()
        try discreet.submit(["username": "nobody@lofoten.example"])
        #expect(discreet.title == "Enter your password" && discreet.problem == nil)
    }

    // MARK: - What protects the pages

    @Test("a page stands in no frame, runs nothing, and is kept nowhere")
    func headers() throws {
        try pages.authorize()
        let headers = pages.answer.headers
        let policy = try #require(headers["content-security-policy"])
        for part in [
            "default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "style-src 'sha256-",
            "form-action 'self' http://127.0.0.1:4711;",
        ] { #expect(policy.contains(part), "\(part)") }
        #expect(!policy.contains("unsafe") && !policy.contains("script"))
        #expect(headers["x-frame-options"] == "DENY" && headers["cache-control"] == "no-store")
        #expect(headers["referrer-policy"] == "same-origin" && headers["x-content-type-options"] == "nosniff")
        #expect(headers["content-type"] == "text/html; charset=utf-8")
        #expect(!pages.text.lowercased().contains("<script") && !pages.text.contains("onclick"))
        let style = try #require(policy.split(separator: "'").first { $0.hasPrefix("sha256-") })
        let sheet = try #require(pages.text.range(of: "<style>")).upperBound
        let end = try #require(pages.text.range(of: "</style>")).lowerBound
        let hash = Data(Digest.sha256(pages.text[sheet..<end].utf8)).base64EncodedString()
        #expect(style == "sha256-" + hash, "the style sheet is the one that is allowed")
    }

    @Test("a cookie ties forms to their browser: over TLS it is the host's alone")
    func cookie() throws {
        try pages.authorize()
        let set = try #require(pages.answer.headers["set-cookie"])
        #expect(set.hasPrefix("nativeauth-browser=") && set.hasSuffix("; Path=/; HttpOnly; SameSite=Lax"))
        try pages.authorize()
        #expect(pages.answer.headers["set-cookie"] == nil, "two tabs have one")
        let secure = scene.tenant.provider.served(at: "https://login.example")
        let answer = secure.answer(
            Request(method: "GET", path: "/local/oauth2/v2.0/authorize", query: Pages.query()))
        let cookie = try #require(answer.headers["set-cookie"])
        #expect(cookie.hasPrefix("__Host-nativeauth=") && cookie.contains("; Secure") && cookie.contains("; Path=/;"))
        #expect(!cookie.contains("Domain"))
    }

    @Test(
        "behind a proxy that ends TLS the cookie is that of https, for those who ask for the tenant's own address",
        arguments: [("login.example", true), ("LOGIN.example", true), ("127.0.0.1:8400", false), (nil, false)])
    func proxied(host: String?, isSecure: Bool) throws {
        let tenant = try TestTenant { $0.origin = "https://login.example" }
        var request = Request(method: "GET", path: "/local/oauth2/v2.0/authorize", query: Pages.query())
        request.headers["host"] = host
        let cookie = tenant.provider.served(at: "http://127.0.0.1:8400").answer(request).headers["set-cookie"] ?? ""
        #expect(cookie.hasPrefix(isSecure ? "__Host-nativeauth=" : "nativeauth-browser="))
        #expect(cookie.hasSuffix("; Secure") == isSecure)
    }

    @Test("a form of another browser, of another site, or of nobody, does nothing")
    func forgery() throws {
        try scene.passwordAccount(mira)
        try pages.authorize()
        let (token, own) = (pages.token, pages.cookie)
        for cookie in [
            nil, "nativeauth-browser=x", "nativeauth-browser=\(Base64URL.encode([UInt8](repeating: 7, count: 32)))",
        ] {
            pages.cookie = cookie
            try pages.submit(token: token, ["username": mira])
            #expect(pages.answer.status == 403 && pages.title == "This page is not yours")
        }
        pages.cookie = own
        for site in ["cross-site", "same-site", "none"] {
            try pages.submit(token: token, ["username": mira], ["sec-fetch-site": site])
            #expect(pages.answer.status == 403)
        }
        for guess in ["", "guess", Base64URL.encode([UInt8](repeating: 0, count: 32))] {
            try pages.submit(token: guess, ["username": mira])
            #expect(pages.answer.status == 403)
        }
        try pages.submit(token: token, ["username": mira], ["sec-fetch-site": "same-origin"])
        #expect(pages.title == "Enter your password", "and the right form is as good as before")
    }

    @Test("the token of a form is no continuation token of the protocol, and the other way round")
    func notInterchangeable() throws {
        try scene.passwordAccount(mira)
        try pages.authorize()
        #expect(try scene.submit(password: Scene.password, pages.token).status == 400)
        let native = try scene.challenged(mira).token
        try pages.submit(token: native, ["password": Scene.password])
        #expect(pages.answer.status == 403)
    }

    @Test("a form that is sent twice gives one answer, one mail and one code")
    func twice() throws {
        try scene.codeAccount(mira)
        scene.tenant.clock.advance(by: 1)
        try pages.authorize(["client_id": Scene.codeApp])
        let first = pages.token
        let before = try scene.tenant.mails(to: mira)
        try pages.submit(token: first, ["username": mira])
        let body = pages.answer.body
        try pages.submit(token: first, ["username": mira])
        #expect(pages.answer.body == body)
        #expect(try scene.tenant.mails(to: mira) == before + 1)
        let second = pages.token
        let code = try scene.code(mira)
        try pages.submit(token: second, ["code": code])
        let location = pages.location
        try pages.submit(token: second, ["code": code])
        #expect(location != nil && pages.location == location)
    }

    @Test("who goes back, or comes late, is told what to do, and begins again")
    func usedPage() throws {
        try scene.passwordAccount(mira)
        try pages.authorize()
        let first = pages.token
        try pages.submit(token: first, ["username": mira])
        try pages.submit(token: first, ["username": "other@lofoten.example"])
        #expect(pages.answer.status == 400 && pages.title == "This page has been used, or is too old")
        let link = try #require(pages.text.split(separator: "href=\"").dropFirst().first?.prefix { $0 != "\"" })
        let address = String(link).replacing("&amp;", with: "&").replacing("/local/", with: "/")
        try pages.open(address)
        #expect(pages.title.hasPrefix("Sign in to"))
        let late = pages.token
        scene.tenant.clock.advance(by: 601)
        try pages.submit(token: late, ["username": mira])
        #expect(pages.title == "This page has been used, or is too old" && pages.text.contains("Begin again"))
    }

    @Test("what people and owners write cannot become part of a page")
    func escaping() throws {
        try scene.change { $0.name = "<b onload=x>\"'" }
        try pages.authorize(["login_hint": "\"><script>alert(1)</script>"])
        #expect(!pages.text.contains("<script") && !pages.text.contains("<b onload"))
        try pages.submit(["username": "\"><script>"])
        #expect(!pages.text.contains("<script") && pages.problem != nil)
        // Each mark has an accent on it, and is no other character for a browser.
        try pages.submit(["username": "x\"\u{301} form=\u{301}'\u{301}<\u{301}>\u{301}&\u{301}"])
        let marks = "x&quot;\u{301} form=\u{301}&#39;\u{301}&lt;\u{301}&gt;\u{301}&amp;\u{301}"
        #expect(pages.text.contains("value=\"\(marks)\""))
    }

    @Test("each kind of attribute has a field of its kind")
    func fields() throws {
        let app = try scene.app(
            .code,
            [
                AttributeDefinition(name: "plan", choices: ["Basic", "Pro & more"]),
                AttributeDefinition(name: "news", choices: ["a", "b", "c"], takesSeveral: true),
                AttributeDefinition(name: "extension_123_shoeSize", type: .integer),
                AttributeDefinition(name: "agreed", type: .boolean, required: false),
            ])
        try scene.change(app) { $0.redirects = RedirectAddress.samples }
        try pages.authorize(["client_id": app, "prompt": "create"])
        try pages.submit(["username": mira])
        try pages.submit(["code": try scene.code(mira)])
        #expect(pages.text.contains(#"<option value="Pro &amp; more">"#) && pages.text.contains(">Shoe size</label>"))
        try pages.submit([
            "attribute-0": "Pro & more", "attribute-1-0": "a", "attribute-1-2": "c", "attribute-2": "x",
        ])
        #expect(pages.problem?.contains("Shoe size") == true)
        try pages.submit([
            "attribute-0": "Pro & more", "attribute-1-0": "a", "attribute-1-2": "c", "attribute-2": "44",
        ])
        let tokens = try pages.redeem(try #require(try pages.brought()["code"]), ["client_id": app])
        let claims = try #require(JWT(tokens["id_token"]?.string ?? "")).claims
        #expect(claims["plan"] == .string("Pro & more") && claims["news"] == .string("a,c"))
        #expect(claims["extension_123_shoeSize"] == .integer(44) && claims["agreed"] == .bool(false))
    }
}
