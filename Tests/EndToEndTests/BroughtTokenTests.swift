// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TenantTesting
import TerminalTesting
import Testing

@Suite("Tokens that the caller brings", .inTurns)
struct BroughtTokenTests {
    let home: Home

    init() throws { home = try Home() }

    private func token(_ flags: String..., environment: [String: String?]) async throws -> Run.Outcome {
        try await home.run(["token"] + flags, environment: environment)()
    }

    @Test("from a file or a variable, the file first, without an account and without a file being made")
    func sources() async throws {
        let home = try Home(.fresh)
        let file = try home.write("token", "from.file\n")
        let both = ["NATIVEAUTH_ACCESS_TOKEN_FILE": file, "NATIVEAUTH_ACCESS_TOKEN": "from-variable"]
        #expect(try await token(environment: both).output == "from.file\n")
        let variable = try await token("--json", environment: ["NATIVEAUTH_ACCESS_TOKEN": "from-variable"])
        let value = try object(variable.output)
        #expect(value.string("access_token") == "from-variable" && value.string("source") == "env")
        #expect(value["refreshed"] as? Bool == false && value["account"] == nil && value["expires_at"] == nil)
        #expect(try await token("--field", "source", environment: both).output == "file\n")
        #expect(home.names(in: home.path) == ["token"])
        let piped = try await home.shell("printf x.y.z | NATIVEAUTH_ACCESS_TOKEN_FILE=/dev/stdin nativeauth token")
        #expect(piped.output == "x.y.z\n", "\(piped)")
    }

    @Test(
        "a flag that says which token is meant comes first; an empty variable is none",
        arguments: [
            ["--account", "ada@example.com"], ["--scope", "openid"], ["--force-refresh"], ["--profile", "local"],
            ["--id-token"],
        ])
    func flagsFirst(flags: [String]) async throws {
        let outcome = try await home.run(["token"] + flags, environment: ["NATIVEAUTH_ACCESS_TOKEN": "x"])()
        #expect(outcome.ending == .exit(4), "\(outcome)")
        #expect(try await token(environment: ["NATIVEAUTH_ACCESS_TOKEN": ""]).ending == .exit(4))
    }

    @Test(
        "a line end, a blank or a control byte never gets into a header: 65",
        arguments: [
            "a\r\nX-Evil: 1", "a\nb", "a b", "a\u{1B}[0m", "a\n\n",
        ])
    func injection(text: String) async throws {
        let server = try ReceiverSocket.answering(ReceiverSocket.answer("200 OK"))
        let file = try home.write("token", text)
        for variables in [["NATIVEAUTH_ACCESS_TOKEN": text], ["NATIVEAUTH_ACCESS_TOKEN_FILE": file]] {
            for command in [
                ["token", "--format", "curl"], ["curl", server.origin], ["exec", "true"], ["credential", "exec"],
            ] {
                let outcome = try await home.run(command, environment: variables)()
                #expect(outcome.ending == .exit(65) && outcome.output.isEmpty, "\(outcome)")
                #expect(!outcome.errors.contains("Evil"))
            }
        }
        #expect(server.accepted == 0)
    }

    @Test("quotes and backslashes arrive at the server as they are, by every form")
    func quotes() async throws {
        let odd = #"a"b\c'd$e`f"#
        let server = try ReceiverSocket { peer in
            if peer.request() != nil { peer.send(ReceiverSocket.answer("200 OK")) }
        }
        let file = try home.write("token", odd)
        let scripts = [
            "nativeauth curl \(server.origin) -sS",
            "nativeauth token --format header | curl -sS -H @- \(server.origin)",
            "nativeauth token --format curl >c && curl -sS -K c \(server.origin)",
            "eval \"$(nativeauth token --format env)\"; printf 'Authorization: Bearer %s' \"$NATIVEAUTH_ACCESS_TOKEN\" | curl -sS -H @- \(server.origin)",
        ]
        for script in scripts {
            let outcome = try await home.shell(
                "cd \"$HOME\"; " + script, environment: ["NATIVEAUTH_ACCESS_TOKEN_FILE": file])
            #expect(outcome.ending == .exit(0), "\(outcome)")
        }
        #expect(server.authorizations == Array(repeating: "Bearer " + odd, count: scripts.count))
    }

    @Test("one that has expired, or does not last, is none: 4; a file that is not there, or empty: 66")
    func unusable() async throws {
        try await home.signUp("ada@example.com")
        let short = try await home.token()
        let lasting = try await token("--min-validity", "10h", environment: ["NATIVEAUTH_ACCESS_TOKEN": short])
        #expect(
            lasting.ending == .exit(4) && lasting.errors.contains("NATIVEAUTH_ACCESS_TOKEN brings expires at"),
            "\(lasting)")
        let claims = Data(#"{"exp": 1700000000}"#.utf8).base64EncodedString().replacing("=", with: "")
        let old = "eyJhbGciOiJub25lIn0.\(claims).eHg"
        let expired = try await token(environment: ["NATIVEAUTH_ACCESS_TOKEN": old])
        #expect(expired.ending == .exit(4) && expired.errors.contains("expired at 2023-11-14T22:13:20Z"), "\(expired)")
        for path in ["/nonexistent", try home.write("empty", "\n"), home.path] {
            #expect(try await token(environment: ["NATIVEAUTH_ACCESS_TOKEN_FILE": path]).ending == .exit(66), "\(path)")
        }
    }
}
