// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials
import Glibc
package import NativeAuth
import Synchronization
package import Tenant

/// A real tenant in a temporary folder, with a clock that a test moves.
package final class TestTenant: Sendable {
    package let folder: TenantFolder
    package let provider: IdentityProvider
    package let clock: TestClock

    /// - Parameter change: Changes the settings before the tenant is opened for use.
    package init(_ change: (inout Settings) -> Void = { _ in }) throws {
        let clock = TestClock()
        let folder = TenantFolder(path: "/tmp/nativeauth-test-\(UUID().uuidString)")
        let first = try folder.open(name: "local", origin: "http://127.0.0.1:8400", cores: 2, now: clock.read)
        var settings = first.currentSettings
        change(&settings)
        try first.save(settings)
        self.clock = clock
        self.folder = folder
        provider = try folder.open(name: "local", origin: "http://127.0.0.1:8400", cores: 2, now: clock.read)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder.path)
    }

    /// The newest code that was mailed to an address.
    package func code(for address: String) throws -> String? {
        try folder.spool.messages(to: address, limit: 1).first?.code
    }

    /// A client of this tenant, in process.
    package func client(
        app: String = AppRegistration.passwordSampleID, storage: any TokenStorage = MemoryStorage()
    ) throws -> NativeAuthClient {
        NativeAuthClient(
            Configuration(authority: try Authority("http://127.0.0.1:8400/local"), clientID: app), storage: storage,
            transport: TenantTransport(provider: provider), time: clock.source)
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
