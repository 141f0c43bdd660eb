// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// Sign-out that starts at the app (OpenID Connect RP-Initiated Logout 1.0).
enum Logout {
    static let path = "/oauth2/v2.0/logout"

    /// Whether an app may register it as a place to go to afterwards: https, http on this machine, or a scheme of the
    /// app's own, which has a dot in it (RFC 8252, sections 7.1 and 7.3).
    static func canBeRedirect(_ text: String) -> Bool {
        if CalloutTarget(text) != nil { return true }
        guard text.utf8.count <= 2048, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }),
            let parts = URLComponents(string: text), parts.fragment == nil, let scheme = parts.scheme
        else { return false }
        return scheme.contains(".")
    }

    /// What a request asks for.
    fileprivate struct Wish {
        let hint: String?
        let clientID: String?
        let redirect: String?
        let state: String?

        init(_ form: Form) {
            func field(_ name: String) -> String? { form[name].flatMap { $0.isEmpty ? nil : $0 } }
            hint = field("id_token_hint")
            clientID = field("client_id")?.lowercased()
            redirect = field("post_logout_redirect_uri")
            state = field("state")
        }
    }

    /// What comes of it.
    fileprivate enum Outcome: Sendable {
        /// The session is over; the browser goes on if its goal is registered.
        case ended(appName: String, goal: String?)
        /// Nobody said which session is meant. There are no cookies that could.
        case unnamed(appName: String?, goal: String?)
        case refused
    }
}

extension IdentityProvider {
    func logout(_ exchange: Exchange) throws -> Answer {
        let wish: Logout.Wish
        do {
            wish = Logout.Wish(try exchange.parameters())
        } catch let error as Form.Malformed {
            return exchange.page(
                HTMLPage(title: "This cannot be understood", lines: [error.sentence]), status: 400)
        }
        let outcome: Logout.Outcome = try database.transaction { connection in
            guard let hint = wish.hint else { return try unnamed(wish, &connection) }
            return try end(hint, wish, exchange, &connection)
        }
        return exchange.answer(outcome, wish)
    }

    /// Ends the session that an ID token of this tenant names. It may have expired: who signs out late has been away.
    private func end(
        _ hint: String, _ wish: Logout.Wish, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> Logout.Outcome {
        guard let token = JWT(hint), keys.signed(token, at: exchange.seconds),
            token.claims["iss"]?.string == settings.issuer, token.claims["scp"] == nil,
            let clientID = token.claims["aud"]?.string, wish.clientID == nil || wish.clientID == clientID,
            let session = token.claims["sid"]?.string, let app = try registration(clientID, &connection)
        else { return .refused }
        _ = try endSession(session, clientID: clientID, .logout, exchange, &connection)
        return .ended(appName: app.name, goal: app.goal(wish))
    }

    private func unnamed(_ wish: Logout.Wish, _ connection: inout Connection) throws -> Logout.Outcome {
        let app = try wish.clientID.flatMap { try registration($0, &connection) }
        return .unnamed(appName: app?.name, goal: app?.goal(wish))
    }
}

extension AppRegistration {
    /// Where a browser goes afterwards, with the state that the app wants to see again; nil for what is not registered.
    fileprivate func goal(_ wish: Logout.Wish) -> String? {
        guard let redirect = wish.redirect, logoutRedirects?.contains(redirect) == true else { return nil }
        guard let state = wish.state else { return redirect }
        let pair = String(decoding: Form(["state": state]).body, as: UTF8.self)
        return redirect + (redirect.contains("?") ? "&" : "?") + pair
    }
}

// MARK: - What the browser gets

extension Exchange {
    /// The parameters, of the query or of a form.
    func parameters() throws -> Form {
        if request.method == "POST" { return try Form(body: request.body) }
        return try Form(body: Array((request.query ?? "").utf8))
    }

    fileprivate func answer(_ outcome: Logout.Outcome, _ wish: Logout.Wish) -> Answer {
        switch outcome {
        case .ended(_, let goal?):
            var answer = page(HTMLPage(title: "You are signed out"), status: 303)
            answer.headers["location"] = goal
            return answer
        case .ended(let name, nil):
            let note = wish.redirect == nil ? [] : ["The app wanted to send you to an address that is not registered."]
            return page(HTMLPage(title: "You are signed out", lines: ["Your session with \(name) is over."] + note))
        case .unnamed(let name, let goal):
            return page(
                HTMLPage(
                    title: "Sign out in the app",
                    lines: ["This browser holds no session here, and the app did not say which one to end."],
                    link: goal.map { ("Back to \(name ?? "the app")", $0) }))
        case .refused:
            return page(
                HTMLPage(
                    title: "Nobody was signed out",
                    lines: ["The app did not prove whose session it wants to end. Sign out in the app itself."]),
                status: 400)
        }
    }
}

extension Exchange {
    fileprivate func page(_ page: HTMLPage, status: Int = 200) -> Answer {
        // Nobody learns from which sign-out a person comes.
        let headers = HTML.headers(formTarget: nil).merging(["referrer-policy": "no-referrer"]) { $1 }
        return respond(status, Data(page.html.utf8), headers)
    }
}

extension String {
    /// Harmless in HTML text and in quoted attributes. By code points, as browsers read: a quotation mark with an accent on it is
    /// one character here, and the end of a value there.
    var escaped: String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;".unicodeScalars
            case "<": text += "&lt;".unicodeScalars
            case ">": text += "&gt;".unicodeScalars
            case "\"": text += "&quot;".unicodeScalars
            case "'": text += "&#39;".unicodeScalars
            default: text.append(scalar)
            }
        }
        return String(text)
    }
}
