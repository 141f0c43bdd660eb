// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import TenantTesting
import Testing

@testable import Tenant

/// Where a call may go, whatever a name says.
@Suite(.timeLimit(.minutes(10)))
struct CalloutAddressTests {
    /// What comes of a call to `host` while a receiver listens on this machine.
    private static func outcome(
        _ url: (_ port: UInt16) -> String, hosts: (_ port: UInt16) -> String? = { _ in nil },
        change: (inout AuthenticationExtension) -> Void = { _ in }
    ) async throws -> (CalloutOutcome, connections: Int) {
        let receiver = try ReceiverSocket.answering(ReceiverSocket.claims)
        let registration = CalloutScene.registration(at: url(receiver.port)) {
            $0.maximumRetries = 0
            change(&$0)
        }
        let outcome = try await CalloutScene(hosts: hosts(receiver.port)).asking(registration)
        return (outcome, receiver.accepted)
    }

    private static let refused = CalloutFailure.connection(
        "The target's host leads to an address that this extension may not connect to.")

    /// The name is public, and its address is not.
    @Test(
        "Rule 102: a name that leads inside is not called",
        arguments: [
            "127.0.0.1", "[::1]", "127.0.0.1,[::1]", "10.0.0.1", "169.254.169.254", "[::ffff:127.0.0.1]", "0.0.0.0",
        ])
    func nameThatLeadsInside(_ addresses: String) async throws {
        let (outcome, connections) = try await Self.outcome(
            { "https://hooks.example:\($0)/" }, hosts: { "hooks.example:\($0):\(addresses)" })
        #expect(outcome == .failed(Self.refused))
        #expect(connections == 0)
    }

    /// One good address does not open the way to the other.
    @Test func nameWithBothKindsOfAddresses() async throws {
        let (outcome, connections) = try await Self.outcome(
            { "https://hooks.example:\($0)/" }, hosts: { "hooks.example:\($0):127.0.0.1,192.88.98.1" },
            change: { $0.timeoutMilliseconds = 200 })
        #expect(outcome.code == 1_003_027 || outcome.code == 1_003_005)
        #expect(connections == 0)
    }

    /// `localhost` under another name, by libcurl's own rule and by the address itself.
    @Test(arguments: ["hook.localhost", "127.0.0.2.", "localhost."])
    func otherNamesOfThisMachine(_ host: String) async throws {
        let (outcome, connections) = try await Self.outcome({ "https://\(host):\($0)/" })
        #expect(outcome.code != nil)
        #expect(connections == 0)
    }

    @Test(arguments: [
        "10.1.2.3", "192.168.1.1", "169.254.169.254", "100.100.100.200", "[fd00:ec2::254]", "0.0.0.0", "[::]",
    ])
    func addressInTheURL(_ host: String) async throws {
        let (outcome, connections) = try await Self.outcome({ "https://\(host):\($0)/" })
        #expect(outcome == .failed(Self.refused))
        #expect(connections == 0)
    }

    /// TLS fails at this receiver, but it was connected to.
    @Test func privateAddressesMayBeAllowed() async throws {
        let hosts: (UInt16) -> String? = { "hooks.example:\($0):127.0.0.1" }
        let (outcome, connections) = try await Self.outcome(
            { "https://hooks.example:\($0)/" }, hosts: hosts,
            change: {
                $0.allowsPrivateAddresses = true
                $0.timeoutMilliseconds = 200
            })
        #expect(outcome.code != nil && outcome != .failed(Self.refused))
        #expect(connections == 1)
    }

    @Test(arguments: ["169.254.169.254", "0.0.0.0", "[::ffff:127.0.0.1]", "[fd00:ec2::254]", "168.63.129.16"])
    func someAddressesAreNeverAllowed(_ address: String) async throws {
        let (outcome, _) = try await Self.outcome(
            { "https://hooks.example:\($0)/" }, hosts: { "hooks.example:\($0):\(address)" },
            change: { $0.allowsPrivateAddresses = true })
        #expect(outcome == .failed(Self.refused))
    }

    @Test(arguments: ["127.0.0.1", "localhost", "LOCALHOST"])
    func thisMachineByItsOwnName(_ host: String) async throws {
        let (outcome, connections) = try await Self.outcome({ "http://\(host):\($0)/" })
        #expect(outcome.code == nil)
        #expect(connections == 1)
    }

    /// Whoever writes `localhost` means this machine, and its name service has nothing to say about that.
    @Test(arguments: ["10.0.0.1", "192.88.98.1", "169.254.169.254"])
    func localhostStaysHere(_ address: String) async throws {
        let (outcome, _) = try await Self.outcome(
            { "http://localhost:\($0)/" }, hosts: { "localhost:\($0):\(address)" },
            change: { $0.allowsPrivateAddresses = true })
        #expect(outcome == .failed(Self.refused))
    }

    /// A stored definition that no longer makes sense is not called.
    @Test(
        "Rule 101: a definition has to make sense",
        arguments: [
            ("http://hooks.example/", "api://hooks.example/\(CalloutScene.audience)", 1_003_001),
            ("ftp://127.0.0.1/", "api://127.0.0.1/\(CalloutScene.audience)", 1_003_001),
            ("file:///etc/passwd", "api://127.0.0.1/\(CalloutScene.audience)", 1_003_001),
            ("https://hooks.example/", "api://hooks.example", 1_003_014),
            ("https://hooks.example/", "", 1_003_014),
            ("https://hooks.example/", "api://other.example/\(CalloutScene.audience)", 1_003_016),
        ])
    func definitionHasToMakeSense(_ url: String, _ resourceID: String, _ code: Int) async throws {
        let registration = CalloutScene.registration(at: url) { $0.resourceID = resourceID }
        #expect(try await CalloutScene().asking(registration).code == code)
    }

    @Test func disabledExtensionIsNotCalled() async throws {
        let (outcome, connections) = try await Self.outcome(
            { "http://127.0.0.1:\($0)/" }, change: { $0.enabled = false })
        #expect(outcome.code == 1_003_023)
        #expect(connections == 0)
    }

    @Test func extensionIsForItsEventOnly() throws {
        let registration = CalloutScene.registration(.emailOtpSend, at: "http://127.0.0.1:1/")
        let outcome = try CalloutScene().callouts.ask(
            CalloutScene.callout(for: .tokenIssuanceStart), of: registration, CalloutScene.context,
            now: CalloutScene.now)
        #expect(outcome.code == 1_003_001)
    }
}
