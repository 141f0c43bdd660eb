// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials
import Glibc
package import NativeAuth
import Synchronization
package import Tenant

/// A real tenant in a temporary folder, with a clock that a test moves.
package final class TestTenant: Sendable {
    package let folder: TenantFolder
    package let clock: TestClock
    /// Those that answer; none while the tenant is closed.
    private let held: Mutex<[IdentityProvider]>
    private let turn = Atomic<Int>(0)
    private let store: Store

    private let patience: Int
    /// Its name, where the tenant is kept in PostgreSQL.
    private let database: String?

    /// Where tenants of tests are kept: the same rules hold in both places.
    package enum Store: String, Sendable {
        case sqlite, postgresql
        /// Two share the database in PostgreSQL, and requests go to them in turn.
        case replicas
    }

    /// As the environment says, so that whole suites can be run on either.
    package static let store =
        ProcessInfo.processInfo.environment["NATIVEAUTH_TEST_STORE"].flatMap(Store.init) ?? .sqlite

    /// - Parameters:
    ///   - patience: So many times as long as usual do receivers of extensions have.
    ///   - change: Changes the settings before the tenant is opened for use.
    package convenience init(patience: Int = 1, _ change: (inout Settings) -> Void = { _ in }) throws {
        try self.init(patience, Template.copy(Self.store), Self.store, change)
    }

    /// A tenant in a database of its own on this server.
    package convenience init(on server: TestPostgres, _ change: (inout Settings) -> Void) throws {
        try self.init(1, Template.make(on: server), .postgresql, change)
    }

    package convenience init(keptIn store: Store) throws {
        try self.init(1, Template.copy(store), store) { _ in }
    }

    /// A place for a tenant, which is not there yet.
    package init(emptyIn store: Store) throws {
        patience = 1
        self.store = store
        clock = TestClock()
        held = Mutex([])
        (folder, database) = try Template.empty(store)
    }

    private init(
        _ patience: Int, _ place: (TenantFolder, database: String?), _ store: Store, _ change: (inout Settings) -> Void
    ) throws {
        self.patience = patience
        self.store = store
        (folder, database) = place
        clock = TestClock()
        held = Mutex([])
        let first = try open()
        var settings = first.currentSettings
        change(&settings)
        if settings != first.currentSettings { try first.save(settings) }
        if settings != first.currentSettings {
            try restart()
        } else {
            let second = store == .replicas ? [try open()] : []
            held.withLock { $0 = [first] + second }
        }
    }

    deinit {
        close()
        try? FileManager.default.removeItem(atPath: folder.path)
        if let database { try? TestPostgres.shared.get().remove(database) }
    }

    /// The tenant as it is open now.
    package var provider: IdentityProvider {
        guard let provider = held.withLock({ $0.first }) else { preconditionFailure("the tenant did not start again") }
        return provider
    }

    /// Who answers the next request.
    private var next: IdentityProvider {
        let number = turn.add(1, ordering: .relaxed).newValue
        guard let provider = held.withLock({ $0.isEmpty ? nil : $0[number % $0.count] }) else { return provider }
        return provider
    }

    /// Closes the tenant's database, until it is started again.
    package func close() {
        held.withLock { $0 = [] }
    }

    /// Closes the tenant and opens it anew, as a process that starts again does.
    package func restart() throws {
        close()
        let providers = try (0..<(store == .replicas ? 2 : 1)).map { _ in try open() }
        held.withLock { $0 = providers }
    }

    /// What is wrong with the tenant's files, which nobody has open then; nothing, after any fault.
    package func findings() throws -> [Finding] {
        close()
        defer { try? restart() }
        return try folder.check()
    }

    /// Opens the folder once more.
    package func open() throws -> IdentityProvider {
        try folder.open(name: "local", origin: "http://127.0.0.1:8400", cores: 2, patience: patience, now: clock.read)
    }

    /// The newest code that was mailed to an address.
    package func code(for address: String) throws -> String? {
        try folder.spool.messages(to: address, withCode: true, limit: 1).first?.code
    }

    /// How many mails went to an address.
    package func mails(to address: String) throws -> Int {
        try folder.spool.messages(to: address).count
    }

    /// A client of this tenant, in process.
    package func client(
        app: String = AppRegistration.passwordSampleID, storage: any TokenStorage = MemoryStorage()
    ) throws -> NativeAuthClient {
        NativeAuthClient(
            Configuration(authority: try Authority("http://127.0.0.1:8400/local"), clientID: app), storage: storage,
            transport: TenantTransport(provider: provider), time: clock.source)
    }

    /// Sends raw requests to this tenant, in process, whether it was started again meanwhile or not.
    package var caller: Caller {
        Caller { [self] request in next.answer(request) }
    }
}

/// A fresh tenant. Its signing key takes long to make, so one is made for all tests of a process.
private enum Template {
    private static let names = ["tenant.db", "sealing.key"]

    /// KiB for a password's hash, far less than a tenant can be told to use: thousands are made in a run, and what they
    /// cost has tests of its own.
    private static let hashMemory = 256

    /// A disk takes milliseconds to sync, thousands of times in a run, and no test pulls the plug.
    private static let place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"

    private static let files = Result {
        let folder = TenantFolder(path: "\(place)/nativeauth-test-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        try make(in: folder)
        return try names.map { try Data(contentsOf: URL(filePath: folder.path + "/" + $0)) }
    }

    /// The key of the tenant in the database `template0tenant`.
    private static let sharedKey = Result {
        let server = try TestPostgres.shared.get()
        try server.run("CREATE DATABASE template0tenant")
        let folder = TenantFolder(path: "\(place)/nativeauth-test-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        try folder.keep(serverAddress: server.address(of: "template0tenant"))
        try make(in: folder)
        return try Data(contentsOf: URL(filePath: folder.path + "/sealing.key"))
    }

    /// The database is closed, and so complete in its one file, when this is over.
    private static func make(in folder: TenantFolder) throws {
        let provider = try folder.open(name: "local", origin: "http://127.0.0.1:8400", cores: 2, now: TestClock().read)
        var settings = provider.currentSettings
        settings.hashMemory = hashMemory
        settings.hashPasses = 1
        try provider.database.transaction { connection in try connection.save(settings) }
    }

    static func copy(_ store: TestTenant.Store) throws -> (TenantFolder, database: String?) {
        let folder = try newFolder()
        guard store != .sqlite else {
            for (name, data) in zip(names, try files.get()) { try put(data, name, folder) }
            return (folder, nil)
        }
        let server = try TestPostgres.shared.get()
        try put(try sharedKey.get(), "sealing.key", folder)
        let database = try server.makeDatabase(from: "template0tenant")
        try folder.keep(serverAddress: server.address(of: database))
        return (folder, database)
    }

    static func make(on server: TestPostgres) throws -> (TenantFolder, database: String?) {
        let folder = try newFolder()
        try folder.keep(serverAddress: server.address(of: server.makeDatabase()))
        try make(in: folder)
        return (folder, nil)
    }

    static func empty(_ store: TestTenant.Store) throws -> (TenantFolder, database: String?) {
        let folder = try newFolder()
        guard store != .sqlite else { return (folder, nil) }
        let server = try TestPostgres.shared.get()
        let database = try server.makeDatabase()
        try folder.keep(serverAddress: server.address(of: database))
        return (folder, database)
    }

    private static func newFolder() throws -> TenantFolder {
        let folder = TenantFolder(path: "\(place)/nativeauth-test-\(UUID().uuidString)")
        guard mkdir(folder.path, 0o700) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return folder
    }

    private static func put(_ data: Data, _ name: String, _ folder: TenantFolder) throws {
        try data.write(to: URL(filePath: folder.path + "/" + name))
        chmod(folder.path + "/" + name, 0o600)
    }
}

/// A clock that stands still until it is moved.
package final class TestClock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_780_000_000))

    package init() {}

    package func read() -> Date { time.withLock { $0 } }

    package func advance(by seconds: TimeInterval) {
        time.withLock { $0 += seconds }
    }

    /// Waiting moves the clock and takes no time.
    package var source: TimeSource {
        TimeSource(
            now: { self.read() },
            sleep: { duration in
                try Task.checkCancellation()
                self.advance(by: TimeInterval(duration.components.seconds))
            })
    }
}

/// Carries requests into a tenant of the same process.
package struct TenantTransport: Transport {
    package let provider: IdentityProvider

    package init(provider: IdentityProvider) {
        self.provider = provider
    }

    package func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let headers = Dictionary(uniqueKeysWithValues: request.headers.map { ($0.key.lowercased(), $0.value) })
        let answer = provider.answer(
            Request(
                method: request.method, path: URLComponents(string: request.url)?.path ?? "", headers: headers,
                body: Array(request.body ?? Data())))
        return HTTPResponse(status: answer.status, headers: answer.headers, body: Data(answer.body))
    }
}
