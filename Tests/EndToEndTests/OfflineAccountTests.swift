// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

@Suite("The account without a network", .inTurns)
struct OfflineAccountTests {
    let home: Home

    init() throws { home = try Home() }

    /// A profile of a tenant that nobody can reach any more, and its cache: that of the local tenant.
    private func moveToUnreachableTenant() async throws -> ClosedPort {
        try await home.signUp("ada@example.com")
        let port = try ClosedPort()
        try home.write(
            ".config/nativeauth/config.json",
            """
            {"profiles": {"far": {"authority": "http://127.0.0.1:\(port.number)/t",
              "client_id": "5a3d1e00-0000-4000-8000-000000000001"}}}
            """)
        let cache = try #require(home.read(home.cache))
        try home.write(
            ".config/nativeauth/accounts/far.json",
            cache.replacing("http://127.0.0.1:8400/local", with: "http://127.0.0.1:\(port.number)/t"))
        return port
    }

    /// Replaces the secrets of a part of the cache.
    private func replace(_ section: String, with secret: String) throws {
        try home.changeCache { cache in
            cache[section] = cache.object(section).mapValues { entry in
                (entry as? [String: Any] ?? [:]).merging(["secret": secret]) { $1 }
            }
        }
    }

    private static func token(_ payload: String) -> String {
        func part(_ text: String) -> String {
            Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
        }
        return "\(part(#"{"alg":"RS256"}"#)).\(part(payload)).\(part("no signature"))"
    }

    @Test("T81: signing out while the tenant cannot be reached, twice")
    func signOutOffline() async throws {
        let port = try await moveToUnreachableTenant()
        let flags = ["--profile", "far"]
        #expect(try await home.run(["whoami"] + flags)().output == "ada@example.com\n")
        let first = try await home.run(["signout"] + flags)()
        #expect(first.ending == .exit(75) && first.output.isEmpty)
        let told = "Signed out ada@example.com.\nThe tenant was not told: Nobody answers"
        #expect(first.errors.hasPrefix(told), "\(first)")
        let kept = home.read(home.configFolder + "/accounts/far.json") ?? ""
        #expect(!kept.contains("secret") && !kept.contains("ada@example.com"), "\(kept)")
        let second = try await home.run(["signout"] + flags)()
        #expect(second.ending == .exit(0) && second.errors == "Nobody was signed in.\n", "\(second)")
        #expect(try object(try await home.run(["signout", "--json"] + flags)().output)["account"] == nil)
        #expect(try await home.succeed("whoami") == "ada@example.com\n", "the other profile is not touched")
        withExtendedLifetime(port) {}
    }

    @Test("T81: signing out of a damaged cache leaves nothing of it, and the next time there is nobody")
    func signOutDamaged() async throws {
        try await home.signUp("ada@example.com")
        try home.write(".config/nativeauth/accounts/local.json", "{\"AccessToken\": ")
        let first = try await home.nativeauth("signout")
        #expect(first.ending == .exit(0) && first.output.isEmpty, "\(first)")
        #expect(first.errors.hasPrefix("The token cache could not be read. It is gone, with what was in it.\n"))
        #expect(home.names(in: home.configFolder + "/accounts") == ["local.lock"])
        let second = try await home.nativeauth("signout")
        #expect(second.ending == .exit(0) && second.errors == "Nobody was signed in.\n")
    }

    @Test("T82: who it is, and what is said of it, needs no network")
    func readOffline() async throws {
        let port = try await moveToUnreachableTenant()
        let flags = ["--profile", "far"]
        #expect(try await home.run(["whoami"] + flags)().output == "ada@example.com\n")
        let claims = try await home.run(["claims", "--json"] + flags)()
        #expect(try object(claims.output).string("country") == "Norway", "\(claims)")
        #expect(try await home.run(["token"] + flags)().ending == .exit(0), "a valid token is given out")
        withExtendedLifetime(port) {}
    }

    @Test("T82: an access token that is no JWT is printed as it is, however long", arguments: ["opaque", "20 KB"])
    func opaque(kind: String) async throws {
        try await home.signUp("ada@example.com")
        let secret = kind == "opaque" ? "0.AX-opaque_token~1" : String(repeating: "abcdefghij", count: 2048)
        try replace("AccessToken", with: secret)
        #expect(try await home.succeed("token") == secret + "\n")
        #expect(try object(try await home.succeed("token", "--json")).string("access_token") == secret)
        #expect(try await home.succeed("whoami") == "ada@example.com\n")
        #expect(try await home.succeed("claims").contains("Norway"))
    }

    @Test("T82: an ID token of 20 KB is shown whole")
    func longClaims() async throws {
        try await home.signUp("ada@example.com")
        let text = String(repeating: "x", count: 20_000)
        try replace("IdToken", with: Self.token(#"{"preferred_username": "ada@example.com", "long": "\#(text)"}"#))
        #expect(try object(try await home.succeed("claims", "--json")).string("long") == text)
        #expect(try await home.succeed("claims").contains(text))
    }

    static let unreadable = [
        "opaque", "a.b.c", "", "e30.e30",
        token(#"{"preferred_username": "ada@example.com", "preferred_username": "eve@example.com"}"#),
    ]

    @Test("T82: an ID token that is none, or says one thing twice, counts as nobody: 4", arguments: unreadable)
    func noIDToken(secret: String) async throws {
        try await home.signUp("ada@example.com")
        try replace("IdToken", with: secret)
        for command in ["whoami", "claims"] {
            let outcome = try await home.nativeauth(command)
            #expect(outcome.ending == .exit(4) && outcome.output.isEmpty, "\(outcome)")
        }
        #expect(try await home.nativeauth("signout").ending == .exit(0))
        #expect(home.read(home.cache)?.contains("secret") != true, "what cannot be read is forgotten all the same")
    }
}
