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
    /// The file that the database is, or that says where it is.
    package var databasePath: String { isShared ? serverPath : path + "/" + Self.databaseName }
    package var keyPath: String { path + "/" + Self.keyName }
    static let databaseName = "tenant.db"
    private static let keyName = "sealing.key"
    /// What else makes the tenant what it is: its master key, and the certificate that it made.
    static let filesBesideDatabase = [keyName, "tls-certificate.pem", "tls-key.pem"]

    /// Why a tenant cannot be opened.
    package enum Problem: Error, Sendable, Equatable {
        /// The database is there and its key is not: a new key would make every account's data unreadable.
        case keyMissing(path: String)
        case keyDamaged(path: String)
        /// Others than the owner can read or change it.
        case openToOthers(path: String)
        case file(FileError)
        case database(StoreError, path: String)
        /// A newer program wrote the database.
        case newer(path: String)
        /// The database is not what it should be.
        case damaged(path: String)
        /// The database, which several servers share, is sealed with another key than the one that is here.
        case keyOfAnother(path: String)
        /// The file that says where the database is says nothing.
        case noServer(path: String)
    }

    /// Opens the tenant, and makes it if it is not there yet. To be called by the holder of the lock only.
    ///
    /// - Parameters:
    ///   - name: The tenant's short name, if it has to be made.
    ///   - origin: Scheme, host and port of its addresses, if it has to be made.
    ///   - elapsed: Seconds since some moment, which go on when the clock is set back.
    ///   - patience: So many times as long as usual do receivers of extensions have.
    package func open(
        name: String, origin: String, cores: Int, random: RandomSource = .system, patience: Int = 1,
        now: @escaping @Sendable () -> Date = { Date() }, elapsed: @escaping @Sendable () -> TimeInterval = { 0 }
    ) throws(Problem) -> IdentityProvider {
        do {
            try FileDescriptor.createFolders(path)
            try refuseOpenFiles()
            let (database, vault) = try openDatabase(random)
            let contents = try TenantContents.load(
                from: database, vault, makingWith: { Settings(tenantID: random.uuid(), name: name, origin: origin) },
                now: now(), releasingClaimsIf: { !isShared && isNobodySending })
            let ways = WaysOut(contents.settings, spool)
            let keys = SigningKeys(contents.keys)
            var provider = IdentityProvider(
                database: database, vault: vault, settings: contents.settings, keys: keys,
                hasher: PasswordHasher(cores: cores, cost: contents.settings.hashCost), random: random,
                deliver: { try ways.send($0) }, now: now,
                steadyTime: SteadyTime(latest: contents.latestTime, elapsed: elapsed),
                callouts: Callouts(settings: contents.settings, keys: keys, random: random, patience: patience))
            provider.take(ways)
            return provider
        } catch let problem as Problem {
            throw problem
        } catch let error as FileError {
            throw .file(error)
        } catch let error as StoreError {
            throw error.reason == .damaged
                ? .damaged(path: databasePath) : .database(error, path: databasePath)
        } catch is Schema.NewerSchema {
            throw .newer(path: databasePath)
        } catch TenantContents.Damaged.signingKey where isShared {
            throw .keyOfAnother(path: keyPath)
        } catch {
            throw .damaged(path: databasePath)
        }
    }

    /// The database, and what opens its seals.
    private func openDatabase(_ random: RandomSource) throws -> (Database, Vault) {
        guard isShared else {
            let key = try key(random) { access(databasePath, F_OK) == 0 }
            return (try connectedDatabase(), Vault(key: key))
        }
        let database = try connectedDatabase()
        return (database, Vault(key: try key(random) { try database.hasTenant }))
    }

    /// The database, which is made if it is a file that is not there.
    func connectedDatabase() throws -> Database {
        if let address = try serverAddress() { return try Database(postgres: address) }
        try makeDatabaseFile()
        return try Database(path: databasePath)
    }

    /// The same tenant with its contents as they are now, after a call has changed them.
    package func reload(_ provider: IdentityProvider) throws -> IdentityProvider {
        let contents = try provider.database.transaction { connection in
            try TenantContents.read(provider.vault, &connection)
        }
        var provider = provider
        provider.settings = contents.settings
        provider.keys.replace(contents.keys)
        provider.hasher = provider.hasher.asking(contents.settings.hashCost)
        provider.take(WaysOut(contents.settings, spool, provider.settler))
        provider.callouts = Callouts(
            settings: contents.settings, keys: provider.keys, random: provider.random,
            patience: provider.callouts.patience)
        return provider
    }

    /// The master key; a new one only where there is no database that an old one belongs to.
    private func key(_ random: RandomSource, unless hasTenant: () throws -> Bool) throws -> [UInt8] {
        if let key = try storedKey() { return key }
        guard try !hasTenant() else { throw Problem.keyMissing(path: keyPath) }
        let key = random.bytes(Vault.keyLength)
        try put(key: key)
        return key
    }

    func put(key: [UInt8]) throws(FileError) {
        try FileDescriptor(folder: path).replace(Self.keyName, with: key)
    }

    /// Whether a tenant has been made here, or brought here.
    package var hasKey: Bool { access(keyPath, F_OK) == 0 }

    /// Nil where there is none.
    func storedKey() throws -> [UInt8]? {
        do throws(FileError) {
            let file = try FileDescriptor(Self.keyName, in: FileDescriptor(folder: path), O_RDONLY | O_NONBLOCK)
            let key = Array(try file.readToEnd(limit: 4096))
            guard key.count == Vault.keyLength else { throw FileError("key", keyPath, errno: 0) }
            return key
        } catch {
            if error.operation == "key" { throw Problem.keyDamaged(path: keyPath) }
            guard error.errno == ENOENT else { throw Problem.file(error) }
            return nil
        }
    }
}
