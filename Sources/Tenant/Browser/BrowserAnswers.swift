// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// What a browser gets, so that the same form can get it again.
struct BrowserAnswer: Sendable, Codable {
    var status = 200
    var location: String?
    /// Where the page's forms may lead, beyond the tenant.
    var formTarget = ""
    var html: String

    func answer(_ exchange: Exchange) -> Answer {
        var answer = exchange.respond(status, Data(html.utf8), HTML.headers(formTarget: formTarget))
        answer.headers["location"] = location
        return answer
    }
}

extension IdentityProvider {
    /// A page that asks for the next step.
    func page(
        of draft: BrowserDraft, _ token: String, _ problem: BrowserProblem?, typed: [String: String],
        _ exchange: Exchange
    ) throws -> BrowserAnswer {
        let writer = BrowserWriter(
            draft: draft, token: token, action: path(Browser.stepPath, exchange), problem: problem, typed: typed,
            appName: try appName(of: draft), definitions: try attributeDefinitions(of: draft))
        return BrowserAnswer(status: problem?.status ?? 200, formTarget: draft.formTarget, html: writer.page.html)
    }

    /// The last page of a browser.
    func answer(
        _ ending: BrowserEnding, _ draft: BrowserDraft?, status: Int = 200, _ exchange: Exchange
    ) -> BrowserAnswer {
        BrowserAnswer(status: status, html: ending.page(restart: draft.flatMap { restart($0, exchange) }).html)
    }

    func show(_ ending: BrowserEnding, _ draft: BrowserDraft?, status: Int, _ exchange: Exchange) -> Answer {
        answer(ending, draft, status: status, exchange).answer(exchange)
    }

    func bring(_ response: AuthorizationResponse) -> BrowserAnswer {
        let target = RedirectAddress.formTarget(response.asker.redirect)
        guard response.asker.mode == .formPost else {
            // 303, so that what was typed is not sent along (RFC 9700, section 4.12).
            return BrowserAnswer(
                status: 303, location: response.location, formTarget: target, html: BrowserEnding.leaving.page().html)
        }
        return BrowserAnswer(formTarget: target, html: HTMLPage(posting: response).html)
    }

    private func path(_ path: String, _ exchange: Exchange) -> String {
        let tenant = exchange.request.path.split(separator: "/").first.map(String.init) ?? settings.tenantID
        return "/\(tenant)\(path)"
    }

    /// Where the person can begin again.
    private func restart(_ draft: BrowserDraft, _ exchange: Exchange) -> String? {
        switch draft.goal {
        case .app(let request): path(Authorization.path, exchange) + "?" + request.query
        case .device, nil: path(Browser.devicePath, exchange)
        }
    }

    private func appName(of draft: BrowserDraft) throws -> String? {
        guard draft.goal != nil else { return nil }
        return try database.transaction { connection in try publicApp(draft.clientID, &connection).name }
    }

    /// What the wire cannot say of attributes: what there is to choose from.
    private func attributeDefinitions(of draft: BrowserDraft) throws -> [AttributeDefinition] {
        guard case .attributes = draft.step else { return [] }
        return try database.transaction { connection in
            try userFlow(of: publicApp(draft.clientID, &connection), &connection)?.attributes ?? []
        }
    }
}

extension BrowserDraft {
    fileprivate var formTarget: String {
        guard case .app(let request)? = goal else { return "" }
        return RedirectAddress.formTarget(request.asker.redirect)
    }
}
