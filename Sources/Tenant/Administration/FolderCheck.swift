// SPDX-License-Identifier: Apache-2.0

package import Files
import Glibc

/// Looks whether everything about the tenant is as it has to be.
package struct CheckTenant: AdminCall {
    package init() {}

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> [Finding] {
        try tenant.folder.openFiles()
            + tenant.provider.database.look { connection in
                Checking.findings(&connection, tenant.provider.vault)
            }
    }
}

extension TenantFolder {
    /// Looks at a tenant that no process has open, and changes nothing. To be called by the holder of the lock only.
    package func check() throws(FileError) -> [Finding] {
        let files = try openFiles()
        let key: [UInt8]
        do throws(FileError) {
            key = Array(try FileDescriptor(keyPath, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).readToEnd(limit: 4096))
        } catch {
            guard error.errno == ENOENT else { throw error }
            return files + [Finding(.keyMissing, keyPath)]
        }
        guard key.count == Vault.keyLength else { return files + [Finding(.keyDamaged, keyPath)] }
        return files + databaseFindings(Vault(key: key))
    }

    private func databaseFindings(_ vault: Vault) -> [Finding] {
        do {
            let address = try serverAddress()
            let database = try address.map { Database(lookingAt: $0) } ?? Database(reading: databasePath)
            return try database.look { connection in Checking.findings(&connection, vault) }
        } catch let error as StoreError {
            return [Finding(error.reason == .damaged ? .databaseDamaged : .databaseUnreadable, error.message)]
        } catch {
            return [Finding(.databaseUnreadable, "\(serverPath) cannot be read")]
        }
    }

    /// What other users of the machine could get at, or have put here.
    fileprivate func openFiles() throws(FileError) -> [Finding] {
        var findings: [Finding] = []
        for place in [path, spool.path] {
            guard access(place, F_OK) == 0 else { continue }
            let folder = try FileDescriptor(folder: place)
            findings += Self.findings(try folder.facts(), at: place)
            for name in folder.names().sorted() {
                let inside = place + "/" + name
                var facts = stat()
                guard lstat(inside, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { continue }
                let file = try FileDescriptor(inside, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
                findings += Self.findings(try file.facts(), at: inside)
            }
        }
        return findings
    }

    private static func findings(_ facts: FileDescriptor.Facts, at place: String) -> [Finding] {
        var findings: [Finding] = []
        if facts.mode & 0o077 != 0 { findings.append(Finding(.fileOpenToOthers, place)) }
        if facts.owner != geteuid() { findings.append(Finding(.fileOfAnother, place)) }
        return findings
    }
}
