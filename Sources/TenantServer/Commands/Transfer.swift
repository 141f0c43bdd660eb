// SPDX-License-Identifier: Apache-2.0

import Console
import Files
import FoundationEssentials
import Glibc
import Tenant

/// Writes the whole tenant, so that it can be taken to another database.
struct ExportTenant: TenantCommand {
    var tenant = TenantDefaults.name

    static let name = "export"
    static let summary = "Write the whole tenant, to take it to another database"
    static var parameters: [Parameter<ExportTenant>] { [.tenant(to: \.tenant)] }

    static var discussion: String {
        """
        Everything is in it: accounts, sessions, flows, settings, mail that waits, the trail, the signing keys, and the key \
        that opens them. Whoever has it has the tenant. It is written to standard output, which must not be a terminal, as \
        JSON, a row in each line, as of one moment; the tenant may be in use meanwhile.
        """
    }

    static var examples: [Example] {
        [
            Example("(umask 077; nativeauth tenant export >tenant.jsonl)"),
            Example("nativeauth tenant export | nativeauth tenant import --tenant copy"),
        ]
    }

    func run(_ context: TenantContext) throws {
        guard !context.output.isTerminal else {
            throw CommandFailure(
                .usage, "The tenant's keys are not shown on a terminal.",
                hint: "Write it to a file of yours alone: (umask 077; nativeauth tenant export >tenant.jsonl)")
        }
        let access = try context.access(tenant)
        guard access.folder.hasKey else { throw CommandFailure(.missingInput, "There is no tenant '\(tenant)'.") }
        _ = try context.perform(NoteExport(), on: tenant)
        let lock = try quietLock(access, context)
        let progress = ProgressLine("Exported rows:", context)
        defer { progress.end() }
        do {
            try TenantExport(of: access.folder).write(to: {
                try context.output.write(String(decoding: $0, as: UTF8.self))
            }) { progress.show($0) }
        } catch let problem as TenantFolder.Problem {
            throw TenantAccess.Refused.problem(problem)
        }
        _ = consume lock
    }

    /// Nil where the tenant is served: it can be read all the same.
    private func quietLock(_ access: TenantAccess, _ context: TenantContext) throws -> TenantLock? {
        do {
            return try access.lock(waiting: context.wait)
        } catch TenantAccess.Refused.served {
            return nil
        }
    }
}

/// Makes a tenant of what an export has written.
struct ImportTenant: TenantCommand {
    var tenant = TenantDefaults.name
    var file = "-"

    static let name = "import"
    static let summary = "Make a tenant of what 'export' wrote"

    static var parameters: [Parameter<ImportTenant>] {
        [
            .positional(
                "FILE", to: \.file, required: false, help: "What 'export' wrote; standard input if it is left out."),
            .tenant(to: \.tenant),
        ]
    }

    static var discussion: String {
        """
        There must be no tenant of this name yet. It is made in a file, or in the PostgreSQL database that 'nativeauth tenant \
        database' has been told; as a whole, or not at all.
        """
    }

    func run(_ context: TenantContext) throws {
        let access = try context.access(tenant)
        let lock = try access.lock(waiting: context.wait)
        var lines = try LineFile(file)
        let progress = ProgressLine("Imported rows:", context)
        defer { progress.end() }
        let rows: Int
        do {
            rows = try TenantImport(to: access.folder).read({ try lines.next(500)?.map(\.bytes) }) { progress.show($0) }
        } catch let unusable as TenantImport.Unusable {
            throw CommandFailure(unusable, tenant)
        } catch let problem as TenantFolder.Problem {
            throw TenantAccess.Refused.problem(problem)
        }
        try access.open().noteImport()
        _ = consume lock
        progress.end()
        try context.errors.line("Imported \(rows) rows.")
    }
}

extension CommandFailure {
    fileprivate init(_ unusable: TenantImport.Unusable, _ tenant: String) {
        switch unusable {
        case .tenantIsThere:
            self.init(
                .cannotCreate, "There is a tenant '\(tenant)' already.",
                hint: "Give the new one another name with --tenant, or another database.")
        case .noExport:
            self.init(
                .invalidData, "This is not what 'nativeauth tenant export' writes.",
                hint: "Accounts alone are read by 'nativeauth tenant user import'.")
        case .otherVersion:
            self.init(
                .invalidData, "Another version of this program wrote this.",
                hint: "Export and import with the same version.")
        case .line(let number):
            self.init(.invalidData, "Line \(number) is no row of a tenant. Nothing was imported.")
        case .cutShort(let count):
            self.init(.invalidData, "It ends too early, after \(count) rows. Nothing was imported.")
        case .interrupted:
            self.init(.tryAgain, "The database was lost on the way. Nothing was imported.", hint: "Import it again.")
        }
    }
}

/// Says where the tenant's database is, and puts it on a server.
struct PlaceDatabase: TenantCommand {
    var tenant = TenantDefaults.name
    var postgres = false

    static let name = "database"
    static let summary = "Say where the tenant is kept, or keep it in PostgreSQL"

    static var parameters: [Parameter<PlaceDatabase>] {
        [
            .flag(
                "--postgresql", to: \.postgres,
                help: "Read a connection string from standard input, and keep the tenant there."),
            .tenant(to: \.tenant),
        ]
    }

    static var discussion: String {
        """
        A tenant that several servers answer for is kept in a PostgreSQL database. The connection string is libpq's, as \
        'host=db.example.com dbname=tenant user=tenant password=…'; it is stored in the tenant's folder, which is its owner's \
        alone. Over a network the server has to show a certificate for its name, unless the string says otherwise (sslmode).

        A tenant that is there already is not moved: export it first, and import it under another name or in another folder.
        """
    }

    static var examples: [Example] {
        [Example("nativeauth tenant database --postgresql <connection.txt")]
    }

    func run(_ context: TenantContext) throws {
        let access = try context.access(tenant)
        guard postgres else {
            return try context.output.line(access.folder.isShared ? "postgresql" : access.folder.databasePath.printable)
        }
        let lock = try access.lock(waiting: context.wait)
        let text = String(decoding: try readAll(), as: UTF8.self)
        do {
            try access.folder.move(toServerAt: text)
        } catch let problem as TenantFolder.Problem {
            throw TenantAccess.Refused.problem(problem)
        } catch is TenantFolder.IsThere {
            throw CommandFailure(
                .cannotCreate, "There is a tenant '\(tenant)' already, in \(access.folder.databasePath.printable).",
                hint: "Export it with 'nativeauth tenant export', and move its folder away first.")
        }
        _ = consume lock
        try context.errors.line("The tenant '\(tenant)' is kept in PostgreSQL.")
    }

    private func readAll() throws(CommandFailure) -> Data {
        do throws(FileError) {
            return try FileDescriptor("/dev/stdin", O_RDONLY).readToEnd(limit: 64 * 1024)
        } catch {
            throw CommandFailure(
                .missingInput, "Standard input cannot be read: \(String(cString: strerror(error.errno))).")
        }
    }
}
