// SPDX-License-Identifier: Apache-2.0

import Console
import Files
import FoundationEssentials
import Glibc
import Tenant

/// Copies the tenant into a folder.
struct Backup: TenantCommand {
    var tenant = TenantDefaults.name
    var path = ""

    static let name = "backup"
    static let summary = "Copy the tenant into a new folder, while it is in use"

    static var parameters: [Parameter<Backup>] {
        [
            .positional("FOLDER", to: \.path, help: "Where the copy goes; nothing may be there."),
            .tenant(to: \.tenant),
        ]
    }

    static var discussion: String {
        """
        The copy has the database, the key that it is sealed with, and the certificate that the tenant made: whoever has it has \
        the tenant. What was acknowledged before the command was started is in it.
        """
    }

    static var examples: [Example] { [Example("nativeauth tenant backup /var/backups/tenant-$(date +%F)")] }

    func run(_ context: TenantContext) throws {
        let progress = ProgressLine("Copied pages:", context)
        defer { progress.end() }
        _ = try context.perform(BackUp(to: absolutePath(path)), on: tenant) { progress.show($0) }
    }
}

/// Puts a copy where the tenant is.
struct Restore: TenantCommand {
    var tenant = TenantDefaults.name
    var path = ""

    static let name = "restore"
    static let summary = "Put a copy that 'backup' made where the tenant is"

    static var parameters: [Parameter<Restore>] {
        [
            .positional("FOLDER", to: \.path, help: "The copy."),
            .tenant(to: \.tenant),
        ]
    }

    static var discussion: String {
        """
        The tenant must not be served. What is there is moved beside it, and its new place is printed. A copy that cannot be \
        opened changes nothing.
        """
    }

    func run(_ context: TenantContext) throws {
        let access = try context.access(tenant)
        let lock = try access.lock(waiting: context.wait)
        do {
            let former = try TenantBackup(path: absolutePath(path)).restore(to: access.folder, at: Date())
            if let former { try context.errors.line("The former tenant is in \(former.printable)") }
        } catch TenantBackup.Unusable.missing {
            throw CommandFailure(
                .missingInput, "There is no copy of a tenant in '\(path.printable)'.",
                hint: "Name the folder that 'nativeauth tenant backup' made.")
        } catch TenantBackup.Unusable.problem(let problem) {
            throw TenantAccess.Refused.problem(problem)
        }
        _ = consume lock
    }
}

/// Empties the tenant of people.
struct Reset: TenantCommand {
    var tenant = TenantDefaults.name
    var yes = false

    static let name = "reset"
    static let summary = "Delete all accounts, sessions and mail; apps, flows and settings stay"

    static var parameters: [Parameter<Reset>] {
        [.flag("--yes", to: \.yes, help: "Do it: without this flag nothing is deleted."), .tenant(to: \.tenant)]
    }

    func run(_ context: TenantContext) throws {
        guard yes else {
            throw CommandFailure(
                .usage, "This deletes all accounts of the tenant '\(tenant)', and cannot be undone.",
                hint: "Say so with --yes; 'nativeauth tenant backup FOLDER' makes a copy first.")
        }
        let count = try context.perform(EmptyTenant(), on: tenant)
        try context.errors.line("Deleted \(count) account\(count == 1 ? "" : "s").")
    }
}

/// A path that means the same to a process in another folder.
private func absolutePath(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
}
