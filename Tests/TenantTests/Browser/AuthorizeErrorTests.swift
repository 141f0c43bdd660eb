// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import TenantTesting
import Testing
import Wire

@testable import Tenant

/// What the authorization endpoint refuses, and who is told.
struct AuthorizeErrorTests {
    private let scene: Scene
    private let pages: Pages

    init() throws {
        scene = Scene(try TestTenant())
        pages = Pages(scene)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let change: [String: String?]
        let error: String

        init(_ name: String, _ value: String?, _ error: String) {
            change = [name: value]
            self.error = error
        }

        var testDescription: String { "\(change) \(error)" }
    }

    static let rows = [
        Row("response_type", nil, "invalid_request"), Row("response_type", "", "invalid_request"),
        Row("response_type", "token", "unsupported_response_type"),
        Row("response_type", "code id_token", "unsupported_response_type"),
        Row("response_mode", "web_message", "invalid_request"),
        Row("code_challenge", nil, "invalid_request"), Row("code_challenge", "short", "invalid_request"),
        Row("code_challenge", String(repeating: "=", count: 43), "invalid_request"),
        Row("code_challenge_method", nil, "invalid_request"), Row("code_challenge_method", "plain", "invalid_request"),
        Row("scope", nil, "invalid_request"), Row("scope", "openid https://nowhere.example/Read", "invalid_scope"),
        Row("prompt", "none", "login_required"), Row("prompt", "none login", "invalid_request"),
        Row("prompt", "dance", "invalid_request"), Row("claims", "[]", "invalid_request"),
        Row("request", "eyJ", "request_not_supported"),
        Row("request_uri", "https://a.example", "request_uri_not_supported"),
        Row("registration", "{}", "registration_not_supported"),
    ]

    @Test("the app is told by a redirect, with its state and the issuer", arguments: rows)
    func toTheApp(row: Row) throws {
        try pages.authorize(row.change)
        #expect(pages.answer.status == 303)
        #expect(pages.location?.hasPrefix(Pages.redirect + "?") == true)
        let brought = try pages.brought()
        #expect(brought["error"] == row.error)
        #expect(brought["state"] == "a b&c" && brought["iss"] == scene.tenant.provider.currentSettings.issuer)
        let words = brought["error_description"] ?? ""
        #expect(!words.isEmpty && words.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C })
        #expect(brought["code"] == nil && pages.answer.headers["cache-control"] == "no-store")
    }

    @Test(
        "a person is told where it is not certain who asks, and nothing is sent anywhere",
        arguments: [
            ["client_id": nil], ["client_id": "nobody"], ["redirect_uri": nil], ["redirect_uri": ""],
            ["redirect_uri": "https://evil.example"], ["redirect_uri": "http://127.0.0.1:4711/other"],
            ["redirect_uri": "http://127.0.0.1:4711@evil.example"], ["redirect_uri": "http://127.0.0.1.evil.example"],
            ["redirect_uri": "http://127.0.0.1:0"], ["redirect_uri": "http://127.0.0.1:99999"],
            ["redirect_uri": "http://127.0.0.2:4711"], ["redirect_uri": "https://127.0.0.1"],
            ["redirect_uri": "HTTP://127.0.0.1:4711"], ["redirect_uri": "http://127.0.0.1:4711#x"],
        ] as [[String: String?]])
    func toThePerson(change: [String: String?]) throws {
        try pages.authorize(change.merging(["prompt": "none"]) { $1 })
        #expect(pages.answer.status == 400 && pages.location == nil)
        #expect(pages.title == "This sign-in cannot begin")
        #expect(!pages.text.contains("evil") && !pages.text.contains("href"))
    }

    @Test("a parameter that occurs twice, or no text, gets a page and no redirect")
    func malformed() throws {
        for query in [Pages.query() + "&state=x", Pages.query() + "&x=%zz", Pages.query() + "&x=%ff"] {
            try pages.open("/oauth2/v2.0/authorize?" + query)
            #expect(pages.answer.status == 400 && pages.location == nil)
        }
        #expect(try scene.caller.answer("PUT", "/oauth2/v2.0/authorize", [:], "").status == 405)
        #expect(try scene.caller.get("/oauth2/v2.0/authorize/step").status == 405)
    }

    @Test("an app without addresses, and one that keeps a secret, sign nobody in")
    func apps() throws {
        try scene.change { $0.redirects = nil }
        try pages.authorize()
        #expect(pages.answer.status == 400)
        try scene.change {
            $0.redirects = RedirectAddress.samples
            $0.isPublicClient = false
        }
        try pages.authorize()
        #expect(pages.answer.status == 400)
    }

    @Test("a scope that nobody consented to is refused before anybody signs in")
    func consent() throws {
        try scene.change { $0.consented = [] }
        try pages.authorize(["scope": "openid api://sample/Orders.Read"])
        #expect(try pages.brought()["error_description"]?.hasPrefix("AADSTS65001") == true)
    }

    @Test("the answer goes behind the mark that the app asks for")
    func modes() throws {
        try pages.authorize(["prompt": "none", "response_mode": "fragment"])
        #expect(pages.location?.hasPrefix(Pages.redirect + "#error=login_required") == true)
        try pages.authorize(["prompt": "none", "response_mode": "form_post"])
        #expect(pages.answer.status == 200 && pages.location == nil)
        #expect(pages.text.contains(#"<form method="post" action="http://127.0.0.1:4711">"#))
        #expect(pages.text.contains(#"<input type="hidden" name="state" value="a b&amp;c">"#))
        #expect(pages.answer.headers["content-security-policy"]?.contains("'self' http://127.0.0.1:4711;") == true)
        try scene.change { $0.redirects = ["https://shop.example/in?x=1", "msauth.shop://auth"] }
        try pages.authorize(["prompt": "none", "redirect_uri": "https://shop.example/in?x=1"])
        #expect(pages.location?.hasPrefix("https://shop.example/in?x=1&error=") == true)
        try pages.authorize(["redirect_uri": "msauth.shop://auth"])
        #expect(pages.answer.headers["content-security-policy"]?.contains("form-action 'self' msauth.shop:;") == true)
    }

    @Test(
        "a loopback address has any port, and all else is compared byte by byte",
        arguments: [
            ("http://127.0.0.1:1", "http://127.0.0.1", true), ("http://[::1]:80/a", "http://[::1]/a", true),
            ("http://localhost:65535/a?b", "http://localhost:1/a?b", true),
            ("http://127.0.0.1", "http://localhost", false),
            ("http://127.0.0.1:1/", "http://127.0.0.1", false), ("https://a.example:444/", "https://a.example/", false),
            ("https://a.example/%41", "https://a.example/A", false),
            ("http://127.0.0.1:65536", "http://127.0.0.1", false),
            ("http://127.0.0.1:+1", "http://127.0.0.1", false), ("http://127.0.0.1x", "http://127.0.0.1", false),
            ("https://a.example/\u{E9}", "https://a.example/e\u{301}", false),
        ])
    func matching(asked: String, registered: String, isRegistered: Bool) {
        #expect(RedirectAddress.isRegistered(asked, among: ["https://other.example", registered]) == isRegistered)
    }

    @Test(
        "only what a browser may be sent to can be registered",
        arguments: [
            ("https://shop.example/in", true), ("http://127.0.0.1", true), ("http://localhost/a", true),
            ("msauth.shop://auth", true), ("msal5a3d1e00://auth", true), ("http://shop.example", false),
            ("javascript:alert(1)", false), ("data:text/html,x", false), ("https://shop.example/#a", false),
            ("", false),
            ("shop://auth", false), ("https://shop.example/\r\nx: y", false),
        ])
    func registrable(address: String, isAllowed: Bool) {
        var app = AppRegistration(clientID: Scene.passwordApp, name: "Shop", userFlow: nil)
        app.redirects = [address]
        #expect((app.problem == nil) == isAllowed)
    }
}
