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
        try collectGarbage(exchange, &connection)
        let token = random.token()
        try connection.run(
            "INSERT INTO flow (id, client_id, state, token, opened_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
            .text(random.uuid()), .text(app.clientID.lowercased()), .text(try encode(state)),
            .blob(Digest.sha256(token.utf8)), .integer(exchange.seconds),
            .integer(exchange.seconds + Int64(min(settings.flowLifetime, settings.flowMaximum))))
        return try exchange.answer(Continuation(continuationToken: token))
    }

    /// Runs one step of the flow that `token` leads to, in one transaction with what the step changes.
    func step(
        _ token: String, clientID: String, _ exchange: Exchange,
        _ body: (inout Connection, Flow) throws -> Move
    ) throws -> Answer {
        let hash = Digest.sha256(token.utf8)
        let answer = try asking(for: hash, exchange) {
            try database.transaction { connection in
                let app = try app(clientID, &connection)
                guard let flow = try find(hash, app, exchange, &connection) else {
                    return try replay(hash, exchange, &connection)
                }
                return try apply(try body(&connection, flow), to: flow, hash, exchange, &connection)
            }
        }
        deliver(exchange)
        return answer
    }

    /// The flow's state before anything is changed, for work that is too slow to do inside a transaction.
    func peek(_ token: String, clientID: String, _ exchange: Exchange) throws -> FlowState? {
        try database.transaction { connection in
            let app = try app(clientID, &connection)
            return try find(Digest.sha256(token.utf8), app, exchange, &connection)?.state
        }
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
            let state = try? JSONDecoder().decode(FlowState.self, from: Data(state.utf8))
        else { throw Refusal.expiredToken }
        return Flow(id: id, state: state, app: app)
    }

    /// The stored answer, for the same request sent again.
    private func replay(_ hash: [UInt8], _ exchange: Exchange, _ connection: inout Connection) throws -> Answer {
        let rows = try connection.rows(
            "SELECT former_request, former_answer FROM flow WHERE former_token = ? AND former_until >= ?", .blob(hash),
            .integer(exchange.seconds))
        guard let row = rows.first, let digest = row.blob(0), Digest.equal(digest, exchange.digest),
            let kept = row.blob(1).flatMap({ KeptAnswer(sealed: $0, vault) })
        else { throw deadToken(exchange) }
        return exchange.respond(kept.status, kept.body)
    }

    /// Where a token belongs to a grant, a dead one is a bad grant; elsewhere it makes a bad request.
    private func deadToken(_ exchange: Exchange) -> Refusal {
        let path = exchange.path(in: settings) ?? ""
        let isGrant = path.hasPrefix("/signup/") || [SignIn.Challenge.path, SignIn.Token.path].contains(path)
        return .deadToken(isGrant ? .invalidGrant : .invalidRequest)
    }

    private func apply(
        _ move: Move, to flow: Flow, _ hash: [UInt8], _ exchange: Exchange, _ connection: inout Connection
    ) throws -> Answer {
        let token = random.token()
        let answer: Answer
        let next: (state: FlowState, token: SQLValue)?
        switch move {
        case .refuse(let refusal):
            return exchange.answer(refusing: refusal)
        case .remain(let state, let outcome):
            try connection.run("UPDATE flow SET state = ? WHERE id = ?", .text(try encode(state)), .text(flow.id))
            return try exchange.answer(outcome, token: nil)
        case .finish(let outcome):
            answer = try exchange.answer(outcome, token: nil)
            next = nil
        case .advance(let state, let outcome):
            answer = try exchange.answer(outcome, token: token)
            next = (state, .blob(Digest.sha256(token.utf8)))
        }
        let kept = try KeptAnswer(answer).sealed(vault)
        try connection.run(
            """
            UPDATE flow SET state = ?, token = ?, expires_at = min(?, opened_at + ?), former_token = ?, former_request = ?,
            former_answer = ?, former_until = ? WHERE id = ?
            """, .text(try encode(next?.state ?? flow.state)), next?.token ?? .null,
            .integer(exchange.seconds + Int64(settings.flowLifetime)), .integer(Int64(settings.flowMaximum)),
            .blob(hash), .blob(exchange.digest), .blob(kept),
            .integer(exchange.seconds + Int64(settings.replayWindow)), .text(flow.id))
        return answer
    }

    /// Drops a few flows that ended a day ago, so that the table does not grow and no request waits for long.
    private func collectGarbage(_ exchange: Exchange, _ connection: inout Connection) throws {
        try connection.run(
            "DELETE FROM flow WHERE id IN (SELECT id FROM flow WHERE expires_at < ? LIMIT 20)",
            .integer(exchange.seconds - 86400))
        try connection.run(
            "DELETE FROM code_sent WHERE sent_at < ?", .integer(exchange.seconds - Int64(settings.codeWindow)))
    }

    private func encode(_ state: FlowState) throws -> String {
        String(decoding: try JSONEncoder().encode(state), as: UTF8.self)
    }
}

extension Exchange {
    fileprivate func answer(_ outcome: Move.Outcome, token: String?) throws -> Answer {
        switch outcome {
        case .reply(var reply):
            reply.continuationToken = token
            return try answer(reply)
        case .refusal(var refusal):
            refusal.continuationToken = token
            return answer(refusing: refusal)
        case .tokens(let tokens):
            return try answer(tokens)
        }
    }
}
