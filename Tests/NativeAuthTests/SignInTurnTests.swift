// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Testing

@testable import NativeAuth

/// Every turn that a sign-in can take up to its first factor.
struct SignInTurnTests {
    private static let opened: [ScriptedTransport.Line] = [.ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2"))]
    private static let coded: [ScriptedTransport.Line] = [.ok(Said.token("CT1")), .ok(Said.codeSent("CT2"))]
    private static let tokens = ScriptedTransport.Line.ok(Issuer.shared.tokens())

    /// What may come after any first factor.
    private static func afterFactor(_ step: String) -> [Turn] {
        [
            Turn("right", tokens, ends: .to("account")),
            Turn(
                "a second factor", .refused(Said.multiFactorRequired("CT7")), .ok(Said.methods("CT8")),
                ends: .to("factor CT8")),
            Turn(
                "a strong method", .refused(Said.registrationRequired("CT7")), .ok(Said.registrable("CT8")),
                ends: .to("registration CT8")),
            Turn(
                "a second factor without a token", .refused(#"{"error":"invalid_grant","suberror":"mfa_required"}"#),
                ends: .failed(Ending.unexpected)),
            Turn(
                "a strong method without a token",
                .refused(#"{"error":"invalid_grant","suberror":"registration_required"}"#),
                ends: .failed(Ending.unexpected)),
            Turn(
                "methods are refused", .refused(Said.multiFactorRequired("CT7")), .refused(Said.wrongToken),
                ends: .failed(.refused)),
            Turn(
                "methods in a browser", .refused(Said.multiFactorRequired("CT7")), .ok(Said.redirect),
                ends: .failed(.browserRequired)),
            Turn(
                "methods of registration are refused", .refused(Said.registrationRequired("CT7")),
                .refused(Said.expired), ends: .failed(.flowExpired)),
            Turn(
                "no methods", .refused(Said.multiFactorRequired("CT7")),
                .ok(#"{"continuation_token":"CT8","methods":[]}"#), ends: .failed(Ending.unexpected)),
            // The same request may be answered again.
            Turn(
                "no answer about methods", .refused(Said.multiFactorRequired("CT7")), .failure(.noConnection),
                .failure(.noConnection), ends: .failed(.network(.noConnection), retry: step)),
            Turn("browser", .ok(Said.redirect), ends: .failed(.browserRequired)),
            Turn("gone", .refused(Said.userNotFound), ends: .failed(.userNotFound)),
            Turn("expired", .refused(Said.expired), ends: .failed(.flowExpired)),
            Turn("no tokens", .ok("{}"), ends: .failed(Ending.unexpected)),
            Turn(
                "disabled", .refused(#"{"error":"invalid_grant","error_codes":[50057]}"#),
                ends: .failed(.accountDisabled)),
            Turn(
                "locked", .refused(#"{"error":"invalid_grant","error_codes":[50053]}"#),
                ends: .failed(.accountLocked, retry: step)),
        ]
    }

    @Test(
        arguments: afterFactor("password CT2") + [
            Turn("wrong", .refused(Said.wrongPassword), ends: .failed(.invalidCredentials, retry: "password CT2")),
            Turn(
                "a change is due", .refused(#"{"error":"invalid_request","error_codes":[50142]}"#),
                ends: .failed(.passwordChangeRequired)),
        ])
    func password(_ turn: Turn) async throws {
        // With the password up front, and with the password when asked.
        let early = ScriptedTransport(Self.opened + turn.said)
        let client = try Fjordshop.client(early)
        let atStart = await Ending { () async throws(StepError<SignInStep>) in
            try await client.signIn(username: Fjordshop.mira, password: "p")
        }
        #expect(atStart == turn.ending)
        #expect(early.isOver)
        let late = ScriptedTransport(Self.opened + turn.said)
        let step = try #require(try await Fjordshop.client(late).signIn(username: Fjordshop.mira).password)
        #expect(await Ending { () async throws(StepError<SignInStep>) in try await step.submit("p") } == turn.ending)
        #expect(late.isOver)
    }

    @Test(
        arguments: afterFactor("code CT2") + [
            Turn("wrong", .refused(Said.wrongCode), ends: .failed(.invalidCode, retry: "code CT2"))
        ])
    func code(_ turn: Turn) async throws {
        let server = ScriptedTransport(Self.coded + turn.said)
        let code = try #require(try await Fjordshop.client(server).signIn(username: Fjordshop.mira).code)
        #expect(await Ending { () async throws(StepError<SignInStep>) in try await code.submit("1") } == turn.ending)
        #expect(server.isOver)
    }

    @Test(arguments: [
        Turn("nobody", .refused(Said.userNotFound), ends: .failed(.userNotFound)),
        Turn("browser", .ok(Said.redirect), ends: .failed(.browserRequired)),
        Turn("browser later", .ok(Said.token("CT1")), .ok(Said.redirect), ends: .failed(.browserRequired)),
        Turn("a code", .ok(Said.token("CT1")), .ok(Said.codeSent("CT2")), ends: .to("code CT2")),
        Turn("preverified", .ok(Said.token("CT1")), .ok(Said.preverified("CT2")), ends: .failed(Ending.unexpected)),
        Turn("blocked", .ok(Said.token("CT1")), .refused(Said.blocked), ends: .failed(.methodBlocked)),
    ])
    func start(_ turn: Turn) async throws {
        let server = ScriptedTransport(turn.said)
        let client = try Fjordshop.client(server)
        let ending = await Ending { () async throws(StepError<SignInStep>) in
            try await client.signIn(username: Fjordshop.mira, password: "p")
        }
        #expect(ending == turn.ending)
        #expect(server.isOver)
    }

    @Test(arguments: [
        Turn("sent", .ok(Said.codeSent("CT3")), ends: .to("code CT3")),
        Turn("a password instead", .ok(Said.passwordWanted("CT3")), ends: .to("password CT3")),
        Turn("too many", .refused(Said.tooManyCodes), ends: .failed(.tooManyCodes, retry: "code CT2")),
        Turn("blocked", .refused(Said.blocked), ends: .failed(.methodBlocked, retry: "code CT2")),
        Turn("refused", .refused(Said.wrongToken), ends: .failed(.refused, retry: "code CT2")),
        Turn(
            "no answer", .failure(.timedOut), .failure(.timedOut), ends: .failed(.network(.timedOut), retry: "code CT2")
        ),
        Turn("browser", .ok(Said.redirect), ends: .failed(.browserRequired)),
    ])
    func resend(_ turn: Turn) async throws {
        let server = ScriptedTransport(Self.coded + turn.said)
        let code = try #require(try await Fjordshop.client(server).signIn(username: Fjordshop.mira).code)
        #expect(await Ending { () async throws(StepError<SignInStep>) in try await code.resend() } == turn.ending)
        #expect(server.isOver)
    }

    // MARK: - After a sign-up, and after a reset

    static let continued: [Turn] = [
        Turn("right", tokens, ends: .to("account")),
        Turn(
            "a second factor", .refused(Said.multiFactorRequired("CT7")), .ok(Said.methods("CT8")),
            ends: .to("factor CT8")),
        Turn(
            "a strong method", .refused(Said.registrationRequired("CT7")), .ok(Said.registrable("CT8")),
            ends: .to("registration CT8")),
        Turn("browser", .ok(Said.redirect), ends: .failed(.browserRequired)),
        Turn("gone", .refused(Said.userNotFound), ends: .failed(.userNotFound)),
        Turn("something else", .refused(Said.wrongToken), ends: .failed(.refused)),
    ]

    @Test(arguments: continued)
    func afterSignUp(_ turn: Turn) async throws {
        let server = ScriptedTransport(Self.coded + [.ok(Said.token("CT3"))] + turn.said)
        let code = try #require(try await Fjordshop.client(server).signUp(username: Fjordshop.mira).code)
        let done = try #require(try await code.submit("1").completion)
        #expect(done.canSignIn)
        #expect(await Ending { () async throws(StepError<SignInStep>) in try await done.signIn() } == turn.ending)
        #expect(server.isOver)
        #expect(server.form(3)["continuation_token"] == "CT3")
        #expect(server.form(3)["username"] == Fjordshop.mira)
    }

    @Test(arguments: continued)
    func afterReset(_ turn: Turn) async throws {
        let server = ScriptedTransport(
            Self.coded + [.ok(Said.codeRight("CT3")), .ok(Said.submitted("CT4")), .ok(Said.succeeded("CT5"))]
                + turn.said)
        let code = try #require(try await Fjordshop.client(server).resetPassword(username: Fjordshop.mira).code)
        let done = try #require(try await code.submit("1").password?.submit("p").completion)
        #expect(done.canSignIn)
        #expect(await Ending { () async throws(StepError<SignInStep>) in try await done.signIn() } == turn.ending)
        #expect(server.isOver)
        #expect(server.form(5)["continuation_token"] == "CT5")
        #expect(server.form(5)["username"] == Fjordshop.mira)
    }
}
