// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// Where the pages of a browser live: each form has a token that is good once, and the same form sent again gives the same
/// answer for a minute, as continuation tokens do.
extension IdentityProvider {
    /// What a form's token leads to.
    enum Found {
        case current(id: String, BrowserDraft)
        /// The same form was sent before.
        case answered(BrowserAnswer)
        /// Another page has followed, or it took too long.
        case used(BrowserDraft)
        /// No form of this tenant's, or of another browser's.
        case unknown
    }

    /// Opens the first page.
    ///
    /// - Returns: The token of its form.
    func openPages(_ draft: BrowserDraft, _ exchange: Exchange) throws -> String {
        try database.transaction { connection in
            try begin(.browser(draft), clientID: draft.clientID, exchange, &connection)
        }
    }

    func findPage(_ hash: [UInt8], cookie: String?, _ exchange: Exchange) throws -> Found {
        try database.transaction { connection in
            let rows = try connection.rows(
                """
                SELECT id, state, token, expires_at, former_request, former_answer, former_until FROM flow
                WHERE token = ?1 OR former_token = ?1
                """, .blob(hash))
            guard let row = rows.first, let id = row.text(0), let cookie,
                case .browser(let draft)? = try? StoredJSON.value(FlowState.self, row.text(1)),
                Digest.equal(Array(draft.cookie.utf8), Array(Self.digest(ofCookie: cookie).utf8))
            else { return .unknown }
            if row.blob(2) == hash {
                return exchange.seconds < row.integer(3) ?? 0 ? .current(id: id, draft) : .used(draft)
            }
            guard exchange.seconds <= row.integer(6) ?? 0, let request = row.blob(4),
                Digest.equal(request, exchange.digest), let kept = row.blob(5).flatMap(vault.open),
                let answer = try? JSONDecoder().decode(BrowserAnswer.self, from: Data(kept))
            else { return .used(draft) }
            return .answered(answer)
        }
    }

    /// Keeps what a form was answered with, and the page that it was.
    ///
    /// - Parameter next: The token of the next form; nil where there is none.
    func keepPage(
        _ answer: BrowserAnswer, _ draft: BrowserDraft, id: String, _ hash: [UInt8], next: String?, _ exchange: Exchange
    ) throws {
        let sealed = vault.seal(Array(try JSONEncoder().encode(answer)))
        try database.transaction { connection in
            try advance(id, from: hash, to: .browser(draft), next, keeping: sealed, exchange, &connection)
        }
    }

    static func digest(ofCookie value: String) -> String { Base64URL.encode(Digest.sha256(value.utf8)) }
}

/// The cookie that ties a form to the browser that it was given to. It signs nobody in.
enum BrowserCookie {
    /// Over TLS no other host of the same domain can set it (RFC 6265bis, section 4.1.3.2).
    static func name(isSecure: Bool) -> String { isSecure ? "__Host-nativeauth" : "nativeauth-browser" }

    static func header(_ value: String, isSecure: Bool) -> String {
        "\(name(isSecure: isSecure))=\(value); Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    }

    /// What the browser sent; nil unless the tenant can have set it.
    static func value(in request: Request, isSecure: Bool) -> String? {
        let prefix = name(isSecure: isSecure) + "="
        let pairs = (request.headers["cookie"] ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
        let values = pairs.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        guard values.count == 1, Base64URL.decode(values[0])?.count == 32 else { return nil }
        return values[0]
    }
}
