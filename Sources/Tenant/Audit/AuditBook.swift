// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// The book of events. An entry is written in the transaction of what it tells about, so neither is there without the
/// other; the database refuses to change or to remove one.
extension Connection {
    mutating func write(
        _ event: AuditEvent, at seconds: Int64, address: String? = nil, correlationID: String? = nil
    ) throws(StoreError) {
        try run(
            """
            INSERT INTO audit (at, event, account, client_id, detail, address, correlation_id)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, .integer(seconds), .text(event.kind.rawValue), SQLValue(event.account), SQLValue(event.clientID),
            .text(event.detail), SQLValue(address), SQLValue(correlationID))
    }
}

extension IdentityProvider {
    /// Writes down what a request leads to.
    func audit(_ event: AuditEvent, _ exchange: Exchange, _ connection: inout Connection) throws {
        try connection.write(
            event, at: exchange.seconds, address: exchange.address, correlationID: exchange.correlationID)
        exchange.noted.remember(for: &connection)
        exchange.noted.add(event)
    }

    /// Writes down what the owner did.
    func audit(_ act: String, account: String? = nil, _ connection: inout Connection) throws {
        try connection.write(
            AuditEvent(.administration, account: account, detail: act), at: seconds)
    }

    /// Writes down that the owner was told everything. On a disk without room that cannot be written, and is just when a copy
    /// elsewhere is wanted.
    func auditReading(_ act: String) throws {
        do {
            try database.transaction { connection in try audit(act, &connection) }
        } catch let error as StoreError where [.diskFull, .readOnly].contains(error.reason) {
            return
        }
    }

    /// The newest events, the oldest of them first.
    func auditTrail(since seconds: Int64 = 0, limit: Int = 1000) throws -> [AuditEntry] {
        let rows = try database.transaction { connection in
            try connection.rows(
                """
                SELECT id, at, event, account, client_id, detail, address, correlation_id FROM audit
                WHERE at >= ? ORDER BY id DESC LIMIT ?
                """, .integer(seconds), .integer(Int64(limit)))
        }
        return rows.reversed().compactMap(AuditEntry.init)
    }
}

extension AuditEntry {
    fileprivate init?(_ row: Row) {
        guard let number = row.integer(0), let time = row.integer(1),
            let kind = row.text(2).flatMap(AuditEvent.Kind.init(rawValue:))
        else { return nil }
        self.init(
            number: number, time: time,
            event: AuditEvent(kind, account: row.text(3), clientID: row.text(4), detail: row.text(5) ?? ""),
            address: row.text(6), correlationID: row.text(7))
    }
}

extension Refusal {
    /// Whether it tells somebody that this is no way to sign in.
    var isFailedSignIn: Bool {
        // Unknown, locked, disabled, a wrong password, a wrong code.
        !Set(errorCodes ?? []).isDisjoint(with: [50034, 50053, 50057, 50126, 50181])
    }
}
