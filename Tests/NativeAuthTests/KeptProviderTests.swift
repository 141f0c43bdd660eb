// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Synchronization
import Tenant
import TenantTesting
import Testing

@testable import NativeAuth

/// The tenant's name and keys are kept with the tokens, so that a short-lived program makes one request and not three.
struct KeptProviderTests {
    @Test func anotherProcessDoesNotAskForKeys() async throws {
        let (tenant, storage) = try await signedIn()
        #expect(try await documents(of: tenant, storage) { _ = try await $0.accessToken(forceRefresh: true) } == 0)
    }

    @Test func keysAreAskedForAgainAfterADay() async throws {
        let (tenant, storage) = try await signedIn()
        tenant.clock.advance(by: 86_400)
        #expect(try await documents(of: tenant, storage) { _ = try await $0.accessToken(forceRefresh: true) } == 2)
        #expect(try await documents(of: tenant, storage) { _ = try await $0.accessToken(forceRefresh: true) } == 0)
    }

    @Test func aTenantThatWasMadeAnewIsBelieved() async throws {
        let (_, storage) = try await signedIn()
        let other = try TestTenant()
        let client = try counting(other, storage).client
        #expect(try await signUp(client, other).username == mail)
    }

    @Test func aKeptNameOfAnotherTenantIsNotBelieved() async throws {
        let (tenant, storage) = try await signedIn()
        let text = String(decoding: try #require(storage.load()), as: UTF8.self)
        storage.save(
            Data(
                text.replacing("\"issuer\" : \"http://127.0.0.1:8400/", with: "\"issuer\" : \"https://evil.example/")
                    .utf8))
        #expect(try await documents(of: tenant, storage) { _ = try await $0.accessToken(forceRefresh: true) } == 2)
    }

    // MARK: - The scene

    private let mail = "ada@example.com"

    private func signedIn() async throws -> (TestTenant, MemoryStorage) {
        let tenant = try TestTenant()
        let storage = MemoryStorage()
        _ = try await signUp(try counting(tenant, storage).client, tenant)
        return (tenant, storage)
    }

    private func signUp(_ client: NativeAuthClient, _ tenant: TestTenant) async throws -> Account {
        var step = try await client.signUp(
            username: mail, password: "Tr0ub4dor-and-3", attributes: ["country": "Norway"])
        if case .codeRequired(let code) = step {
            step = try await code.submit(try #require(try tenant.code(for: mail)))
        }
        guard case .completed(let done) = step, case .completed(let account) = try await done.signIn() else {
            throw Unexpected()
        }
        return account
    }

    /// How many documents a new client on the same storage asks for.
    private func documents(
        of tenant: TestTenant, _ storage: MemoryStorage, _ body: (NativeAuthClient) async throws -> Void
    ) async throws -> Int {
        let (client, transport) = try counting(tenant, storage)
        try await body(client)
        return transport.documents.withLock { $0 }
    }

    private func counting(
        _ tenant: TestTenant, _ storage: MemoryStorage
    ) throws -> (client: NativeAuthClient, transport: CountingTransport) {
        let transport = CountingTransport(TenantTransport(provider: tenant.provider))
        let configuration = Configuration(
            authority: try Authority("http://127.0.0.1:8400/local"), clientID: AppRegistration.passwordSampleID)
        let client = NativeAuthClient(
            configuration, storage: storage, transport: transport, time: tenant.clock.source)
        return (client, transport)
    }

    private struct Unexpected: Error {}
}

/// Counts the documents that are asked for.
private final class CountingTransport: Transport {
    let documents = Mutex(0)
    private let inner: TenantTransport

    init(_ inner: TenantTransport) {
        self.inner = inner
    }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        if request.method == "GET" { documents.withLock { $0 += 1 } }
        return try await inner.send(request)
    }
}
