// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import Wire

/// 200 answers of the second factor, the registration and the password reset, as the protocol's examples write them.
struct LaterReplyTests {
    /// Reads the text as the value, and writes the value as the same JSON.
    private func expect<T: Codable & Equatable>(
        _ json: String, _ value: T, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try WireJSON.decode(T.self, from: Data(json.utf8)) == value, sourceLocation: sourceLocation)
        let written = try #require(JSONValue(json: WireJSON.encode(value)))
        #expect(written == JSONValue(json: json.utf8), sourceLocation: sourceLocation)
    }

    private func expectNone<T: Decodable>(_ type: T.Type, _ json: String) {
        #expect(throws: (any Error).self) { try WireJSON.decode(type, from: Data(json.utf8)) }
    }

    // MARK: - Second factor

    @Test func methodsOfASecondFactor() throws {
        try expect(
            """
            { "continuation_token": "CT8", "methods": [
              { "id": "c4b5a697-8877-4665-8544-332211009988", "challenge_type": "oob", "challenge_channel": "email", "login_hint": "m***a@lo*****.example" },
              { "id": "d5c6b7a8-9988-4776-8655-443322110099", "challenge_type": "oob", "challenge_channel": "sms", "login_hint": "+47*****7" } ] }
            """,
            Methods(
                continuationToken: "CT8",
                methods: [
                    .init(
                        id: "c4b5a697-8877-4665-8544-332211009988", challengeType: .oob, challengeChannel: .email,
                        loginHint: "m***a@lo*****.example"),
                    .init(
                        id: "d5c6b7a8-9988-4776-8655-443322110099", challengeType: .oob, challengeChannel: .sms,
                        loginHint: "+47*****7"),
                ]))
    }

    @Test func codeOfASecondFactor() throws {
        try expect(
            """
            { "continuation_token": "CT9", "challenge_type": "oob", "binding_method": "prompt", "challenge_channel": "sms",
              "challenge_target_label": "+47*****7", "code_length": 8 }
            """,
            ChallengeReply(
                challengeType: .oob, continuationToken: "CT9", bindingMethod: "prompt", challengeChannel: .sms,
                challengeTargetLabel: "+47*****7", codeLength: 8))
    }

    /// Words that nobody knows yet keep their text.
    @Test func newWordsAreKept() throws {
        let json = #"{"methods":[{"id":"1","challenge_type":"push","challenge_channel":"voice"}]}"#
        let method = try #require(WireJSON.decode(Methods.self, from: Data(json.utf8)).methods?.first)
        #expect(method.challengeType.rawValue == "push")
        #expect(method.challengeChannel.rawValue == "voice")
    }

    // MARK: - Registration

    @Test func methodsOfARegistration() throws {
        try expect(
            """
            { "continuation_token": "CT9", "methods": [
              { "id": "email", "challenge_type": "oob", "challenge_channel": "email", "login_hint": "mira@lofoten.example" },
              { "id": "sms", "challenge_type": "oob", "challenge_channel": "sms" } ] }
            """,
            Methods(
                continuationToken: "CT9",
                methods: [
                    .init(
                        id: "email", challengeType: .oob, challengeChannel: .email, loginHint: "mira@lofoten.example"),
                    .init(id: "sms", challengeType: .oob, challengeChannel: .sms),
                ]))
    }

    @Test func codeOfARegistration() throws {
        try expect(
            """
            { "continuation_token": "CT10", "challenge_type": "oob", "binding_method": "prompt", "challenge_channel": "sms",
              "challenge_target": "+4790000007", "code_length": 8 }
            """,
            ChallengeReply(
                challengeType: .oob, continuationToken: "CT10", bindingMethod: "prompt", challengeChannel: .sms,
                challengeTarget: "+4790000007", codeLength: 8))
    }

    @Test func preverified() throws {
        try expect(
            #"{ "continuation_token": "CT10", "challenge_type": "preverified" }"#,
            ChallengeReply(challengeType: .preverified, continuationToken: "CT10"))
    }

    @Test(arguments: [
        #"{"methods":{}}"#, #"{"methods":["email"]}"#,
        #"{"methods":[{"id":1,"challenge_type":"oob","challenge_channel":"sms"}]}"#,
        #"{"methods":[{"challenge_type":"oob","challenge_channel":"sms"}]}"#,
        #"{"methods":[{"id":"1","challenge_channel":"sms"}]}"#, #"{"methods":[{"id":"1","challenge_type":"oob"}]}"#,
    ])
    func otherShapesAreNoMethods(_ json: String) {
        expectNone(Methods.self, json)
    }

    // MARK: - Password reset

    @Test func codeIsRight() throws {
        try expect(
            #"{ "continuation_token": "CT20", "expires_in": 600 }"#,
            Continuation(continuationToken: "CT20", expiresIn: 600))
    }

    @Test func submitted() throws {
        try expect(
            #"{ "continuation_token": "CT21", "poll_interval": 2 }"#,
            ResetSubmitted(continuationToken: "CT21", pollInterval: 2))
        expectNone(ResetSubmitted.self, #"{"continuation_token":"CT21","poll_interval":"2"}"#)
    }

    @Test func progress() throws {
        try expect(#"{ "status": "not_started" }"#, ResetProgress(status: .notStarted))
        try expect(#"{ "status": "in_progress" }"#, ResetProgress(status: .inProgress))
        try expect(#"{ "status": "failed" }"#, ResetProgress(status: .failed))
        try expect(
            #"{ "status": "succeeded", "continuation_token": "CT22" }"#,
            ResetProgress(status: .succeeded, continuationToken: "CT22"))
        try expect(
            #"{ "status": "succeeded", "continuation_token": "CT22", "expires_in": 600 }"#,
            ResetProgress(status: .succeeded, continuationToken: "CT22", expiresIn: 600))
        try expect(#"{"status":"paused"}"#, ResetProgress(status: .init(rawValue: "paused")))
        expectNone(ResetProgress.self, #"{"status":1}"#)
    }

    // MARK: - A browser instead

    @Test func redirect() throws {
        let json =
            #"{ "challenge_type": "redirect", "redirect_reason": "Client is missing registration_required capability" }"#
        let reason = "Client is missing registration_required capability"
        try expect(json, Methods(challengeType: .redirect, redirectReason: reason))
        try expect(json, ResetSubmitted(challengeType: .redirect, redirectReason: reason))
        try expect(json, ResetProgress(challengeType: .redirect, redirectReason: reason))
        try expect(json, Tokens(challengeType: .redirect, redirectReason: reason))
        try expect(json, Continuation(challengeType: .redirect, redirectReason: reason))
        try expect(json, ChallengeReply(challengeType: .redirect, redirectReason: reason))
        try expect(#"{"challenge_type":"redirect"}"#, Methods(challengeType: .redirect))
    }
}
