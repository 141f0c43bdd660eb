// SPDX-License-Identifier: Apache-2.0

package import Files
package import FoundationEssentials
import Glibc

/// A tenant's folder: database, master key, mail, and the lock that says who has it open.
package struct TenantFolder: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    package var spool: Spool { Spool(path: path + "/mail") }
    package var databasePath: String { path + "/tenant.db" }
    private static let keyName = "sealing.key"

    /// Why a tenant cannot be opened.
    package enum Problem: Error, Sendable, Equatable {
        /// The database is there and its key is not: a new key would make every account's data unreadable.
        case keyMissing(path: String)
        case keyDamaged(path: String)
        case file(FileError)
        case database(StoreError, path: String)
        /// A newer program wrote the database.
        case newer(path: String)
        /// The database is not what it should be.
        case damaged(path: String)
    }

    /// Opens the tenant, and makes it if it is not there yet. To be called by the holder of the lock only.
    ///
    /// - Parameters:
    ///   - name: The tenant's short name, if it has to be made.
    ///   - origin: Scheme, host and port of its addresses, if it has to be made.
    ///   - patience: So many times as long as usual do receivers of extensions have.
    package func open(
        name: String, origin: String, cores: Int, random: RandomSource = .system, patience: Int = 1,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws(Problem) -> IdentityProvider {
        do {
            try FileDescriptor.createFolders(path)
            let vault = Vault(key: try key(random))
            let database = try Database(path: databasePath)
            let contents = try TenantContents.load(
                from: database, vault, makingWith: { Settings(tenantID: random.uuid(), name: name, origin: origin) },
                now: now())
            return IdentityProvider(
                database: database, vault: vault, settings: contents.settings, signer: contents.signer,
                hasher: PasswordHasher(cores: cores), random: random, deliver: delivery(contents.settings), now: now,
                callouts: Callouts(
                    settings: contents.settings, signer: contents.signer, random: random, patience: patience))
        } catch let problem as Problem {
            throw problem
        } catch let error as FileError {
            throw .file(error)
        } catch let error as StoreError {
            throw .database(error, path: databasePath)
        } catch is Schema.NewerSchema {
            throw .newer(path: databasePath)
        } catch {
            throw .damaged(path: databasePath)
        }
    }

    /// Mail goes to the spool, and text messages too unless the owner has another way for them.
    private func delivery(_ settings: Settings) -> @Sendable (CodeMessage) throws -> Void {
        let spool = spool
        guard let gateway = TextMessageGateway(settings) else { return { try spool.deliver($0) } }
        return { message in
            switch message.to {
            case .email: try spool.deliver(message)
            case .phone: try gateway.send(message)
            }
        }
    }

    /// The master key; a new one only where there is no database that an old one belongs to.
    private func key(_ random: RandomSource) throws -> [UInt8] {
        let path = path + "/" + Self.keyName
        let folder = try FileDescriptor(folder: self.path)
        do throws(FileError) {
            let file = try FileDescriptor(Self.keyName, in: folder, O_RDONLY | O_NONBLOCK)
            let key = Array(try file.readToEnd(limit: 4096))
            guard key.count == Vault.keyLength else { throw FileError("key", path, errno: 0) }
            return key
        } catch {
            if error.operation == "key" { throw Problem.keyDamaged(path: path) }
            guard error.errno == ENOENT else { throw Problem.file(error) }
        }
        guard access(databasePath, F_OK) != 0 else { throw Problem.keyMissing(path: path) }
        let key = random.bytes(Vault.keyLength)
        try folder.replace(Self.keyName, with: key)
        return key
    }
}
