// SPDX-License-Identifier: Apache-2.0

import ProgramTesting
import TerminalTesting
import Testing

@Suite("Definitions of a tenant's owner", .inTurns)
struct AdministrationTests {
    let home: Home

    init() throws { home = try Home() }

    private static let id = "11111111-1111-4111-8111-111111111111"

    @Test(
        "a misspelt member, a wrong type and a useless value are refused, and nothing is saved",
        arguments: [
            ("app", #"{"client_id":"\#(id)","multi_factr":{}}"#, "a member that is not known: 'multi_factr'"),
            ("app", #"{"client_id":"\#(id)","multi_factor":{"chanels":["sms"]}}"#, "'multi_factor.chanels'"),
            ("app", #"{"client_id":"\#(id)","claims":[{"source":"user","id":"a","claims":"b"}]}"#, "'claims.claims'"),
            ("app", #"{"name":"n"}"#, "'client_id' is missing"),
            ("app", #"{"client_id":"shop"}"#, "the client id is no GUID"),
            (
                "app", #"{"client_id":"\#(id)","multi_factor":{"channels":[]}}"#,
                "multi-factor authentication has no channel"
            ),
            ("app", #"{"client_id":"\#(id)","multi_factor":{"channels":["fax"]}}"#, "'fax' is no channel"),
            ("app", #"{"client_id":"\#(id)","flow":"none"}"#, "There is no user flow 'none'."),
            ("app", #"{"client_id":7}"#, "'client_id' is of the wrong type"),
            (
                "app", #"{"client_id":"\#(id)","claims":[{"source":"user","id":"a","claim":"sub"}]}"#,
                "'sub' is a claim of the tokens themselves"
            ),
            ("api", #"{"id":"\#(id)","name":"n","identifier":"api://x","scope":["a"]}"#, "'scope'"),
            (
                "api", #"{"id":"\#(id)","name":"n","identifier":"api://sample","scopes":["a"]}"#,
                "Another API has the identifier"
            ),
            ("flow", #"{"name":"f","method":"code","attributes":[{"name":"a","regx":"b"}]}"#, "'attributes.regx'"),
            ("flow", #"{"name":"f","method":"magic","attributes":[]}"#, "'method' has a value that is not known"),
            ("flow", #"{"name":"f","method":"code","attributes":[{"name":"a","regex":"("}]}"#, "no regular expression"),
        ])
    func refused(kind: String, json: String, words: String) async throws {
        let before = try await everything()
        let outcome = try await home.nativeauth("tenant", kind, "set", try home.write("definition.json", json))
        #expect(outcome.ending == .exit(65), "\(outcome)")
        #expect(outcome.errors.contains(words), "\(outcome)")
        #expect(try await everything() == before)
    }

    private func everything() async throws -> String {
        try await home.succeed("tenant", "app", "list", "--json") + home.succeed("tenant", "api", "list")
            + home.succeed("tenant", "flow", "list")
    }

    @Test("settings are shown by the names that change them")
    func settings() async throws {
        let changes = [
            ("contacts_per_account", "7"), ("alias_sign_in", "on"), ("refresh_token_reuse", "strict"),
            ("sms_command", "send-sms"),
            ("sms_url", "https://sms.example/send"), ("blocked_contacts", "+999*,*@blocked.example"),
        ]
        for (name, value) in changes { try await home.succeed("tenant", "config", "set", name, value) }
        let lines = try await home.succeed("tenant", "config", "list").split(separator: "\n").map(String.init)
        for (name, value) in changes { #expect(lines.contains("\(name)\t\(value)")) }
        let shown = try object(try await home.succeed("tenant", "config", "list", "--json"))
        #expect(shown["contacts_per_account"] as? Int == 7)
        #expect(shown["alias_sign_in"] as? Bool == true)
        #expect(shown["refresh_token_reuse"] as? String == "strict")
        #expect(shown["blocked_contacts"] as? [String] == ["+999*", "*@blocked.example"])
        #expect(shown.count == lines.count)
    }

    @Test(
        "a value that makes no sense is refused",
        arguments: [
            ("contacts_per_account", "0"), ("contacts_per_account", "many"), ("alias_sign_in", "maybe"),
            ("sms_url", "http://sms.example"), ("sms_url", "sms"), ("polls_in_progress", "5"), ("nothing", "1"),
            ("refresh_token_reuse", "on"),
        ])
    func useless(name: String, value: String) async throws {
        #expect(try await home.nativeauth("tenant", "config", "set", name, value).ending == .exit(64))
    }

    @Test("an account is disabled, gets another name and a method, loses it, and is deleted")
    func user() async throws {
        try await home.signUp("ada@example.com")
        let flags = ["user", "set", "ada@example.com"]
        try await home.succeed(
            "tenant", "user", "set", "ada@example.com", "--disabled", "on", "--alias", "ada.l", "--method",
            "+47 900 00 007")
        let listed = try await home.succeed("tenant", "user", "list")
        #expect(listed.hasSuffix("\tpassword, alias ada.l, disabled, method +4790000007\n"))
        try await home.succeed("tenant", "user", "set", "ada@example.com", "--disabled", "off", "--forget-methods")
        #expect(try await home.succeed("tenant", "user", "list").hasSuffix("\tpassword, alias ada.l\n"))
        try await home.succeed("tenant", "config", "set", "alias_sign_in", "on")
        try await home.succeed("signin", "-u", "ADA.L", "--password-file", try home.passwordFile())
        for more in [["--disabled", "yes"], ["--alias", "a@b"], ["--method", "nowhere"]] {
            #expect(try await home.run(["tenant"] + flags + more)().ending == .exit(64))
        }
        try await home.succeed("tenant", "user", "delete", "ada@example.com")
        #expect(try await home.nativeauth("tenant", "user", "delete", "ada@example.com").ending == .exit(1))
        #expect(try await home.succeed("tenant", "user", "list").isEmpty)
    }
}
