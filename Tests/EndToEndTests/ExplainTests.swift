// SPDX-License-Identifier: Apache-2.0

import ProgramTesting
import TerminalTesting
import Testing

@Suite("Explain", .inTurns)
struct ExplainTests {
    let home: Home

    init() throws { home = try Home() }

    @Test("a number, for a person")
    func number() async throws {
        #expect(
            try await home.succeed("explain", "AADSTS50126") == """
                AADSTS50126
                  Meaning  The user name or the password is wrong.
                  Cause    A typing mistake, or an old password.
                  Next     Try again, or choose a new password: 'nativeauth reset-password'.

                """)
    }

    @Test("a word, for a program")
    func word() async throws {
        let explanation = try object(try await home.succeed("explain", "invalid_oob_value", "--json"))
        #expect(explanation["schema"] as? Int == 1)
        #expect(explanation["codes"] as? [String] == ["invalid_oob_value"])
        #expect(explanation.string("meaning") == "The code is wrong or no longer valid.")
        #expect(explanation.string("next_step")?.isEmpty == false)
        #expect(explanation.string("likely_cause")?.isEmpty == false)
    }

    @Test("what is not known ends with 64, and with a guess where there is one")
    func unknown() async throws {
        let near = try await home.nativeauth("explain", "invalid_obb_value")
        #expect(near.ending == .exit(64) && near.output.isEmpty)
        #expect(near.errors.contains("Did you mean 'invalid_oob_value'?"), "\(near)")
        let far = try await home.nativeauth("explain", "12345", "--json")
        #expect(far.ending == .exit(64) && far.output.isEmpty)
        #expect(try object(far.errors).object("error").string("message") == "nothing is known about '12345'")
        #expect(try await home.nativeauth("explain").ending == .exit(64))
    }

    @Test("needs no configuration and no HOME")
    func alone() async throws {
        try home.write(".config/nativeauth/config.json", "no JSON")
        for value in [home.path, nil] {
            #expect(try await home.nativeauth("explain", "redirect", environment: ["HOME": value]).ending == .exit(0))
        }
    }

    @Test("every error that the tenant gives can be explained by what it says")
    func errors() async throws {
        let outcome = try await home.nativeauth("signin", "-u", "eve@example.com", "--otp-command", "true", "--json")
        let error = try object(outcome.errors).object("error")
        let codes = (error["error_codes"] as? [Int] ?? []).map(String.init) + [try #require(error.string("code"))]
        #expect(codes == ["50034", "user_not_found"], "\(outcome)")
        for code in codes { try await home.succeed("explain", code) }
    }
}
