// SPDX-License-Identifier: Apache-2.0

import Console
import Files
import Glibc
import Tenant

/// Looks at the tenant on this machine, without a network and without opening its database.
enum TenantChecks {
    static func run(environment: [String: String], program: String?) -> [Finding] {
        guard let folder = TenantPlace(environment: environment)?.folder(named: TenantDefaults.name) else {
            return [
                .problem(
                    "local tenant", "Neither HOME nor XDG_DATA_HOME says where the local tenant is kept.",
                    "Set HOME to a folder of yours.")
            ]
        }
        let path = folder.path
        guard FileChecks.facts(path, following: true) != nil else {
            return [
                .ok("local tenant", "It will be made in \(path) when it is first used."),
                FileChecks.writable(path, variable: "XDG_DATA_HOME"),
            ] + other(program)
        }
        var findings = FileChecks.secret("local tenant", path, .folder)
        for name in ["tenant.db", "sealing.key", "tls-key.pem"] {
            findings += FileChecks.secret("local tenant", path + "/" + name, .file)
        }
        return findings + key(path) + lock(path) + other(program)
    }

    /// A new key would not open what the old one has sealed.
    private static func key(_ path: String) -> [Finding] {
        let hasDatabase = FileChecks.facts(path + "/tenant.db", following: true) != nil
        let hasKey = FileChecks.facts(path + "/sealing.key", following: true) != nil
        guard hasDatabase, !hasKey else { return [] }
        return [
            .problem(
                "local tenant", "The key \(path)/sealing.key is missing, and the database cannot be read without it.",
                "Put the key back, or move the folder away to begin with a new tenant.")
        ]
    }

    private static func lock(_ path: String) -> [Finding] {
        guard let file = try? FileDescriptor(path + "/tenant.lock", O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else {
            return []
        }
        do throws(FileError) {
            if try file.tryLock() { return [.ok("local tenant", "Nobody has it open.")] }
            guard let place = ServedPlace(lockFile: try file.readToEnd(limit: 16 * 1024)) else {
                return [.note("local tenant", "Another command has it open now.")]
            }
            return [.ok("local tenant", "It is being served at \(place.url).")]
        } catch {
            return [
                .problem(
                    "lock", "Locks do not work in \(path): \(String(cString: strerror(error.errno))).",
                    "Choose a folder on a local file system with XDG_DATA_HOME.")
            ]
        }
    }

    private static func other(_ program: String?) -> [Finding] {
        if let program { return [.ok("local tenant", "'nativeauth tenant' is \(program).")] }
        return [
            .note(
                "local tenant", "The program nativeauth-tenant is neither beside nativeauth nor on PATH.",
                "Install both programs, with 'make install'.")
        ]
    }
}
