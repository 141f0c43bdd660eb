// SPDX-License-Identifier: Apache-2.0

import Console
import Tenant

/// Looks whether everything about the tenant is as it has to be.
struct Check: TenantCommand {
    var tenant = TenantDefaults.name
    var json = false

    static let name = "check"
    static let summary = "Look whether the tenant is sound, and change nothing"

    static var parameters: [Parameter<Check>] {
        [.flag("--json", to: \.json, help: "Print a JSON object."), .tenant(to: \.tenant)]
    }

    static var examples: [Example] {
        [Example("nativeauth tenant check", "Exit with 0 if the tenant is sound, and with 65 if it is not.")]
    }

    static var discussion: String {
        """
        It reads the whole database and compares it with what has to hold: SQLite's own checks, accounts and how they \
        sign in, flows, codes, sessions and waiting mail, everything that is sealed with the tenant's key, and who may \
        read the files. Nothing is mended.
        """
    }

    func run(_ context: TenantContext) throws {
        let access = try context.access(tenant)
        let findings = try access.check(waiting: context.wait)
        if json { return try report(Report(findings), findings, context) }
        for finding in findings { try context.output.line("\(finding.sentence) \(finding.hint)") }
        if findings.isEmpty { return try context.output.line("The tenant is sound.") }
        throw CommandFailure(.invalidData, "The tenant is not sound: \(findings.count) finding(s).")
    }

    private func report(_ report: Report, _ findings: [Finding], _ context: TenantContext) throws {
        try context.print(json: report)
        guard findings.isEmpty else {
            throw CommandFailure(.invalidData, "The tenant is not sound: \(findings.count) finding(s).")
        }
    }
}

/// What `--json` prints.
private struct Report: Encodable {
    let schema = 1
    let sound: Bool
    let findings: [Row]

    struct Row: Encodable {
        let name: String
        let subject: String
        let text: String
        let hint: String
    }

    init(_ findings: [Finding]) {
        sound = findings.isEmpty
        self.findings = findings.map {
            Row(name: $0.kind.rawValue, subject: $0.subject, text: $0.sentence, hint: $0.hint)
        }
    }
}

extension Finding {
    /// What is wrong.
    fileprivate var sentence: String {
        let subject = subject.printable
        return switch kind {
        case .databaseUnreadable: "The database cannot be read: \(subject)."
        case .databaseDamaged: "The database is damaged: \(subject)."
        case .databaseNewer: "A newer version of this program wrote the database (\(subject))."
        case .schemaDiffers: "The table or index '\(subject)' is not as this program made it."
        case .brokenReference: "A row refers to one that is not there: \(subject)."
        case .keyMissing: "The tenant's key \(subject) is missing."
        case .keyDamaged: "The tenant's key \(subject) is damaged."
        case .sealedUnreadable: "The tenant's key does not open what is sealed in: \(subject)."
        case .noSigningKey: "There is no key to sign tokens with."
        case .settingsUnreadable: "The tenant's settings cannot be read."
        case .definitionUnreadable: "A definition cannot be read: \(subject)."
        case .accountUnreadable: "An account cannot be read: \(subject)."
        case .accountWithoutCredential: "What an account signs in with cannot be read: \(subject)."
        case .nameTakenTwice: "Two accounts have the same name: \(subject)."
        case .methodUnreadable: "A second factor cannot be read: \(subject)."
        case .flowUnreadable: "What somebody has begun cannot be carried on: \(subject)."
        case .flowAliveTwice: "A continuation token leads to two steps: \(subject)."
        case .codeTriesWrong: "The tries of a code cannot be right: \(subject)."
        case .sessionUnreadable: "A session cannot be right: \(subject)."
        case .messageUnreadable: "A waiting message cannot be read: \(subject)."
        case .fileOpenToOthers: "Other users of this machine have access to \(subject)."
        case .fileOfAnother: "\(subject) belongs to another user."
        }
    }

    /// What to do next.
    fileprivate var hint: String {
        switch kind {
        case .databaseNewer: "Use that version."
        case .keyMissing, .keyDamaged, .sealedUnreadable: "Put the right key back, or restore a backup with its key."
        case .settingsUnreadable, .definitionUnreadable: "Set it again, or restore a backup."
        case .accountUnreadable, .accountWithoutCredential, .nameTakenTwice, .methodUnreadable:
            "Restore a backup, or delete the account."
        case .flowUnreadable, .flowAliveTwice, .codeTriesWrong, .messageUnreadable:
            "Whoever waits for it has to begin again; it goes by itself."
        case .fileOpenToOthers: "Take the access away: chmod go= FILE"
        case .fileOfAnother: "Give it to the user who serves the tenant: chown USER FILE"
        case .databaseUnreadable, .databaseDamaged, .schemaDiffers, .brokenReference, .noSigningKey,
            .sessionUnreadable:
            "Restore a backup."
        }
    }
}
