// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

/// Real TLS and a real proxy, by Python's libraries and not by ours.
@Suite("The way to a tenant", .inTurns)
struct NetworkPathTests {
    let home: Home

    init() throws { home = try Home() }

    /// The proxy and the servers behind it.
    private struct Path {
        let session: TerminalSession
        let proxy: String
        let authorities: String

        func end() async throws {
            await session.signal(15)
            try await session.finish()
        }
    }

    private func path() async throws -> Path {
        let script = URL(filePath: #filePath).appending(path: "../../Support/tls.py").standardized.path
        let session = try TerminalSession.spawn(
            executable: "/usr/bin/python3", arguments: [script, home.path], environment: home.environment)
        try await session.expect("ready ")
        let port = try await session.expect("\r\n").trimmingCharacters(in: .whitespacesAndNewlines)
        return Path(session: session, proxy: "127.0.0.1:\(port)", authorities: home.path + "/ca.pem")
    }

    /// A look at a tenant, through the proxy.
    private func look(
        _ host: String, _ path: Path, login: String = "ada:secret", trusting: Bool = true,
        command: [String] = ["doctor"]
    ) async throws -> Run.Outcome {
        try await home.run(
            command + ["--authority", "https://\(host)/t", "--client-id", "x"]
                + (trusting ? ["--ca-file", path.authorities] : []),
            environment: ["HTTPS_PROXY": "http://\(login)@\(path.proxy)"])()
    }

    @Test("T85: through a proxy with a password, to a tenant of a private certificate authority")
    func trusted() async throws {
        let path = try await path()
        let outcome = try await look("good.test", path)
        #expect(outcome.ending == .exit(0), "\(outcome)")
        #expect(outcome.output.contains("tenant: https://good.test/t answers."))
        #expect(!"\(outcome)".contains("secret"), "the proxy's password is shown")
        try await path.end()
    }

    @Test("F22, T85: a certificate that cannot be trusted ends it, before anything is sent: 69")
    func untrusted() async throws {
        let path = try await path()
        for (host, trusting) in [("good.test", false), ("expired.test", true), ("other.test", true)] {
            let looked = try await look(host, path, trusting: trusting)
            #expect(looked.ending == .exit(1), "\(looked)")
            #expect(looked.output.contains("The tenant's certificate cannot be trusted"), "\(looked)")
            let signIn = ["signin", "-u", "ada@example.com", "--password-command", "echo x", "--json"]
            let outcome = try await look(host, path, trusting: trusting, command: signIn)
            #expect(outcome.ending == .exit(69) && outcome.output.isEmpty, "\(host): \(outcome)")
            let error = try object(outcome.errors).object("error")
            #expect(error.string("message")?.hasPrefix("The tenant's certificate cannot be trusted") == true)
            #expect(error.string("hint")?.contains("--ca-file") == true, "\(outcome)")
        }
        try await path.end()
    }

    @Test("F22, T85: a proxy that refuses is told apart from a tenant that does: 69")
    func refusedByProxy() async throws {
        let path = try await path()
        let signIn = ["signin", "-u", "ada@example.com", "--password-command", "echo x"]
        let outcome = try await look("good.test", path, login: "ada:wrong", command: signIn)
        #expect(outcome.ending == .exit(69) && outcome.errors.contains("The proxy does not cooperate"), "\(outcome)")
        #expect(outcome.errors.contains("407") && !outcome.errors.contains("wrong"), "\(outcome)")
        try await path.end()
    }

    @Test("T85: what is on this machine is never asked for through a proxy, whatever the variables say")
    func loopback() async throws {
        let port = try ClosedPort()
        let tenant = try await home.serve()
        let proxy = "http://127.0.0.1:\(port.number)"
        let outcome = try await home.run(
            ["doctor", "--authority", tenant.url, "--client-id", "x"],
            environment: ["http_proxy": proxy, "ALL_PROXY": proxy, "all_proxy": proxy])()
        #expect(outcome.ending == .exit(0) && outcome.output.contains("tenant: \(tenant.url) answers."), "\(outcome)")
        try await tenant.stop()
        withExtendedLifetime(port) {}
    }
}
