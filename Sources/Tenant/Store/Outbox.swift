// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials
package import Wire

/// A mail or a text message with a code in it.
package struct CodeMessage: Sendable, Codable, Equatable {
    package enum Purpose: String, Sendable, Codable {
        case signUp
        case signIn
        case passwordReset
        case secondFactor
        case registration
        /// No code: somebody signed up with the address of an account.
        case signUpAttempt
        /// No code: the account has another password.
        case passwordChanged
    }

    package var purpose: Purpose
    package var to: Contact
    package var code: String
    /// For how many seconds the code is good.
    package var lifetime: Int
    /// Names the message for good, so that one that is delivered twice can be told.
    package var id: String
    package var date: Date

    /// When the code is good no longer.
    var end: Int64 { Int64(date.timeIntervalSince1970) + Int64(lifetime) }
}

/// A message that somebody has claimed, to send it.
package struct Parcel: Sendable {
    package let row: Int64
    let sealed: [UInt8]
    /// This one counted.
    let attempts: Int64

    fileprivate init(row: Int64, _ sealed: [UInt8]) {
        self.row = row
        self.sealed = sealed
        attempts = 1
    }

    fileprivate init?(_ row: Row) {
        guard let id = row.integer(0), let sealed = row.blob(1) else { return nil }
        self.row = id
        self.sealed = sealed
        attempts = row.integer(2) ?? 1
    }
}

/// Messages on their way out. They are written in the same transaction as the code, and so is never one without the
/// other; they leave after it, and stay until they have left or are given up.
///
/// Whoever delivers a message has claimed it for a while, so that a slow way out does not make two of it.
extension IdentityProvider {
    /// In seconds: longer than any way out takes.
    private var claim: Int64 { 30 + Int64(settings.smtpTimeout) }

    /// Posts a message. Where its way is as quick as a file, whoever posts it delivers it, and has claimed it.
    func post(_ message: CodeMessage, _ exchange: Exchange, _ connection: inout Connection) throws {
        let sealed = vault.seal(Array(try JSONEncoder().encode(message)))
        let isPrompt = !slowChannels.contains(message.to.channel)
        let row = try connection.rows(
            """
            INSERT INTO outbox (sealed, channel, posted_at, expires_at, claimed_until, attempts)
            VALUES (?, ?, ?, ?, ?, ?) RETURNING id
            """, .blob(sealed), .text(message.to.channel.rawValue), .integer(exchange.seconds), .integer(message.end),
            .integer(isPrompt ? exchange.seconds + claim : 0), .integer(isPrompt ? 1 : 0)
        ).first?.integer(0)
        exchange.noted.remember(for: &connection)
        exchange.noted.post(isPrompt ? row.map { Parcel(row: $0, sealed) } : nil)
        // One message that was left behind leaves with it: no request waits for long because of others. Servers that share
        // the database would be in each other's way here, and have somebody else who sees to it.
        guard !connection.isShared else { return }
        let prompt = Self.channels.subtracting(slowChannels)
        let left = try connection.claim(prompt, at: exchange.seconds, for: claim).first.flatMap(Parcel.init)
        if let left { exchange.noted.post(left) }
    }

    /// Hands over what the request has posted. Slow ways are left to those who have the time.
    func deliver(_ exchange: Exchange) {
        let (parcels, areMoreForOthers) = exchange.noted.takePosted()
        for parcel in parcels {
            let attempt = courier.send(parcel)
            if case .delivered = attempt, let settler {
                settler.add(parcel.row)
            } else {
                note(attempt, of: parcel)
            }
        }
        if areMoreForOthers { ring() }
    }

    /// The channels that there are.
    package static var channels: Set<Channel> { [.email, .sms] }

    /// Hands over one message that is due.
    ///
    /// - Returns: Whether there was one.
    func deliverNext(_ channels: Set<Channel>) -> Bool {
        guard let parcel = try? claimNext(channels) else { return false }
        note(courier.send(parcel), of: parcel)
        return true
    }

    /// Claims the oldest message that is due; nil where there is none.
    package func claimNext(_ channels: Set<Channel>, after last: Int64 = 0) throws -> Parcel? {
        try database.transaction { connection in
            try connection.abandonExpired(at: seconds)
            return try connection.claim(channels, at: seconds, for: claim, after: last).first.flatMap(Parcel.init)
        }
    }

    /// In how many seconds there will be something to do for the channels; nil where nothing waits. Nobody rings for what
    /// another server has left behind, so where there are several it is looked for again and again.
    package func rest(_ channels: Set<Channel>) throws -> Int64? {
        let due = try database.transaction { connection in
            try connection.rows(
                """
                SELECT min(greatest(claimed_until, least(next_at, coalesce(expires_at, next_at)))) FROM outbox
                WHERE abandoned_at IS NULL AND channel IN (?, ?)
                """, channels.first.sql, channels.dropFirst().first.sql
            ).first?.integer(0)
        }
        let rest = due.map { max(0, $0 - seconds) }
        return database.isShared ? min(rest ?? 5, 5) : rest
    }

    private func note(_ attempt: Attempt, of parcel: Parcel) {
        // If this fails the message goes out a second time, under the same id: better twice than never.
        try? record(attempt, of: parcel)
    }

    /// Returns when what was spooled so far is on the disk.
    package func settleSpool() throws {
        try settler?.settle()
    }
}

extension IdentityProvider {
    package func record(_ attempt: Attempt, of parcel: Parcel) throws {
        try database.transaction { connection in
            let row = SQLValue.integer(parcel.row)
            switch attempt {
            case .delivered: try connection.run("DELETE FROM outbox WHERE id = ?", row)
            case .expired: try connection.abandon(parcel.row, .expired, at: seconds)
            case .unreadable: try connection.abandon(parcel.row, .unreadable, at: seconds)
            case .failed(let failure):
                try connection.run(
                    "UPDATE outbox SET problem = ?, reply = ?, next_at = ?, claimed_until = 0 WHERE id = ?",
                    .text(failure.problem.rawValue), SQLValue(failure.reply),
                    .integer(seconds + Self.pause(after: parcel.attempts)), row)
                if failure.isFinal { try connection.abandon(parcel.row, .refused, at: seconds) }
            }
        }
    }

    /// In seconds: 1, 2, 4 and so on, a minute at most.
    static func pause(after attempts: Int64) -> Int64 {
        attempts > 6 ? 60 : 1 << max(0, attempts - 1)
    }
}

// MARK: - Statements

extension Channel? {
    fileprivate var sql: SQLValue { SQLValue(self?.rawValue) }
}

extension Connection {
    /// Claims the oldest message that nobody has claimed; no rows where there is none.
    fileprivate mutating func claim(
        _ channels: Set<Channel>, at seconds: Int64, for duration: Int64, after last: Int64 = 0
    ) throws(StoreError) -> [Row] {
        guard !channels.isEmpty else { return [] }
        return try rows(
            """
            UPDATE outbox SET claimed_until = ?1, attempts = attempts + 1
            WHERE id = (
                SELECT id FROM outbox
                WHERE abandoned_at IS NULL AND claimed_until <= ?2 AND next_at <= ?2 AND id > ?3 AND channel IN (?4, ?5)
                ORDER BY id LIMIT 1)
            RETURNING id, sealed, attempts, channel
            """, .integer(seconds + duration), .integer(seconds), .integer(last), channels.first.sql,
            channels.dropFirst().first.sql)
    }

    /// Gives up what nobody waits for any more, and forgets what was given up a day ago.
    fileprivate mutating func abandonExpired(at seconds: Int64) throws(StoreError) {
        try run(
            """
            UPDATE outbox SET abandoned_at = ?1, reason = 'expired'
            WHERE abandoned_at IS NULL AND expires_at <= ?1 AND claimed_until <= ?1
            """, .integer(seconds))
        try run("DELETE FROM outbox WHERE abandoned_at <= ?", .integer(seconds - 86400))
    }

    fileprivate mutating func abandon(
        _ row: Int64, _ reason: OutboxEntry.Reason, at seconds: Int64
    ) throws(StoreError) {
        try run(
            "UPDATE outbox SET abandoned_at = ?, reason = ?, claimed_until = 0 WHERE id = ?", .integer(seconds),
            .text(reason.rawValue), .integer(row))
    }

    /// Takes back the claims of a process that is no more. To be called by whoever has just opened the database: there
    /// is never more than one, and nobody sends who has it closed meanwhile if `areDead` says so.
    mutating func releaseClaims(if areDead: () -> Bool) throws {
        guard try !rows("SELECT 1 FROM outbox WHERE claimed_until > 0 LIMIT 1").isEmpty, areDead() else { return }
        try run("UPDATE outbox SET claimed_until = 0")
    }
}
