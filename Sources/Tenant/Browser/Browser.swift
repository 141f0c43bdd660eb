// SPDX-License-Identifier: Apache-2.0

import Wire

/// Sign-in in a browser: the authorization endpoint, and the pages behind it.
enum Browser {
    /// Where the forms of the pages go.
    static let stepPath = Authorization.path + "/step"
    /// Where people type the code of another device. Short, for it is typed as well.
    static let devicePath = "/device"
}

// MARK: - The authorization endpoint

extension IdentityProvider {
    /// Begins a sign-in. Nothing is sent to an address before it is certain that it is the app's (RFC 6749, section
    /// 4.1.2.1): until then it is a person who is told what is wrong.
    func authorize(_ exchange: Exchange) throws -> Answer {
        let form: Form
        let asker: AuthorizationAsker
        do {
            form = try exchange.parameters()
            guard let clientID = form.value("client_id") else { throw Refusal.missing("client_id") }
            let app = try database.transaction { connection in try publicApp(clientID, &connection) }
            asker = try AuthorizationAsker(form, of: app)
        } catch let error as Form.Malformed {
            return show(.notUnderstood(error.sentence), nil, status: 400, exchange)
        } catch let refusal as Refusal {
            exchange.noted.refuse(refusal)
            return show(.notUnderstood(refusal.sentence), nil, status: 400, exchange)
        }
        do {
            return try begin(AuthorizationRequest(form, asker: asker), exchange)
        } catch let refusal as Refusal {
            exchange.noted.refuse(refusal)
            let response = AuthorizationResponse(refusing: refusal, to: asker, issuer: settings.issuer)
            return bring(response).answer(exchange)
        }
    }

    private func begin(_ request: AuthorizationRequest, _ exchange: Exchange) throws -> Answer {
        try database.transaction { connection in
            let app = try publicApp(request.asker.clientID, &connection)
            _ = try grant(request.wish.scopes, app, &connection)
        }
        return try open(.app(request), .identify(request.prompt == .create ? .signUp : .signIn), exchange)
    }

    /// The first page of a browser.
    func open(
        _ goal: BrowserDraft.Goal?, _ step: BrowserStep, typed: [String: String] = [:], _ exchange: Exchange
    ) throws -> Answer {
        let isSecure = isSecure(exchange.request)
        let known = BrowserCookie.value(in: exchange.request, isSecure: isSecure)
        let cookie = known ?? random.token()
        let draft = BrowserDraft(goal: goal, cookie: Self.digest(ofCookie: cookie), step: step)
        let token = try openPages(draft, exchange)
        var answer = try page(of: draft, token, nil, typed: typed, exchange).answer(exchange)
        if known == nil { answer.headers["set-cookie"] = BrowserCookie.header(cookie, isSecure: isSecure) }
        return answer
    }

    /// Whether a browser reaches the tenant over TLS: here, or at a proxy, which leaves the host that the browser asked for as it
    /// is. Where that is the tenant's own and the tenant's address is https, so is the browser's.
    private func isSecure(_ request: Request) -> Bool {
        if (servedOrigin ?? settings.origin).hasPrefix("https:") { return true }
        guard settings.origin.hasPrefix("https://"), let host = request.headers["host"] else { return false }
        return settings.origin.dropFirst("https://".count).lowercased() == host.lowercased()
    }
}

// MARK: - The pages behind it

extension IdentityProvider {
    /// Takes the form of a page.
    func browserStep(_ exchange: Exchange) throws -> Answer {
        do {
            return try exchange.form { form in try step(form, exchange) }
        } catch let refusal as Refusal {
            return show(.notUnderstood(refusal.sentence), nil, status: 400, exchange)
        } catch is Throttled {
            return show(.tooMany, nil, status: 429, exchange)
        } catch {
            exchange.noted.fail("a page cannot be answered", error)
            var answer = show(.unavailable, nil, status: 503, exchange)
            answer.headers["retry-after"] = "1"
            return answer
        }
    }

    private func step(_ form: Form, _ exchange: Exchange) throws -> Answer {
        // Browsers say where a form comes from (Fetch Metadata); a page of another site has none of ours.
        let site = exchange.request.headers["sec-fetch-site"]
        guard let token = form.value("page"), site == nil || site == "same-origin" else {
            return show(.foreign, nil, status: 403, exchange)
        }
        let hash = Digest.sha256(token.utf8)
        while try !gate.enter(hash) {}
        defer { gate.leave(hash) }
        let cookie = BrowserCookie.value(in: exchange.request, isSecure: isSecure(exchange.request))
        switch try findPage(hash, cookie: cookie, exchange) {
        case .unknown: return show(.foreign, nil, status: 403, exchange)
        case .used(let draft): return show(.used, draft, status: 400, exchange)
        case .answered(let answer): return answer.answer(exchange)
        case .current(let id, let draft):
            try database.transaction { connection in try admitCall(with: hash, exchange, &connection) }
            return try take(form, draft, id: id, hash, exchange)
        }
    }

    private func take(
        _ form: Form, _ draft: BrowserDraft, id: String, _ hash: [UInt8], _ exchange: Exchange
    ) throws -> Answer {
        let turn = BrowserTurn(provider: inBrowser, draft: draft, form: form, exchange: exchange)
        var draft = draft
        var next: String? = random.token()
        let answer: BrowserAnswer
        switch try deviceStep(form, &draft, exchange) ?? turn.take() {
        case .show(let step, let problem):
            draft.step = step
            answer = try page(of: draft, next ?? "", problem, typed: form.fields, exchange)
        case .over(let problem):
            next = nil
            answer = self.answer(.over(problem), draft, status: 400, exchange)
        case .cancelled:
            next = nil
            answer = try cancelled(draft, exchange)
        case .proven(let token):
            next = nil
            answer = try finished(draft, token, exchange)
        }
        try keepPage(answer, draft, id: id, hash, next: next, exchange)
        return answer.answer(exchange)
    }

    private func cancelled(_ draft: BrowserDraft, _ exchange: Exchange) throws -> BrowserAnswer {
        exchange.noted.refuse(.cancelled)
        switch draft.goal {
        case .app(let request):
            return bring(AuthorizationResponse(refusing: .cancelled, to: request.asker, issuer: settings.issuer))
        case .device(let device):
            try deny(device)
            return answer(.deviceDenied, nil, exchange)
        case nil:
            return answer(.deviceDenied, nil, exchange)
        }
    }

    /// Hands the proof that a continuation token leads to over to whoever waits for it.
    private func finished(_ draft: BrowserDraft, _ token: String, _ exchange: Exchange) throws -> BrowserAnswer {
        var code: String?
        var isTaken = false
        let said = try take(exchange) { exchange in
            try inBrowser.step(token, clientID: draft.clientID, exchange) { connection, flow in
                guard case .redeemable(let authentication) = flow.state else { return .refuse(.unusableToken) }
                if let end = try end(of: authentication, &connection) { return end }
                switch draft.goal {
                case .app(let request): code = try grantCode(authentication, request, exchange, &connection)
                case .device(let device):
                    isTaken = try approve(device, authentication, exchange, &connection)
                case nil: return .refuse(.unusableToken)
                }
                return .finish(.continuation)
            }
        }
        if case .refused(let refusal) = said { return answer(.over(.refused(refusal)), draft, status: 400, exchange) }
        if let code, case .app(let request)? = draft.goal {
            return bring(AuthorizationResponse(code: code, to: request.asker, issuer: settings.issuer))
        }
        return isTaken
            ? answer(.deviceDone, nil, exchange) : answer(.over(.failed), draft, status: 400, exchange)
    }
}
