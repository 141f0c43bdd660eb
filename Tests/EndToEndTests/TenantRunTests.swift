// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import ProgramTesting
import TerminalTesting
import Testing

@Suite("A program beside a tenant of its own", .inTurns)
struct TenantRunTests {
    private let home: Home
    private let temporary: String

    init() throws {
        home = try Home()
        temporary = home.path + "/temporary"
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: false)
    }

    private func run(_ script: String, environment: [String: String?] = [:]) async throws -> Run.Outcome {
        let changes = environment.merging(["TMPDIR": temporary]) { $1 }
        return try await home.run(["tenant", "run", "--", "sh", "-c", script], environment: changes)()
    }

    @Test("finds the tenant, signs up there, and ends as itself")
    func signsUp() async throws {
        try await home.signUp("mine@example.com")
        let before = home.read(home.cache)
        let script = """
            curl -sf "$TENANT_AUTHORITY/v2.0/.well-known/openid-configuration" >description &&
            nativeauth signup -u ada@shop.test --password-file '\(try home.passwordFile())' --attribute country=Norway \
                --otp-command 'echo 12345678' --quiet && nativeauth whoami && nativeauth tenant user list; exit 7
            """
        let outcome = try await run("cd '\(home.path)' && " + script)
        #expect(outcome.ending == .exit(7), "\(outcome)")
        #expect(outcome.output.contains("ada@shop.test") && !outcome.output.contains("mine@example.com"))
        let description = try object(home.read(home.path + "/description") ?? "")
        #expect(description.string("token_endpoint")?.hasPrefix("http://127.0.0.1:") == true)
        #expect(home.names(in: temporary).isEmpty)
        #expect(home.read(home.cache) == before)
        #expect(try await home.succeed("tenant", "user", "list").contains("mine@example.com"))
    }

    @Test("finds nothing that leads to the caller's accounts")
    func variables() async throws {
        let outcome = try await run(
            "env | grep -o '^NATIVEAUTH_[A-Z_]*' | sort", environment: ["NATIVEAUTH_STORAGE": "keyring"])
        #expect(outcome.output == "NATIVEAUTH_CONFIG_DIR\nNATIVEAUTH_DATA_DIR\n", "\(outcome)")
    }

    @Test("ends by the signal that ended it", arguments: [SIGTERM, SIGKILL])
    func signal(number: Int32) async throws {
        let outcome = try await run("kill -\(number) $$")
        #expect(outcome.ending == .signal(number), "\(outcome)")
        #expect(home.names(in: temporary).isEmpty)
    }

    @Test("gets the signals that the command is sent, and leaves nothing")
    func passedOn() async throws {
        let session = try TerminalSession.spawn(
            executable: "/bin/sh",
            arguments: [
                "-c", "exec nativeauth tenant run -- sh -c 'trap \"echo was told; exit 5\" TERM; echo ready; read x'",
            ], environment: home.environment(["TMPDIR": temporary]), directory: home.path)
        try await session.expect("ready")
        #expect(home.names(in: temporary).count == 1)
        await session.signal(SIGTERM)
        try await session.expect("was told")
        #expect(try await session.finish() == .exit(5))
        #expect(home.names(in: temporary).isEmpty)
    }

    @Test("that is not there is said before anything is made")
    func notThere() async throws {
        let outcome = try await home.run(
            ["tenant", "run", "no-such-program"], environment: ["TMPDIR": "/nonexistent"])()
        #expect(
            outcome.ending == .exit(127) && outcome.errors.contains("'no-such-program' is not on PATH"), "\(outcome)")
    }
}
