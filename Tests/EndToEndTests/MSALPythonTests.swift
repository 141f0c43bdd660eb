// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

@Suite("The cache that MSAL for Python shares", .inTurns)
struct MSALPythonTests {
    let home: Home

    init() throws { home = try Home() }

    /// Does with MSAL for Python what a program of that family does, and prints what came of it as JSON.
    private static let script = """
        import json, sys, msal
        path, authority, client, ca, scope = sys.argv[1:]
        cache = msal.SerializableTokenCache()
        cache.deserialize(open(path).read())
        app = msal.PublicClientApplication(
            client, authority=authority, token_cache=cache, instance_discovery=False, verify=ca)
        accounts = app.get_accounts()
        scopes = [scope] if scope else []
        held = app.acquire_token_silent(scopes, account=accounts[0]) if accounts else None
        fresh = app.acquire_token_silent(scopes, account=accounts[0], force_refresh=True) if accounts else None
        if cache.has_state_changed:
            open(path, "w").write(cache.serialize())
        print(json.dumps({"accounts": [a["username"] for a in accounts], "held": held, "fresh": fresh}))
        """

    private func python(_ server: ServedTenant, scope: String = "") async throws -> [String: Any] {
        let client = "5a3d1e00-0000-4000-8000-000000000001"
        let run = Run(
            "/usr/bin/python3", ["-c", Self.script, home.cache(of: "shared"), server.url, client, certificate, scope],
            environment: home.environment)
        let outcome = try await run()
        try #require(outcome.ending == .exit(0), "\(outcome)")
        return try object(outcome.output)
    }

    private var certificate: String { home.tenantFolder + "/tls-certificate.pem" }

    /// Everything goes over TLS, for MSAL for Python asks for nothing else.
    private func profile(_ server: ServedTenant) async throws -> [String: String] {
        try await home.succeed("config", "set", "authority", server.url, "--profile", "shared")
        try await home.succeed(
            "config", "set", "client_id", "5a3d1e00-0000-4000-8000-000000000001", "--profile", "shared")
        return ["NATIVEAUTH_PROFILE": "shared", "NATIVEAUTH_CA_FILE": certificate]
    }

    @Test(
        "it lists our account, takes our token, refreshes; and we go on with what it wrote",
        arguments: ["", "api://sample/Orders.Read"])
    func bothWays(scope: String) async throws {
        let server = try await home.serve("--tls-self-signed")
        try #require(server.url.hasPrefix("https://"))
        let environment = try await profile(server)
        let scopes = scope.isEmpty ? [] : ["--scope", scope]
        let signUp = try await home.run(try home.signUpFlags("ada@example.com") + scopes, environment: environment)()
        try #require(signUp.ending == .exit(0), "\(signUp)")
        let ours = try await home.nativeauth("token", environment: environment).output.trimmingCharacters(in: .newlines)

        let theirs = try await python(server, scope: scope)
        #expect(theirs["accounts"] as? [String] == ["ada@example.com"])
        #expect(theirs.object("held").string("access_token") == ours)
        let fresh = try #require(theirs.object("fresh").string("access_token"), "\(theirs)")
        #expect(fresh != ours)

        #expect(try await home.nativeauth("token", environment: environment).output == fresh + "\n")
        let refreshed = try await home.nativeauth("token", "--force-refresh", environment: environment)
        #expect(refreshed.ending == .exit(0) && refreshed.output != fresh + "\n", "\(refreshed)")
        let again = try await python(server, scope: scope)
        #expect(again.object("held").string("access_token") == refreshed.output.trimmingCharacters(in: .newlines))
        #expect(try await home.nativeauth("whoami", environment: environment).output == "ada@example.com\n")
        try await server.stop()
    }

    @Test("a spent refresh token is never used, where the tenant ends sessions for it")
    func strict() async throws {
        try await home.succeed("tenant", "config", "set", "refresh_token_reuse", "strict")
        let server = try await home.serve("--tls-self-signed")
        let environment = try await profile(server)
        let signUp = try await home.run(try home.signUpFlags("ada@example.com"), environment: environment)()
        try #require(signUp.ending == .exit(0), "\(signUp)")
        for _ in 1...3 {
            let theirs = try await python(server)
            #expect(theirs.object("fresh").string("access_token") != nil, "\(theirs)")
            let ours = try await home.nativeauth("token", "--force-refresh", environment: environment)
            #expect(ours.ending == .exit(0), "\(ours)")
        }
        let cache = try object(try #require(home.read(home.cache(of: "shared"))))
        #expect(cache.object("RefreshToken").count == 1)
        try await server.stop()
    }
}

extension Home {
    fileprivate func cache(of profile: String) -> String { "\(configFolder)/accounts/\(profile).json" }
}
