// SPDX-License-Identifier: Apache-2.0

import Console
import Testing

@testable import CLI
@testable import NativeAuth

@Suite("Explanations")
struct ExplanationTests {
    /// The protocol's words and numbers, from its reference.
    static let protocolCodes =
        """
        invalid_request invalid_client invalid_grant unauthorized_client unsupported_challenge_type \
        unsupported_grant_type invalid_scope expired_token expired_refresh_token user_not_found user_already_exists \
        credential_required attributes_required verification_required access_denied server_error authorization_pending \
        slow_down unsupported_auth_method auth_not_supported redirect temporarily_unavailable invalid_token \
        password_too_weak password_too_short password_too_long password_recently_used password_banned \
        password_is_invalid invalid_oob_value attribute_validation_failed nativeauthapi_disabled mfa_required \
        registration_required introspect_required provider_blocked_by_rep provider_blocked_by_admin basic_action \
        consent_required user_account_deleted bad_token \
        50034 50053 50057 50072 50076 50126 50142 50181 55000 55200 55102 55103 55106 55108 55112 552003 65001 90100 \
        399246 399250 400002 500222 550022 550024 550025 701014 700016 70003 70011 700082 901001 901002 901007 1003037 \
        1003998 1003999 1100001 7000000
        """.split(separator: " ").map(String.init)

    @Test("cover the protocol and the exit codes")
    func covered() {
        for code in Self.protocolCodes + ExitStatus.allCases.map({ String($0.rawValue) }) {
            #expect(Explanation.find(code) != nil, "\(code)")
        }
    }

    @Test("say three things each, as sentences, and no code twice")
    func form() {
        for explanation in Explanation.all {
            for text in [explanation.meaning, explanation.cause, explanation.next] {
                let isSentence = text.hasSuffix(".") && text.first?.isLowercase == false
                #expect(isSentence || text.hasPrefix("invalid_attributes"), "\(text)")
            }
        }
        let codes = Explanation.all.flatMap(\.codes)
        #expect(Set(codes).count == codes.count)
    }

    @Test(
        "are found as people copy them",
        arguments: ["50126", "AADSTS50126", "aadsts50126", "AADSTS50126:", "AADSTS50126: Error validating credentials"])
    func spellings(text: String) {
        #expect(Explanation.find(text)?.codes == ["50126"])
    }

    @Test("are guessed at for words, never for numbers")
    func guesses() {
        #expect(Explanation.guess("invalid_obb_value") == "invalid_oob_value")
        #expect(Explanation.guess("invalidgrant") == "invalid_grant")
        #expect(Explanation.find("INVALID-GRANT")?.codes == ["invalid_grant"])
        #expect(Explanation.guess("50127") == nil && Explanation.find("50127") == nil)
        #expect(Explanation.find("") == nil && Explanation.guess("") == nil)
    }
}

@Suite("Topics")
struct TopicTests {
    @Test("T87: the exit codes of the topic are those of the program, in their order")
    func exitCodes() {
        let lines = Topic.exitCodes.help().split(separator: "\n")
        let rows = lines.drop { $0 != "Exit codes:" }.prefix { $0 != "Signals:" }
        let numbers = rows.compactMap { Int32($0.split(separator: " ").first ?? "") }
        #expect(numbers == ExitStatus.allCases.map(\.rawValue))
        #expect(numbers == [0, 1, 4, 64, 65, 66, 68, 69, 70, 73, 74, 75, 76, 77, 78])
    }

    @Test("a variable of a flag is found in the flag's row")
    func variables() {
        let rows = Topic.flags(of: [TokenCommand.outline])
        #expect(
            rows.contains(
                Topic.Row("NATIVEAUTH_PROFILE", "--profile: The profile; 'local' unless config.json names another.")))
    }
}

@Suite("Hints")
struct ExplanationHintTests {
    @Test("an error that nothing better is known about leads to its explanation")
    func hint() {
        var scope = AuthError(.invalidScope, message: "AADSTS70011: no")
        #expect(scope.hint == nil)
        scope.error = "invalid_scope"
        #expect(scope.hint == "What it means: 'nativeauth explain invalid_scope'.")
        scope.codes = [70011]
        #expect(scope.hint == "What it means: 'nativeauth explain 70011'.")
        scope.codes = [12345]
        #expect(scope.hint == "What it means: 'nativeauth explain invalid_scope'.")
        var known = AuthError(.userNotFound, message: "AADSTS50034: no")
        known.codes = [50034]
        #expect(known.hint == "Sign up first: 'nativeauth signup'.")
    }
}
