// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import Testing

/// A shop whose customers sign in at the pages of a tenant in test mode, where addresses in `shop.test` have a known code.
struct Shop {
    static let code = "12345678"
    private static let clientID = "0d6e0b2e-6a0c-4a52-9d0c-3f4a5b6c7d8e"

    let home: Home
    let tenant: ServedTenant

    /// - Parameters:
    ///   - method: What accounts prove themselves by.
    ///   - settings: More members of the app's registration.
    static func open(_ home: Home, method: String = "password", settings: String = "") async throws -> Shop {
        let extra = "extension_77a1c0de77a1c0de77a1c0de77a1c0de"
        try await home.setFlow(
            """
            {"name": "shop", "method": "\(method)", "attributes": [
             {"name": "displayName"},
             {"name": "country", "page": 2},
             {"name": "postalCode", "regex": "[0-9]{4}", "page": 2},
             {"name": "\(extra)_newsletter", "type": "boolean", "page": 2, "required": false},
             {"name": "\(extra)_size", "choices": ["S", "M", "L"], "page": 2},
             {"name": "\(extra)_colours", "choices": ["Blue", "Red"], "takes_several": true, "page": 2}]}
            """)
        let app = """
            {"client_id": "\(clientID)", "name": "Fjord shop", "flow": "shop", \(settings)
             "redirect_uris": ["http://127.0.0.1", "http://127.0.0.1/done"]}
            """
        try await home.succeed("tenant", "app", "set", try home.write("app.json", app))
        return Shop(home: home, tenant: try await home.serve("--unsafe-test-mode"))
    }

    /// Where the shop sends the browser of a customer. It comes back to an address at which nobody does anything.
    func address(_ more: [String: String] = [:]) -> String {
        var parts = URLComponents(string: tenant.url + "/oauth2/v2.0/authorize") ?? URLComponents()
        let fields = [
            "client_id": Self.clientID, "response_type": "code", "redirect_uri": done, "scope": "openid",
            "state": "s", "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
            "code_challenge_method": "S256",
        ].merging(more) { $1 }
        parts.queryItems = fields.map { URLQueryItem(name: $0.key, value: $0.value) }
        return parts.string ?? ""
    }

    private var done: String {
        var parts = URLComponents(string: tenant.url) ?? URLComponents()
        parts.path = "/done"
        return parts.string ?? ""
    }

    /// The codes of a device that wants to sign in.
    func device() async throws -> [String: Any] {
        try object(
            await home.curl(
                tenant.url + "/oauth2/v2.0/devicecode", "-d", "client_id=\(Self.clientID)", "-d", "scope=openid"))
    }

    /// An account, made at the pages.
    func signUp(_ username: String, in browser: Chromium) async throws {
        try await browser.go(to: address(["prompt": "create"]))
        try await browser.fill("username", username)
        try await browser.press("Next")
        try await browser.fill("code", Self.code)
        try await browser.press("Next")
        if try await browser.title == "Choose a password" {
            try await browser.fill("password", Home.password)
            try await browser.fill("again", Home.password)
            try await browser.press("Next")
        }
        try await browser.fill("attribute-0", "Ada")
        try await browser.press("Next")
        try await fillIn(browser)
        try await browser.press("Next")
    }

    /// The second page of attributes.
    func fillIn(_ browser: Chromium) async throws {
        try await browser.fill("attribute-0", "Norway")
        try await browser.fill("attribute-1", "8392")
        try await browser.fill("attribute-3", "M")
        try await browser.script("document.getElementById('attribute-4-1').click()")
    }

    /// How many mails there were to an address.
    func mails(to address: String) async throws -> Int {
        try await home.succeed("tenant", "inbox", "--to", address).components(separatedBy: "\nTo: ").count - 1
    }
}
