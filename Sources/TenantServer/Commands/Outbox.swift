// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import Tenant
import Wire

/// Shows the messages that have not left.
struct ListOutbox: TenantCommand {
    var tenant = TenantDefaults.name
    var json = false

    static let name = "outbox list"
    static let summary = "Show the mail that waits to be sent, and what was given up"

    static var parameters: [Parameter<ListOutbox>] {
        [.flag("--json", to: \.json, help: "Print a JSON object."), .tenant(to: \.tenant)]
    }

    static var discussion: String {
        """
        A message is sent again after 1, 2, 4 and more seconds, a minute at most, until its code is good no longer. What \
        was given up is kept for a day.
        """
    }

    func run(_ context: TenantContext) throws {
        let entries = try context.perform(ReadOutbox(), on: tenant)
        if json { return try context.print(json: OutboxObject(entries)) }
        for entry in entries {
            try context.output.line("\(entry.id)\t\((entry.to ?? "?").printable)\t\(entry.sentence.printable)")
        }
    }
}

/// The outbox as `--json` prints it.
private struct OutboxObject: Encodable {
    let schema = 1
    let messages: [Message]

    init(_ entries: [OutboxEntry]) { messages = entries.map(Message.init) }

    struct Message: Encodable {
        let id: Int64
        let channel: String
        let to: String?
        let state: String
        let attempts: Int64
        let postedAt: String
        let expiresAt: String?
        let nextAttemptAt: String?
        let abandonedAt: String?
        let reason: String?
        let lastError: String?
        let serverReply: String?

        enum CodingKeys: String, CodingKey {
            case id
            case channel
            case to
            case state
            case attempts
            case postedAt = "posted_at"
            case expiresAt = "expires_at"
            case nextAttemptAt = "next_attempt_at"
            case abandonedAt = "abandoned_at"
            case reason
            case lastError = "last_error"
            case serverReply = "server_reply"
        }

        init(_ entry: OutboxEntry) {
            id = entry.id
            channel = entry.channel.rawValue
            to = entry.to
            state = entry.abandonedAt == nil ? "waiting" : "abandoned"
            attempts = entry.attempts
            postedAt = entry.postedAt.stamp
            expiresAt = entry.expiresAt?.stamp
            nextAttemptAt = entry.abandonedAt == nil ? max(entry.nextAt, entry.postedAt).stamp : nil
            abandonedAt = entry.abandonedAt?.stamp
            reason = entry.reason?.rawValue
            lastError = entry.problem?.rawValue
            serverReply = entry.reply
        }
    }
}

extension Int64 {
    /// RFC 3339, UTC.
    fileprivate var stamp: String { Date(timeIntervalSince1970: TimeInterval(self)).formatted(.iso8601) }
}

extension OutboxEntry {
    fileprivate var sentence: String {
        let last = problem.map { DeliveryFailure($0, reply: reply).sentence }
        switch reason {
        case nil where attempts == 0: return "Waits for its first attempt."
        case nil: return "Waits for another attempt after \(times). \(last ?? "")"
        case .expired: return "Given up after \(times): its code is good no longer. \(last ?? "")"
        case .refused: return "Given up after \(times). \(last ?? "")"
        case .unreadable: return "Given up: the tenant's key did not seal it."
        }
    }

    private var times: String { attempts == 1 ? "1 attempt" : "\(attempts) attempts" }
}
