// SPDX-License-Identifier: Apache-2.0

import Foundation
import Tenant
import Wire

/// Whatever is sent to the pages of the sign-in, line after line a form: what comes back is a page that runs nothing, in which
/// nothing of what was typed is more than text, or it leads to the app's own address.
final class PageProperties: Sendable {
    private static let redirect = "http://127.0.0.1:4711"
    private static let steps = "/local/oauth2/v2.0/authorize/step"
    /// Of 32 forms a person is through with everything.
    private static let longest = 32
    private let tenant: IdentityProvider
    private let folder: URL

    init() throws(Violation) {
        folder = FileManager.default.temporaryDirectory.appending(path: "nativeauth-pages-\(UUID().uuidString)")
        guard let made = try? Self.make(in: folder.path) else { throw Violation("there is no tenant") }
        // Addresses below .test have a known code, so that forms can go on behind it.
        tenant = made.inTestMode()
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// A tenant whose time stands still, and whose password hashes cost little.
    private static func make(in path: String) throws -> IdentityProvider {
        let now = Date(timeIntervalSince1970: 1_780_000_000)
        func open() throws -> IdentityProvider {
            try TenantFolder(path: path).open(name: "local", origin: "http://127.0.0.1:8400", cores: 2) { now }
        }
        let first = try open()
        var settings = first.currentSettings
        settings.hashMemory = 256
        settings.hashPasses = 1
        try first.save(settings)
        return try open()
    }

    func check(_ bytes: [UInt8]) throws(Violation) {
        let form = Form([
            "client_id": AppRegistration.passwordSampleID, "redirect_uri": Self.redirect, "response_type": "code",
            "scope": "openid", "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
            "code_challenge_method": "S256",
        ])
        let query = String(decoding: form.body, as: UTF8.self)
        var page = try look(
            at: tenant.answer(Request(method: "GET", path: "/local/oauth2/v2.0/authorize", query: query)))
        guard let cookie = page.cookie else { throw Violation("a browser gets no cookie") }
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).prefix(Self.longest) {
            guard let token = page.token else { return }
            let body = Array("page=\(token)&".utf8) + line
            page = try look(
                at: tenant.answer(
                    Request(method: "POST", path: Self.steps, headers: ["cookie": cookie], body: body)))
        }
    }

    private struct Seen {
        var token: String?
        var cookie: String?
    }

    private func look(at answer: Answer) throws(Violation) -> Seen {
        try require([200, 303, 400, 403, 429].contains(answer.status), "the status is \(answer.status)")
        let policy = answer.headers["content-security-policy"] ?? ""
        try require(policy.hasPrefix("default-src 'none'; style-src 'sha256-"), "the policy is '\(policy)'")
        try require(!policy.contains("unsafe") && !policy.contains("\n"), "the policy is '\(policy)'")
        if let location = answer.headers["location"] {
            try require(answer.status == 303 && location.hasPrefix(Self.redirect + "?"), "it leads to \(location)")
        }
        let text = String(decoding: answer.body, as: UTF8.self)
        try require(text.utf8.elementsEqual(answer.body), "the page is no UTF-8")
        let tags = try PageReader.tags(of: text)
        for form in tags where form.name == "form" {
            try require(form.attributes["action"] == Self.steps, "a form goes to \(form.attributes)")
        }
        let token = tags.first { $0.attributes["name"] == "page" }?.attributes["value"]
        return Seen(token: token, cookie: answer.headers["set-cookie"]?.split(separator: ";").first.map(String.init))
    }
}
