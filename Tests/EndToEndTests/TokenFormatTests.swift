// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TenantTesting
import TerminalTesting
import Testing

@Suite("The forms of a token", .inTurns)
struct TokenFormatTests {
    let home: Home

    init() throws { home = try Home() }

    @Test("each form holds the token, as its reader wants it")
    func forms() async throws {
        try await home.signUp("ada@example.com")
        let token = try await home.token()
        let texts = [
            "raw": "\(token)\n", "header": "Authorization: Bearer \(token)\n",
            "curl": "header = \"Authorization: Bearer \(token)\"\n", "env": "NATIVEAUTH_ACCESS_TOKEN='\(token)'\n",
        ]
        for (format, text) in texts { #expect(try await home.succeed("token", "--format", format) == text) }
        let json = try object(await home.succeed("token", "--format", "json"))
        #expect(json.string("access_token") == token && json.string("source") == "cache")
        #expect(json.string("profile") == "local" && json.object("account").string("username") == "ada@example.com")
        let alias = try object(await home.succeed("token", "--json"))
        #expect(Set(alias.keys) == Set(json.keys) && alias.string("access_token") == token)
        let credential = try object(await home.succeed("token", "--format", "exec-credential"))
        #expect(credential.object("status").string("expirationTimestamp") == json.string("expires_at"))
        for flags in [
            ["--json", "--format", "raw"], ["--field", "source", "--format", "curl"], ["--format", "yaml"],
        ] {
            #expect(try await home.run(["token"] + flags)().ending == .exit(64), "\(flags)")
        }
    }

    @Test(
        "errors are JSON where the result would be",
        arguments: [
            (["--format", "json"], true), (["--format=exec-credential"], true), (["--format", "curl"], false),
            ([], false),
        ])
    func errors(flags: [String], isJSON: Bool) async throws {
        let outcome = try await home.run(["token"] + flags)()
        #expect(outcome.ending == .exit(4) && outcome.errors.hasPrefix("{") == isJSON, "\(outcome)")
    }

    @Test("one field of the JSON object, and one claim; what is not there is a failure: 1")
    func fields() async throws {
        try await home.signUp("ada@example.com")
        let json = try object(await home.succeed("token", "--json"))
        #expect(try await home.succeed("token", "--field", "account.username") == "ada@example.com\n")
        #expect(
            try await home.succeed("token", "--json", "--field", "expires_at") == "\(json.string("expires_at") ?? "")\n"
        )
        #expect(try await home.succeed("token", "--field", "refreshed") == "false\n")
        let oid = try object(await home.succeed("claims", "--json")).string("oid")
        #expect(try await home.succeed("claims", "--field", "oid") == "\(oid ?? "")\n")
        for command in ["token", "claims"] {
            let outcome = try await home.nativeauth(command, "--field", "nope")
            #expect(outcome.ending == .exit(1) && outcome.output.isEmpty && outcome.errors.contains("no 'nope'"))
        }
    }

    @Test("the ID token, and a new one where it does not last")
    func idToken() async throws {
        try await home.signUp("ada@example.com")
        let first = try object(await home.succeed("token", "--id-token", "--json"))
        #expect(first["access_token"] == nil && first.string("source") == "cache")
        #expect(try await home.token("--id-token") == first.string("id_token"))
        let renewed = try object(await home.succeed("token", "--id-token", "--force-refresh", "--json"))
        #expect(renewed.string("source") == "refresh" && renewed.string("id_token") != first.string("id_token"))
        #expect(try await home.succeed("token", "--id-token", "--format", "env").hasPrefix("NATIVEAUTH_ID_TOKEN='ey"))
    }

    @Test("--min-validity asks for a new token where the cached one does not last")
    func validity() async throws {
        try await home.signUp("ada@example.com")
        let first = try await home.token()
        #expect(try await home.token("--min-validity", "30m") == first)
        let tooLong = try await home.nativeauth("token", "--min-validity", "10h")
        #expect(tooLong.ending == .exit(77) && tooLong.output.isEmpty, "\(tooLong)")
        #expect(tooLong.errors.contains("which is less than --min-validity"), "\(tooLong)")
        try home.expireAccessToken(in: 600)
        let second = try await home.token()
        #expect(try await home.token("--min-validity", "30m") != second)
        #expect(try await home.nativeauth("token", "--min-validity", "soon").ending == .exit(64))
    }

    @Test("on a terminal the token comes with one hint; with -q or --json without")
    func hint() async throws {
        try await home.signUp("ada@example.com")
        for (flags, hints) in [([], 1), (["-q"], 0), (["--json"], 0), (["--format", "header"], 1)] as [([String], Int)]
        {
            let session = try TerminalSession.spawn(
                executable: BuiltProgram.path("nativeauth"), arguments: ["token"] + flags,
                environment: home.environment,
                directory: home.path)
            #expect(try await session.finish() == .exit(0))
            let transcript = await session.transcript
            #expect(transcript.contains("eyJ"))
            #expect(
                transcript.occurrences(of: "'nativeauth curl URL' hands the token to curl") == hints, "\(transcript)")
        }
    }
}
