// SPDX-License-Identifier: Apache-2.0

import Console
import Tenant

/// Shows what has happened in the tenant.
struct ShowAudit: TenantCommand {
    var tenant = TenantDefaults.name
    var since: String?
    var limit: Int?
    var json = false

    static let name = "audit"
    static let summary = "Show what has happened: sign-ups, sign-ins, resets, revocations, changes"

    static var parameters: [Parameter<ShowAudit>] {
        [
            .option("--since", value: "TIME", to: \.since, help: "Only what came later, as 2026-11-21T08:00:00Z."),
            .option("--limit", value: "NUMBER", to: \.limit, help: "How many of the newest events; 1000 by default."),
            .flag("--json", to: \.json, help: "Print a JSON object."),
            .tenant(to: \.tenant),
        ]
    }

    static var discussion: String {
        """
        People are named by their object ids, as 'user list' prints them. An event is written together with what it tells \
        about, and the database neither changes nor removes it.
        """
    }

    func run(_ context: TenantContext) throws {
        let start = try since.map { text throws(UsageError) in
            guard let seconds = RFC3339.seconds(text) else {
                throw UsageError(command: Self.name, "'\(text)' is no time; write it like 2026-11-21T08:00:00Z")
            }
            return seconds
        }
        guard (limit ?? 1) > 0 else { throw UsageError(command: Self.name, "--limit is a number from 1 on") }
        let entries = try context.perform(ReadAudit(since: start ?? 0, limit: limit ?? 1000), on: tenant)
        if json { return try context.print(json: AuditList(events: entries.map(EventObject.init))) }
        for entry in entries { try context.output.line(entry.words) }
    }
}

extension AuditEntry {
    fileprivate var words: String {
        [
            RFC3339.text(time), event.kind.rawValue, event.account ?? "-", event.clientID ?? "-", address ?? "-",
            event.detail.isEmpty ? "-" : event.detail,
        ].map(\.printable).joined(separator: "\t")
    }
}

private struct AuditList: Encodable {
    var schema = 1
    var events: [EventObject]
}

/// An event as `--json` prints it.
private struct EventObject: Encodable {
    var number: Int64
    var time: String
    var event: AuditEvent.Kind
    var account: String?
    var client_id: String?
    var detail: String?
    var address: String?
    var correlation_id: String?

    init(_ entry: AuditEntry) {
        number = entry.number
        time = RFC3339.text(entry.time)
        event = entry.event.kind
        account = entry.event.account
        client_id = entry.event.clientID
        detail = entry.event.detail.isEmpty ? nil : entry.event.detail
        address = entry.address
        correlation_id = entry.correlationID
    }
}
