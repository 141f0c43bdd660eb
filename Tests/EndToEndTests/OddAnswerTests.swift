// SPDX-License-Identifier: Apache-2.0

import ProgramTesting
import TerminalTesting
import Testing

@Suite("Answers that mean no good", .inTurns)
struct OddAnswerTests {
    let home: Home

    init() throws { home = try Home() }

    @Test("control characters in a value are kept, and never reach the terminal as such")
    func controlCharacters() async throws {
        let flags = try home.signUpFlags("ada@example.com")
        let value = "Nor\u{1B}]52;c;ZXZpbA==\u{7}\nway"
        let outcome = try await home.run(flags.map { $0 == "country=Norway" ? "country=" + value : $0 })()
        #expect(outcome.ending == .exit(0), "\(outcome)")
        let shown = try await home.succeed("claims")
        #expect(!shown.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        #expect(shown.split(separator: "\n").filter { $0.hasPrefix("country") }.count == 1)
        #expect(try object(await home.succeed("claims", "--json")).string("country") == value)
    }

    @Test(
        "addresses that would change a mail's head are refused",
        arguments: [
            "ada@example.com\r\nBcc: eve@example.com", "ada@example.com,eve@example.com", "<ada@example.com>",
            "a@b.co\0",
        ])
    func mailHead(address: String) async throws {
        let address = address.replacing("\0", with: "\u{1}")
        let outcome = try await home.nativeauth(
            "signup", "-u", address, "--password-file", try home.passwordFile(), "--otp-command", "true", "--json")
        #expect(outcome.ending == .exit(77), "\(outcome)")
        #expect(home.names(in: home.tenantFolder + "/mail") == [])
    }

    @Test(
        "an attribute cannot take the place of a token's own claim",
        arguments: ["iss", "oid", "sub", "tid", "aud", "exp"])
    func claimNames(name: String) async throws {
        let flow = """
            {"name": "email-password", "method": "password",
             "attributes": [{"name": "country"}, {"name": "\(name)", "required": false}]}
            """
        let outcome = try await home.nativeauth("tenant", "flow", "set", try home.write("flow.json", flow))
        #expect(outcome.ending == .exit(65), "\(outcome)")
        #expect(outcome.errors.contains(name))
        let signUp = try await home.run(try home.signUpFlags("ada@example.com") + ["--attribute", "\(name)=1"])()
        #expect(signUp.ending == .exit(0), "\(signUp)")
        #expect(try object(await home.succeed("claims", "--json")).string(name) != "1")
    }

    @Test(
        "a flow that is none is refused, and the one before stays",
        arguments: [
            "", "{", "[]", #"{"name": "email-password"}"#, #"{"name": "", "method": "code", "attributes": []}"#,
            #"{"name": "x", "method": "fingerprint", "attributes": []}"#,
            #"{"name": "x", "method": "code", "attributes": [{"name": "a", "regex": "("}]}"#,
            #"{"name": "x", "method": "code", "attributes": [{"name": "a"}, {"name": "a"}]}"#,
            #"{"name": "x", "method": "code", "attributes": [{"name": "a", "page": 0}]}"#,
        ])
    func flows(json: String) async throws {
        let before = try await home.succeed("tenant", "flow", "list")
        let outcome = try await home.nativeauth("tenant", "flow", "set", try home.write("flow.json", json))
        #expect(outcome.ending == .exit(65), "\(outcome)")
        #expect(try await home.succeed("tenant", "flow", "list") == before)
    }

    @Test("answers that are too long are refused where they are read", arguments: ["password", "code"])
    func tooLong(what: String) async throws {
        try await home.signUp("ada@example.com")
        let command = "head -c 100000 /dev/zero | tr '\\0' x"
        let flags =
            what == "password"
            ? ["--password-command", command] : ["--profile", "local-code", "--otp-command", command]
        let outcome = try await home.run(
            [
                what == "password" ? "signin" : "signup", "-u",
                what == "password" ? "ada@example.com" : "eve@example.com",
            ] + flags)()
        #expect(outcome.ending == .exit(66), "\(outcome)")
        #expect(outcome.errors.contains("printed more than"))
    }
}
