// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// Continuation tokens: a token leads to one step of one flow and works once; the answer to it can be fetched again by
/// the same request for a minute, so that a lost answer costs nothing.
extension IdentityProvider {
    /// Opens a flow.
    func open(_ state: FlowState, app: AppRegistration, _ exchange: Exchange, _ connection: inout Connection) throws
        -> Answer
    {
        let token = try begin(state, clientID: app.clientID.lowercased(), exchange, &connection)
        return try exchange.answer(Continuation(continuationToken: token))
    }

    /// Writes a new flow, whoever walks through it.
    ///
    /// - Returns: The token that leads to its first step.
    func begin(
        _ state: FlowState, clientID: String, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> String {
        // Who reads where others write is in their way, and servers that share the database have the time to do so elsewhere.
        if !connection.isShared { try dropWhatIsOver(at: exchange.seconds, &connection) }
        let token = random.token()
        try connection.run(
            "INSERT INTO flow (id, client_id, state, token, opened_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
            .text(random.uuid()), .text(clientID), .text(try StoredJSON.text(state)),
            .blob(Digest.sha256(token.utf8)), .integer(exchange.seconds),
            .integer(exchange.seconds + Int64(min(settings.flowLifetime, settings.flowMaximum))))
        return token
    }

    /// Runs one step of the flow that `token` leads to, in one transaction with what the step changes.
    func step(
        _ token: String, clientID: String, _ exchange: Exchange,
        _ body: (inout Connection, Flow) throws -> Move
    ) throws -> Answer {
        let hash = Digest.sha256(token.utf8)
        let settled = try asking(for: hash, exchange) {
            try database.transaction { connection in
                try admitCall(with: hash, exchange, &connection)
                // A refusal takes back what the step wrote, and not that there was a call.
                return try connection.attempt { connection in
                    let app = try app(clientID, &connection)
                    guard let flow = try find(hash, app, exchange, &connection) else {
                        return try replay(hash, exchange, &connection)
                    }
                    return try apply(try body(&connection, flow), to: flow, hash, exchange, &connection)
                }
            }.get()
        }
        deliver(exchange)
        return try answer(settled, exchange)
    }

    /// The flow's state before anything is changed, for work that is too slow to do inside a transaction.
    func peek(_ token: String, clientID: String, _ exchange: Exchange) throws -> FlowState? {
        try database.transaction { connection in try peek(token, clientID: clientID, exchange, &connection) }
    }

    func peek(
        _ token: String, clientID: String, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> FlowState? {
        let app = try app(clientID, &connection)
        return try find(Digest.sha256(token.utf8), app, exchange, &connection)?.state
    }

    private func find(
        _ hash: [UInt8], _ app: AppRegistration, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> Flow? {
        let rows = try connection.rows(
            "SELECT id, state, client_id, expires_at FROM flow WHERE token = ?", .blob(hash))
        guard let row = rows.first, let id = row.text(0), let state = row.text(1) else { return nil }
        guard row.text(2) == app.clientID.lowercased() else { throw deadToken(exchange) }
        // A flow that an older program opened may be in a form that is not known any more.
        guard let expiry = row.integer(3), exchange.seconds < expiry,
            let state = try? StoredJSON.value(FlowState.self, state)
        else { throw Refusal.expiredToken }
        return Flow(id: id, state: state, app: app)
    }

    /// The stored answer, for the same request sent again.
    private func replay(_ hash: [UInt8], _ exchange: Exchange, _ connection: inout Connection) throws -> SettledAnswer {
        let rows = try connection.rows(
            "SELECT former_request, former_answer FROM flow WHERE former_token = ? AND former_until >= ?", .blob(hash),
            .integer(exchange.seconds))
        guard let row = rows.first, let digest = row.blob(0), Digest.equal(digest, exchange.digest),
            let kept = row.blob(1).flatMap({ KeptAnswer(sealed: $0, vault) })
        else { throw deadToken(exchange) }
        return kept.settled(exchange)
    }

    /// Where a token belongs to a grant, a dead one is a bad grant; elsewhere it makes a bad request.
    private func deadToken(_ exchange: Exchange) -> Refusal {
        let path = exchange.path(in: settings) ?? ""
        let isGrant = path.hasPrefix("/signup/") || [SignIn.Challenge.path, SignIn.Token.path].contains(path)
        return .deadToken(isGrant ? .invalidGrant : .invalidRequest)
    }

    private func apply(
        _ move: Move, to flow: Flow, _ hash: [UInt8], _ exchange: Exchange, _ connection: inout Connection
    ) throws -> SettledAnswer {
        let token = random.token()
        let answer: SettledAnswer
        let next: (state: FlowState, token: String?)
        switch move {
        case .refuse(let refusal):
            try audit(refusal, flow.state, exchange, &connection)
            return .complete(exchange.answer(refusing: refusal))
        case .remain(let state, let outcome):
            try connection.run(
                "UPDATE flow SET state = ? WHERE id = ?", .text(try StoredJSON.text(state)), .text(flow.id))
            return try exchange.settle(outcome, token: nil)
        case .finish(let outcome):
            if case .refusal(let refusal) = outcome { try audit(refusal, flow.state, exchange, &connection) }
            answer = try exchange.settle(outcome, token: nil)
            next = (flow.state, nil)
        case .advance(let state, let outcome):
            answer = try exchange.settle(outcome, token: token)
            next = (state, token)
        }
        let kept = try KeptAnswer(answer).sealed(vault)
        try advance(flow.id, from: hash, to: next.state, next.token, keeping: kept, exchange, &connection)
        return answer
    }

    /// Uses a token up, and keeps the sealed answer for the same request sent again.
    ///
    /// - Parameter token: What leads to the next step; nil where there is none.
    func advance(
        _ id: String, from hash: [UInt8], to state: FlowState, _ token: String?, keeping answer: [UInt8],
        _ exchange: Exchange, _ connection: inout Connection
    ) throws {
        try connection.run(
            """
            UPDATE flow SET state = ?, token = ?, expires_at = least(?, opened_at + ?), former_token = ?, former_request = ?,
            former_answer = ?, former_until = ? WHERE id = ?
            """, .text(try StoredJSON.text(state)), token.map { .blob(Digest.sha256($0.utf8)) } ?? .null,
            .integer(exchange.seconds + Int64(settings.flowLifetime)), .integer(Int64(settings.flowMaximum)),
            .blob(hash), .blob(exchange.digest), .blob(answer),
            .integer(exchange.seconds + Int64(settings.replayWindow)), .text(id))
    }

    /// Writes down that somebody did not get in.
    private func audit(
        _ refusal: Refusal, _ state: FlowState, _ exchange: Exchange, _ connection: inout Connection
    ) throws {
        guard state.isSignIn, refusal.isFailedSignIn else { return }
        try audit(AuditEvent(failedSignIn: refusal, of: state.account), exchange, &connection)
    }

    /// Drops a few flows that ended a day ago, so that the table does not grow and no request waits for long.
    ///
    /// - Returns: How many rows are gone.
    @discardableResult
    func dropWhatIsOver(at seconds: Int64, _ connection: inout Connection) throws -> Int {
        let flows = try connection.run(
            "DELETE FROM flow WHERE id IN (SELECT id FROM flow WHERE expires_at < ? LIMIT 20)",
            .integer(seconds - 86400))
        let codes = try connection.run(
            "DELETE FROM code_sent WHERE rowid IN (SELECT rowid FROM code_sent WHERE sent_at < ? LIMIT 50)",
            .integer(seconds - Int64(settings.codeWindow)))
        return try flows + codes + connection.dropOldCounters(at: seconds)
    }
}

extension Exchange {
    fileprivate func settle(_ outcome: Move.Outcome, token: String?) throws -> SettledAnswer {
        switch outcome {
        case .reply(var reply):
            reply.continuationToken = token
            return .complete(try answer(reply))
        case .refusal(var refusal):
            refusal.continuationToken = token
            return .complete(answer(refusing: refusal))
        case .tokens(let tokens):
            return .unsigned(tokens)
        }
    }
}
