// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import NativeAuth
import Synchronization
import Tenant
import TenantTesting
import Testing

@testable import TenantServer

/// A tenant behind a real HTTP server on a port of its own, and what happens around a conversation: mails arrive, time
/// goes by, and the tenant's owner decides.
final class ServedScene: Sendable {
    static let mail = "ada@lofoten.example"
    static let otherMail = "ada@bergen.example"
    static let phone = "+4790000007"
    static let password = "Fjord-Salmon-47"
    static let newPassword = "Midnight-Sun-48"
    static let orders = ["api://sample/Orders.Read", "api://sample/Orders.Write"]
    /// Eight digits that no test's random source is likely to hit.
    static let wrong = "00000000"

    let tenant: TestTenant
    let traffic: Traffic
    private let server: HTTPServer
    /// What the tenant asks has to listen as long as the tenant.
    let receivers = Mutex<[Receiver]>([])
    /// A client of the sample app with passwords.
    let client: NativeAuthClient

    /// - Parameter patience: How much longer than usual the tenant waits for receivers, since machines that test are busy.
    init(patience: Int = 15, _ settings: (inout Settings) -> Void = { _ in }) throws {
        let tenant = try TestTenant(patience: patience, settings)
        let traffic = Traffic()
        let server = try HTTPServer(listen: HTTPServer.Endpoint("127.0.0.1:0")) { request in
            traffic.pass(request) {
                // The issuer's name stays; the endpoints are where this server listens.
                let origin = "http://\(request.headers["host"] ?? "")"
                return tenant.provider.served(at: origin).answer(request)
            }
        }
        self.tenant = tenant
        self.traffic = traffic
        self.server = server
        client = try Self.client(server.endpoint.port, tenant.clock.source)
    }

    private static func client(
        _ port: UInt16, _ time: TimeSource, app: String = AppRegistration.passwordSampleID,
        storage: any TokenStorage = MemoryStorage(), _ change: (inout Configuration) -> Void = { _ in }
    ) throws -> NativeAuthClient {
        let authority = try Authority("http://127.0.0.1:\(port)/local")
        var configuration = Configuration(authority: authority, clientID: app)
        change(&configuration)
        return NativeAuthClient(configuration, storage: storage, time: time)
    }

    /// A client of another app, or with other abilities.
    func client(
        app: String = AppRegistration.passwordSampleID, storage: any TokenStorage = MemoryStorage(),
        time: TimeSource? = nil, _ change: (inout Configuration) -> Void = { _ in }
    ) throws -> NativeAuthClient {
        try Self.client(server.endpoint.port, time ?? tenant.clock.source, app: app, storage: storage, change)
    }

    /// A client of the sample app with codes alone.
    func codeClient() throws -> NativeAuthClient { try client(app: AppRegistration.codeSampleID) }

    /// The newest code for an address. Time goes on after that, so that the next mail is newer.
    func code(_ address: String = mail) throws -> String {
        defer { wait(1) }
        return try #require(try tenant.code(for: address))
    }

    /// How many messages went to an address.
    func mails(_ address: String = mail) throws -> Int { try tenant.mails(to: address) }

    var now: Date { tenant.clock.read() }
    func wait(_ seconds: TimeInterval) { tenant.clock.advance(by: seconds) }
}

// MARK: - People

extension ServedScene {
    /// A finished sign-up with a password.
    @discardableResult
    func member(_ mail: String = mail) async throws -> SignUpCompletion {
        let step = try await client.signUp(
            username: mail, password: Self.password, attributes: ["country": "Norway"])
        return try await step.code.submit(code(mail)).completion
    }

    /// A finished sign-up with codes alone.
    @discardableResult
    func codeMember(_ mail: String = mail) async throws -> SignUpCompletion {
        let step = try await codeClient().signUp(username: mail, attributes: ["country": "Norway"])
        return try await step.code.submit(code(mail)).completion
    }

    /// Signs a member in with the password.
    func signIn(_ scopes: [String] = [], claims: NativeAuth.ClaimsRequest? = nil) async throws -> SignInStep {
        try await client.signIn(username: Self.mail, password: Self.password, scopes: scopes, claims: claims)
    }
}

// MARK: - The owner

extension ServedScene {
    func change(_ app: String = AppRegistration.passwordSampleID, _ change: (inout AppRegistration) -> Void) throws {
        var registration = try #require(try tenant.provider.apps().first { $0.clientID == app })
        change(&registration)
        try tenant.provider.save(registration)
    }

    func changeAccount(_ change: (inout AccountStatus) -> Void) throws {
        #expect(try tenant.provider.changeAccount(Self.mail, change))
    }

    func deleteAccount() throws {
        #expect(try tenant.provider.deleteAccount(Self.mail))
    }

    /// Demands a second factor of the sample app's users.
    func demandSecondFactor(
        _ policy: MultiFactorPolicy = MultiFactorPolicy(), of app: String = AppRegistration.passwordSampleID
    ) throws {
        try change(app) { $0.multiFactor = policy }
    }

    /// Gives the member a strong method.
    func addMethod(_ contact: String) throws {
        #expect(try tenant.provider.addMethod(try #require(Contact(contact)), to: Self.mail))
    }

    /// The member's strong methods.
    func methods() throws -> [Contact] { try tenant.provider.accounts().first?.methods ?? [] }

    /// An app without a user flow, or with native authentication switched off.
    func app(native: Bool = true, flow: String? = nil) throws -> String {
        try Scene(tenant).app(native: native, flow: flow)
    }

    /// A user flow of the test's own, and a client of an app that uses it.
    func client(_ method: UserFlow.Method, asking attributes: [AttributeDefinition]) throws -> NativeAuthClient {
        try client(app: Scene(tenant).app(method, attributes))
    }
}

// MARK: - On the wire

/// The requests that reached the tenant, which can be held there.
final class Traffic: Sendable {
    private struct State {
        var paths: [String] = []
        var hold: (path: String, times: Int, held: HeldRequest)?
    }

    private let state = Mutex(State())

    /// Lets a request through to the tenant.
    func pass(_ request: Request, _ answer: () -> Answer) -> Answer {
        let held: HeldRequest? = state.withLock { state in
            state.paths.append(request.path)
            guard let hold = state.hold, request.path.hasSuffix(hold.path) else { return nil }
            state.hold = hold.times > 1 ? (hold.path, hold.times - 1, hold.held) : nil
            return hold.held
        }
        held?.stay()
        defer { held?.leave() }
        return answer()
    }

    /// How many requests came for an endpoint.
    func count(_ path: String) -> Int { state.withLock { $0.paths.count { $0.hasSuffix(path) } } }

    /// Holds the next requests for an endpoint before the tenant sees them.
    func hold(_ path: String, times: Int = 1) -> HeldRequest {
        let held = HeldRequest()
        state.withLock { $0.hold = (path, times, held) }
        return held
    }
}

/// Ends a task in the middle of a request, which the tenant answers without anybody to hear it.
func cancelled<Step: Sendable>(
    _ held: HeldRequest, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable () async throws -> Step
) async throws -> Step {
    let task = Task { try await body() }
    await held.arrival()
    task.cancel()
    let outcome = await task.result
    held.release()
    await held.answer()
    return try await retry(after: .cancelled, sourceLocation: sourceLocation) { try outcome.get() }
}
