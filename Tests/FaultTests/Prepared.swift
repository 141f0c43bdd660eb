// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TenantTesting
import Testing

@testable import Tenant

/// A tenant with the people in it, made once for all tests of a process.
enum Prepared {
    private static let names = ["tenant.db", "sealing.key"]

    private static let files = Result {
        let tenant = try TestTenant { $0.codesPerAddress = 1_000_000 }
        try People.make(at: tenant)
        // Closed, the database is complete in its one file.
        tenant.close()
        return try names.map { try Data(contentsOf: URL(filePath: tenant.folder.path + "/" + $0)) }
    }

    /// Its files.
    static func contents() throws -> [String: Data] {
        Dictionary(uniqueKeysWithValues: zip(names, try files.get()))
    }

    /// Puts it into a folder, which is there.
    static func put(into folder: String) throws {
        for (name, data) in zip(names, try files.get()) {
            try data.write(to: URL(filePath: folder + "/" + name))
            chmod(folder + "/" + name, 0o600)
        }
    }

    private static let known = Mutex<[String: Effects]>([:])

    /// What a script leaves where nothing goes wrong.
    static func effects(of script: Script) throws -> Effects {
        if let effects = known.withLock({ $0[script.name] }) { return effects }
        let tenant = try tenant()
        var talk = tenant.talk(script)
        try script.play(&talk, by: tenant.caller.delivery)
        #expect(try tenant.findings() == [])
        let effects = try Effects(of: tenant.folder)
        known.withLock { $0[script.name] = effects }
        return effects
    }

    /// One of its own, open in this process.
    static func tenant(patience: Int = 1) throws -> TestTenant {
        let tenant = try TestTenant(patience: patience)
        tenant.close()
        try put(into: tenant.folder.path)
        try tenant.restart()
        return tenant
    }
}

/// What requests have left behind, as far as a fault must not change it.
struct Effects: Equatable, CustomStringConvertible {
    let lines: [String]

    var description: String { lines.joined(separator: "\n") }

    /// Everything about people, by their addresses: ids are drawn by chance.
    init(of folder: TenantFolder) throws {
        let queries = [
            """
            SELECT 'account ' || username_key || ' ' || (password IS NOT NULL) || ' ' || attributes || ' ' || failures
            || ' ' || generation || ' ' || disabled FROM account
            """,
            """
            SELECT 'session ' || username_key || ' ' || client_id || ' ' || counter || ' ' || revoked || ' ' || amr
            FROM session JOIN account ON account.id = session.account
            """,
            "SELECT 'method ' || username_key || ' ' || contact FROM method JOIN account ON account.id = account",
            "SELECT 'code ' || attempts FROM code",
        ]
        let database = try Database(reading: folder.databasePath)
        let rows = try database.look { connection in
            Result { try queries.flatMap { try connection.rows($0).compactMap { $0.text(0) } } }
        }
        let mails = try folder.spool.messages().map { "mail \($0.to) \($0.subject)" }
        lines = try rows.get().sorted() + mails.sorted()
    }
}

extension TestTenant {
    func talk(_ script: Script) -> Talk {
        Talk(
            app: script.app,
            code: { [self] address in
                guard let code = try code(for: address) else {
                    throw UnexpectedAnswer(description: "no mail to \(address)")
                }
                return code
            })
    }
}

extension Caller {
    /// As a client of the scripts sends.
    var delivery: Script.Delivery { { path, body in try post(path, body) } }
}

/// Whether every sweep is whole: `make soak`.
let isWhole = ProcessInfo.processInfo.environment["NATIVEAUTH_SOAK"] != nil

extension Script {
    /// Each flow in a soak; three of them, other ones each time, by default: a server is started for each.
    static let chosen = isWhole ? all : Array(all.shuffled().prefix(3))
}
