// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

@Suite("Status", .inTurns)
struct StatusTests {
    let home: Home

    init() throws { home = try Home(.fresh) }

    /// Runs `status --json`; both forms of the command have to end the same way and say nothing on standard error.
    private func status(
        _ flags: [String] = [], exit: Int32, environment: [String: String?] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [String: Any] {
        let plain = try await home.run(["status"] + flags, environment: environment)()
        let quiet = try await home.run(["status", "-q"] + flags, environment: environment)()
        let json = try await home.run(["status", "--json"] + flags, environment: environment)()
        for outcome in [plain, quiet, json] {
            #expect(outcome.ending == .exit(exit), "\(outcome)", sourceLocation: sourceLocation)
            #expect(outcome.errors.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
        }
        #expect(!plain.output.isEmpty && quiet.output.isEmpty, sourceLocation: sourceLocation)
        #expect(json.output.occurrences(of: "\n") == 1, sourceLocation: sourceLocation)
        return try object(json.output, sourceLocation: sourceLocation)
    }

    @Test("signed out: needs signin, 4, and makes no files")
    func signedOut() async throws {
        let status = try await status(exit: 4)
        #expect(status.string("needs") == "signin" && status.string("reason") == "signed_out")
        #expect(status["usable"] as? Bool == false && status["account"] == nil && status["expires_at"] == nil)
        #expect(status.string("profile") == "local")
        #expect(status.string("authority")?.hasPrefix("http://127.0.0.1:8400/") == true)
        #expect(status.object("storage").string("path") == home.cache)
        #expect(status.object("storage")["mode"] == nil)
        #expect(home.names(in: home.path) == [])
    }

    @Test("signed in: needs none, with every fact that scripts rely on")
    func signedIn() async throws {
        try await home.signUp("ada@example.com")
        let status = try await status(exit: 0)
        #expect(status["schema"] as? Int == 1)
        #expect(status["usable"] as? Bool == true)
        #expect(status.string("reason") == "valid" && status.string("needs") == "none")
        #expect(status.object("account").string("username") == "ada@example.com")
        #expect(status.string("client_id") == "5a3d1e00-0000-4000-8000-000000000001")
        #expect(status.string("source") == "cache")
        let storage = status.object("storage")
        #expect(storage.string("backend") == "file" && storage.string("mode") == "0600")
        #expect(storage["encrypted"] as? Bool == false)
        let token = try object(try await home.succeed("token", "--json"))
        #expect(status.string("expires_at") == token.string("expires_at"))
        #expect((status["expires_in"] as? Int ?? 0) > 3000)
        let text = try await home.succeed("status")
        #expect(text.hasPrefix("Signed in as ada@example.com. The token is valid until 20"), "\(text)")
        for secret in [try #require(token.string("access_token")), Home.password] { #expect(!text.contains(secret)) }
    }

    @Test("a token that has expired, or is about to, needs a refresh", arguments: [-10, 100])
    func refresh(seconds: Int) async throws {
        try await home.signUp("ada@example.com")
        try home.expireAccessToken(in: seconds)
        let before = home.read(home.cache)
        let status = try await status(exit: 0)
        #expect(status.string("needs") == "refresh" && status["usable"] as? Bool == true)
        #expect(status.string("reason") == (seconds < 0 ? "expired" : "expires_soon"))
        #expect(home.read(home.cache) == before, "looking changes nothing")
        #expect(try await home.nativeauth("token").ending == .exit(0))
        #expect(try await self.status(exit: 0).string("needs") == "none")
    }

    @Test("without a refresh token an expired one needs a sign-in: 4, as 'token' finds")
    func ended() async throws {
        try await home.signUp("ada@example.com")
        try home.expireAccessToken(in: -10)
        try home.changeCache { $0["RefreshToken"] = nil }
        let status = try await status(exit: 4)
        #expect(status.string("needs") == "signin" && status.string("reason") == "expired")
        #expect(status.object("account").string("username") == "ada@example.com")
        #expect(try await home.nativeauth("token").ending == .exit(4))
    }

    @Test("a session that the tenant has just refused to go on with needs a sign-in")
    func refused() async throws {
        try await home.signUp("ada@example.com")
        try home.expireAccessToken(in: -10)
        try await home.succeed("tenant", "user", "delete", "ada@example.com")
        #expect(try await home.nativeauth("token").ending == .exit(4))
        let status = try await status(exit: 4)
        #expect(status.string("reason") == "refused" && status.string("needs") == "signin", "\(status)")
        #expect(status.string("error") == "invalid_grant")
    }

    @Test("a damaged cache is said and left where it is: 4", arguments: ["", "{", "[]", "{\"AccessToken\": []}"])
    func damaged(content: String) async throws {
        try await home.signUp("ada@example.com")
        try home.write(".config/nativeauth/accounts/local.json", content)
        let status = try await status(exit: 4)
        #expect(status.string("reason") == "damaged" && status.string("needs") == "signin")
        #expect(home.read(home.cache) == content)
        #expect(home.names(in: home.configFolder + "/accounts") == ["local.json", "local.lock"])
    }

    @Test("the mode is told as it was found", arguments: [0o600, 0o640, 0o644, 0o666])
    func mode(mode: Int) async throws {
        try await home.signUp("ada@example.com")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: home.cache)
        let status = try object(try await home.succeed("status", "--json"))
        #expect(status.object("storage").string("mode") == "0" + String(mode, radix: 8))
    }

    @Test("nothing that it shows moves the cursor")
    func escapes() async throws {
        let outcome = try await home.run(
            ["status", "--client-id", "x\u{1B}[2J"], environment: ["NATIVEAUTH_CACHE_DIR": home.path + "/\u{1B}]0;x"])()
        #expect(outcome.ending == .exit(4) && outcome.output.contains("x\\x1b[2J"), "\(outcome)")
        #expect(!outcome.output.contains("\u{1B}"))
    }

    @Test("a cache that is not safe is not looked into: 78")
    func insecure() async throws {
        try await home.signUp("ada@example.com")
        #expect(
            try await home.shell("mv '\(home.cache)' '\(home.path)/x'; ln -s '\(home.path)/x' '\(home.cache)'").ending
                == .exit(0))
        let outcome = try await home.nativeauth("status", "--json")
        #expect(outcome.ending == .exit(78) && outcome.output.isEmpty, "\(outcome)")
    }

    @Test("asks nothing over the network: nobody answers there, and the lock is held by another")
    func offline() async throws {
        let port = try ClosedPort()
        let flags = ["--authority", "http://127.0.0.1:\(port.number)/t", "--client-id", "x"]
        #expect(try await status(flags, exit: 4).string("reason") == "signed_out")
        withExtendedLifetime(port) {}
        try await home.signUp("ada@example.com")
        let lock = home.configFolder + "/accounts/local.lock"
        let held = try await home.shell("flock '\(lock)' flock '\(home.tenantFolder)/tenant.lock' nativeauth status -q")
        #expect(held.ending == .exit(0), "\(held)")
    }

    @Test("a token that a variable brings is what the other commands use, unless a flag is against it")
    func brought() async throws {
        let variables = ["NATIVEAUTH_ACCESS_TOKEN": "x.y.z"]
        let outcome = try await home.nativeauth("status", "--json", environment: variables)
        let status = try object(outcome.output)
        #expect(outcome.ending == .exit(0) && status["usable"] as? Bool == true, "\(outcome)")
        #expect(status.string("source") == "env" && status.string("needs") == "none")
        #expect(!outcome.output.contains("x.y.z"))
        let text = try await home.nativeauth("status", environment: variables).output
        #expect(text.hasPrefix("A token is brought by a variable: NATIVEAUTH_ACCESS_TOKEN.\n"), "\(text)")
        let other = try await home.nativeauth("status", "--profile", "local", environment: variables)
        #expect(other.ending == .exit(4), "\(other)")
    }

}
