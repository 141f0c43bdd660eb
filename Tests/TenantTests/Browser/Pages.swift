// SPDX-License-Identifier: Apache-2.0

import Foundation
import TenantTesting
import Testing
import Wire

@testable import Tenant

/// A browser without scripts: it keeps cookies, and fills in the forms of pages.
final class Pages {
    static let redirect = "http://127.0.0.1:4711"
    /// RFC 7636, appendix B.
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    let scene: Scene
    var cookie: String?
    /// What the browser shows.
    private(set) var answer: RawAnswer

    init(_ scene: Scene) {
        self.scene = scene
        answer = RawAnswer(Answer(status: 0))
    }

    static func query(_ changes: [String: String?] = [:]) -> String {
        var fields: [String: String?] = [
            "client_id": Scene.passwordApp, "redirect_uri": redirect, "response_type": "code",
            "scope": "openid profile offline_access", "state": "a b&c", "nonce": "n-0S6_WzA2Mj",
            "code_challenge": challenge, "code_challenge_method": "S256",
        ]
        fields.merge(changes) { $1 }
        return String(decoding: Form(fields.compactMapValues { $0 }).body, as: UTF8.self)
    }

    var text: String { String(decoding: answer.body, as: UTF8.self) }
    var location: String? { answer.headers["location"] }

    /// The heading of the page.
    var title: String { between("<h1>", "</h1>") ?? "" }
    /// What was wrong, if the page says so.
    var problem: String? { between("role=\"alert\">", "</p>") }
    /// The token of the form.
    var token: String { between("name=\"page\" value=\"", "\"") ?? "" }

    private func between(_ start: String, _ end: String) -> String? {
        guard let from = text.range(of: start), let to = text[from.upperBound...].range(of: end) else { return nil }
        return String(text[from.upperBound..<to.lowerBound])
    }

    private var headers: [String: String] { cookie.map { ["cookie": $0] } ?? [:] }

    private func note(_ answer: RawAnswer) {
        self.answer = answer
        if let set = answer.headers["set-cookie"] { cookie = String(set.prefix { $0 != ";" }) }
    }

    /// Goes to an address of the tenant.
    func open(_ path: String) throws {
        note(try scene.caller.get(path, headers))
    }

    /// Goes to the authorization endpoint.
    func authorize(_ changes: [String: String?] = [:]) throws {
        try open("/oauth2/v2.0/authorize?" + Self.query(changes))
    }

    /// Submits the form of the page.
    func submit(_ fields: [String: String] = [:], _ more: [String: String] = [:]) throws {
        try submit(token: token, fields, more)
    }

    func submit(token: String, _ fields: [String: String], _ more: [String: String] = [:]) throws {
        let form = Form(fields.merging(["page": token]) { $1 })
        note(
            try scene.caller.post(
                "/oauth2/v2.0/authorize/step", String(decoding: form.body, as: UTF8.self),
                headers.merging(more) { $1 }))
    }

    /// The parameters that the browser brings back to the app.
    func brought() throws -> [String: String] {
        let location = try #require(location, "\(title): \(problem ?? "")")
        let query = location.split(separator: "?", maxSplits: 1).last ?? ""
        return try Form(body: Array(query.utf8)).fields
    }

    /// Signs in with the password, as far as the code.
    func signIn(_ address: String, _ changes: [String: String?] = [:]) throws -> String {
        try authorize(changes)
        try submit(["username": address])
        try submit(["password": Scene.password])
        return try #require(try brought()["code"])
    }

    /// Exchanges a code; nil leaves a field out.
    func redeem(_ code: String, _ changes: [String: String?] = [:]) throws -> RawAnswer {
        var fields: [String: String?] = [
            "client_id": Scene.passwordApp, "grant_type": "authorization_code", "code": code,
            "redirect_uri": Self.redirect, "code_verifier": Self.verifier, "client_info": "1",
        ]
        fields.merge(changes) { $1 }
        let body = Form(fields.compactMapValues { $0 }).body
        return try scene.caller.post("/oauth2/v2.0/token", String(decoding: body, as: UTF8.self))
    }
}
