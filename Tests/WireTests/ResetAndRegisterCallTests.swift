// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Wire

/// Requests of the password reset and of the registration as the protocol's examples write them.
struct ResetAndRegisterCallTests {
    private let id = "3b6a2d54-0c1f-4f7e-8f43-6d1f2f3f4a10"

    // MARK: - /resetpassword/v1.0

    @Test func resetStart() throws {
        try expectBody(
            "client_id=\(id)&username=mira%40lofoten.example&challenge_type=oob%20redirect",
            ResetPassword.Start(clientId: id, username: "mira@lofoten.example", challengeType: [.oob, .redirect]),
            path: "/resetpassword/v1.0/start")
        try expectBody(
            "client_id=\(id)&username=mira%40lofoten.example&challenge_type=oob+redirect&capabilities=mfa_required",
            ResetPassword.Start(
                clientId: id, username: "mira@lofoten.example", challengeType: [.oob, .redirect],
                capabilities: [.mfaRequired]), path: "/resetpassword/v1.0/start")
    }

    @Test func resetChallenge() throws {
        try expectBody(
            "client_id=\(id)&continuation_token=CT18&challenge_type=oob+redirect",
            ResetPassword.Challenge(clientId: id, continuationToken: "CT18", challengeType: [.oob, .redirect]),
            path: "/resetpassword/v1.0/challenge")
        try expectBody(
            "client_id=\(id)&continuation_token=CT18", ResetPassword.Challenge(clientId: id, continuationToken: "CT18"),
            path: "/resetpassword/v1.0/challenge")
    }

    @Test func resetContinue() throws {
        try expectBody(
            "client_id=\(id)&continuation_token=CT19&grant_type=oob&oob=40518826",
            ResetPassword.Continue(clientId: id, continuationToken: "CT19", grantType: .oob, oob: "40518826"),
            path: "/resetpassword/v1.0/continue")
    }

    @Test func resetSubmit() throws {
        try expectBody(
            "client_id=\(id)&continuation_token=CT20&new_password=Fj%C3%B8rd+%26+Laks%2B47",
            ResetPassword.Submit(clientId: id, continuationToken: "CT20", newPassword: "Fjørd & Laks+47"),
            path: "/resetpassword/v1.0/submit")
    }

    @Test func resetPoll() throws {
        try expectBody(
            "client_id=\(id)&continuation_token=CT21", ResetPassword.Poll(clientId: id, continuationToken: "CT21"),
            path: "/resetpassword/v1.0/poll_completion")
    }

    // MARK: - /register/v1.0

    @Test func registerIntrospect() throws {
        try expectBody(
            "client_id=\(id)&continuation_token=CT8", Register.Introspect(clientId: id, continuationToken: "CT8"),
            path: "/register/v1.0/introspect")
    }

    @Test func registerChallenge() throws {
        try expectBody(
            "client_id=\(id)&continuation_token=CT9&challenge_type=oob&challenge_channel=sms"
                + "&challenge_target=%2B4790000007",
            Register.Challenge(
                clientId: id, continuationToken: "CT9", challengeType: .oob, challengeTarget: "+4790000007",
                challengeChannel: .sms), path: "/register/v1.0/challenge")
        try expectBody(
            "client_id=\(id)&continuation_token=CT9&challenge_type=oob&challenge_target=mira%40lofoten.example",
            Register.Challenge(
                clientId: id, continuationToken: "CT9", challengeType: .oob, challengeTarget: "mira@lofoten.example"),
            path: "/register/v1.0/challenge")
    }

    @Test func registerContinue() throws {
        try expectBody(
            "client_id=\(id)&continuation_token=CT10&grant_type=oob&oob=40518826",
            Register.Continue(clientId: id, continuationToken: "CT10", grantType: .oob, oob: "40518826"),
            path: "/register/v1.0/continue")
        try expectBody(
            "client_id=\(id)&continuation_token=CT10&grant_type=continuation_token",
            Register.Continue(clientId: id, continuationToken: "CT10", grantType: .continuationToken),
            path: "/register/v1.0/continue")
    }

    /// A registration takes one challenge type; a list is no word of the protocol.
    @Test func aListIsOneUnknownWord() throws {
        let body = "client_id=1&continuation_token=CT&challenge_type=oob+redirect&challenge_target=m"
        let call = try Form(body: Array(body.utf8)).call(Register.Challenge.self)
        #expect(call.challengeType == ChallengeType(rawValue: "oob redirect"))
        #expect(call.challengeType != .oob)
    }
}
