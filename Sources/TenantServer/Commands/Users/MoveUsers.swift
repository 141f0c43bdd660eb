// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import Tenant

/// Writes all accounts, so that they can be made again elsewhere.
struct ExportUsers: TenantCommand {
    var tenant = TenantDefaults.name

    static let name = "user export"
    static let summary = "Print all accounts, one JSON object in a line"
    static var parameters: [Parameter<ExportUsers>] { [.tenant(to: \.tenant)] }

    static var discussion: String {
        """
        The lines hold password hashes (Argon2id) and everything else that 'user import' needs; sessions and codes are not \
        among it. Keep them as you keep the tenant.
        """
    }

    static var examples: [Example] { [Example("nativeauth tenant user export >accounts.jsonl")] }

    func run(_ context: TenantContext) throws {
        let progress = ProgressLine("Exported", context)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var done = 0
        var last = ""
        while true {
            let page = try context.perform(ExportAccounts(after: last), on: tenant)
            guard let end = page.records.last else { break }
            let lines = try page.records.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }
            try context.output.write(lines.joined())
            last = end.username
            done += page.records.count
            progress.show(AdminProgress(done: done, of: page.total))
        }
        progress.end()
    }
}

/// Makes accounts from the lines that an export has written, or another program.
struct ImportUsers: TenantCommand {
    var tenant = TenantDefaults.name
    var file = ""
    var replaces = false

    static let name = "user import"
    static let summary = "Make accounts from a file with one JSON object in a line"

    static var parameters: [Parameter<ImportUsers>] {
        [
            .positional("FILE", to: \.file, help: "Accounts, as 'user export' prints them; - for standard input."),
            .flag(
                "--replace", to: \.replaces, help: "Replace accounts that are there; they stay as they are otherwise."),
            .tenant(to: \.tenant),
        ]
    }

    static var discussion: String {
        """
        Each line has a 'username', a mail address, and may have 'password_hash' (Argon2id) or 'password', 'attributes', \
        'methods' (contacts for second factors), 'alias', 'id', 'disabled', 'change_password' and 'created_at' (seconds since \
        1970). An account without a password signs in with codes.

        A line that cannot be used is named on standard error, and the others are used all the same; the status is 65 then.

          {"username": "ada@example.com", "password": "Analytical-1843", "attributes": {"country": "England"}}
        """
    }

    func run(_ context: TenantContext) throws {
        var lines = try LineFile(file)
        var count = ImportCount()
        let progress = ProgressLine("Imported", context)
        while let batch = try lines.next(200) {
            try importing(batch, &count, context)
            progress.show(AdminProgress(done: count.lines, of: 0))
        }
        progress.end()
        try context.errors.line(count.words)
        if count.refused > 0 {
            throw CommandFailure(.invalidData, "\(count.refused) of \(count.lines) lines could not be used.")
        }
    }

    private func importing(_ batch: [LineFile.Line], _ count: inout ImportCount, _ context: TenantContext) throws {
        var records: [(number: Int, record: AccountRecord)] = []
        for line in batch {
            count.lines += 1
            do {
                records.append((line.number, try JSONDecoder().decode(AccountRecord.self, from: Data(line.bytes))))
            } catch {
                try refuse(line.number, "it is no account\((error as? DecodingError)?.place ?? "")", &count, context)
            }
        }
        let outcomes = try context.perform(ImportAccounts(records.map(\.record), replaces: replaces), on: tenant)
        for (record, outcome) in zip(records, outcomes) {
            switch outcome {
            case .made: count.made += 1
            case .replaced: count.replaced += 1
            case .there: count.there += 1
            case .refused(let reason): try refuse(record.number, reason, &count, context)
            }
        }
    }

    private func refuse(
        _ number: Int, _ reason: String, _ count: inout ImportCount, _ context: TenantContext
    ) throws(OutputError) {
        count.refused += 1
        try context.errors.line("Line \(number): \(reason.printable).")
    }
}

/// What has become of the lines.
private struct ImportCount {
    var lines = 0
    var made = 0
    var replaced = 0
    var there = 0
    var refused = 0

    var words: String {
        let parts = [(made, "made"), (replaced, "replaced"), (there, "there already")]
        let said = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return "Accounts: " + (said.isEmpty ? "none" : said.joined(separator: ", ")) + "."
    }
}
