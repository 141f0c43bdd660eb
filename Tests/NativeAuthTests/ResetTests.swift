// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TenantTesting
import Testing

@testable import NativeAuth

/// The reset of a password: every turn of it, and what is sent.
struct ResetTests {
    private static let opened: [ScriptedTransport.Line] = [.ok(Said.token("CT1")), .ok(Said.codeSent("CT2"))]
    private static let verified: [ScriptedTransport.Line] = opened + [.ok(Said.codeRight("CT3"))]
    private static let submitted: [ScriptedTransport.Line] = verified + [.ok(Said.submitted("CT4"))]

    @Test(arguments: [
        Turn("a code", .ok(Said.token("CT1")), .ok(Said.codeSent("CT2")), ends: .to("code CT2")),
        Turn("a password", .ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")), ends: .failed(Ending.unexpected)),
        Turn("nothing", .ok(Said.token("CT1")), .ok(Said.token("CT2")), ends: .failed(Ending.unexpected)),
        Turn("nobody", .refused(Said.userNotFound), ends: .failed(.userNotFound)),
        Turn(
            "no password", .refused(#"{"error":"invalid_request","error_codes":[500222]}"#),
            ends: .failed(.userHasNoPassword)),
        Turn("browser", .ok(Said.redirect), ends: .failed(.browserRequired)),
        Turn("browser later", .ok(Said.token("CT1")), .ok(Said.redirect), ends: .failed(.browserRequired)),
    ])
    func start(_ turn: Turn) async throws {
        let server = ScriptedTransport(turn.said)
        let client = try Fjordshop.client(server)
        let ending = await Ending { () async throws(StepError<ResetStep>) in
            try await client.resetPassword(username: Fjordshop.mira)
        }
        #expect(ending == turn.ending)
        #expect(server.isOver)
    }

    @Test func emptyUsernameIsRefusedHere() async throws {
        let server = ScriptedTransport([])
        let client = try Fjordshop.client(server)
        #expect(await resetFailure { try await client.resetPassword(username: "") }?.error.reason == .invalidUsername)
        #expect(server.calls.isEmpty)
    }

    @Test(arguments: [
        Turn("right", .ok(Said.codeRight("CT3")), ends: .to("password CT3")),
        Turn("wrong", .refused(Said.wrongCode), ends: .failed(.invalidCode, retry: "code CT2")),
        Turn("without a token", .ok("{}"), ends: .failed(Ending.unexpected)),
        Turn("browser", .ok(Said.redirect), ends: .failed(.browserRequired)),
        Turn("refused", .refused(Said.wrongToken), ends: .failed(.refused)),
        Turn("verification", .refused(#"{"error":"verification_required"}"#), ends: .failed(.refused)),
    ])
    func code(_ turn: Turn) async throws {
        let server = ScriptedTransport(Self.opened + turn.said)
        let code = try #require(try await Fjordshop.client(server).resetPassword(username: Fjordshop.mira).code)
        #expect(await Ending { () async throws(StepError<ResetStep>) in try await code.submit("1") } == turn.ending)
        #expect(server.isOver)
    }

    @Test(arguments: [
        Turn("sent", .ok(Said.codeSent("CT3")), ends: .to("code CT3")),
        Turn("too many", .refused(Said.tooManyCodes), ends: .failed(.tooManyCodes, retry: "code CT2")),
        Turn("refused", .refused(Said.wrongToken), ends: .failed(.refused, retry: "code CT2")),
        Turn("a password", .ok(Said.passwordWanted("CT3")), ends: .failed(Ending.unexpected)),
        Turn("browser", .ok(Said.redirect), ends: .failed(.browserRequired)),
    ])
    func resend(_ turn: Turn) async throws {
        let server = ScriptedTransport(Self.opened + turn.said)
        let code = try #require(try await Fjordshop.client(server).resetPassword(username: Fjordshop.mira).code)
        #expect(await Ending { () async throws(StepError<ResetStep>) in try await code.resend() } == turn.ending)
        #expect(server.isOver)
    }

    @Test(arguments: [
        Turn("weak", .refused(Said.weakPassword), ends: .failed(.invalidPassword(.tooWeak), retry: "password CT3")),
        Turn("expired", .refused(Said.expired), ends: .failed(.flowExpired)),
        Turn("browser", .ok(Said.redirect), ends: .failed(.browserRequired)),
        Turn("without a token", .ok(#"{"poll_interval":2}"#), ends: .failed(Ending.unexpected)),
        Turn("done", .ok(Said.submitted("CT4")), .ok(Said.succeeded("CT5")), ends: .to("completed CT5")),
        Turn(
            "done without a token", .ok(Said.submitted("CT4")), .ok(#"{"status":"succeeded"}"#),
            ends: .to("completed -")),
        Turn(
            "weak after all", .ok(Said.submitted("CT4")), .refused(Said.weakPassword),
            ends: .failed(.invalidPassword(.tooWeak), retry: "password CT4")),
        Turn(
            "failed", .ok(Said.submitted("CT4")), .ok(Said.inProgress), .ok(Said.failed),
            ends: .failed(.resetFailed, retry: "password CT4")),
        Turn("gone", .ok(Said.submitted("CT4")), .refused(Said.userNotFound), ends: .failed(.userNotFound)),
        Turn("browser at last", .ok(Said.submitted("CT4")), .ok(Said.redirect), ends: .failed(.browserRequired)),
        Turn("no status", .ok(Said.submitted("CT4")), .ok("{}"), ends: .failed(Ending.unexpected)),
        Turn(
            "a status that nobody knows", .ok(Said.submitted("CT4")), .ok(#"{"status":"paused"}"#),
            ends: .failed(Ending.unexpected)),
        Turn(
            "no end in sight", .ok(Said.submitted("CT4")), .ok(Said.notStarted), .ok(Said.inProgress),
            .ok(Said.inProgress), .ok(Said.inProgress), .ok(Said.inProgress), .ok(Said.inProgress),
            ends: .failed(.resetFailed)),
        Turn(
            "no answer", .ok(Said.submitted("CT4")), .failure(.noConnection), .failure(.noConnection),
            ends: .failed(.network(.noConnection), retry: "password CT4")),
    ])
    func password(_ turn: Turn) async throws {
        let server = ScriptedTransport(Self.verified + turn.said)
        let code = try #require(try await Fjordshop.client(server).resetPassword(username: Fjordshop.mira).code)
        let password = try #require(try await code.submit("1").password)
        #expect(await Ending { () async throws(StepError<ResetStep>) in try await password.submit("p") } == turn.ending)
        #expect(server.isOver)
    }

    @Test func emptyPasswordIsRefusedHere() async throws {
        let server = ScriptedTransport(Self.verified)
        let code = try #require(try await Fjordshop.client(server).resetPassword(username: Fjordshop.mira).code)
        let empty = await Ending { () async throws(StepError<ResetStep>) in try await code.submit("") }
        #expect(empty == .failed(.invalidCode, retry: "code CT2"))
        let password = try #require(try await code.submit("1").password)
        #expect(password.timeLimit == .seconds(600))
        let none = await Ending { () async throws(StepError<ResetStep>) in try await password.submit("") }
        #expect(none == .failed(.invalidPassword(.empty), retry: "password CT3"))
        #expect(server.calls.count == 3)
    }

    @Test func withoutATokenThereIsNoSignIn() async throws {
        let server = ScriptedTransport(Self.submitted + [.ok(#"{"status":"succeeded"}"#)])
        let code = try #require(try await Fjordshop.client(server).resetPassword(username: Fjordshop.mira).code)
        let done = try #require(try await code.submit("1").password?.submit("p").completion)
        #expect(!done.canSignIn)
        #expect(done.username == Fjordshop.mira)
        #expect(await signInFailure { try await done.signIn() }?.error.reason == .signInRequired)
        #expect(server.isOver)
    }

    // MARK: - Polling

    /// The first look comes at once, and every look with the token of the submission.
    @Test(arguments: [
        (#"{"continuation_token":"CT4","poll_interval":7}"#, 7),
        (#"{"continuation_token":"CT4","poll_interval":0}"#, 2),
        (#"{"continuation_token":"CT4"}"#, 2), (#"{"continuation_token":"CT4","poll_interval":-1}"#, 2),
        (#"{"continuation_token":"CT4","poll_interval":1000000000}"#, 60),
    ])
    func looksAreApart(_ said: String, _ seconds: Int) async throws {
        let progress = #"{"status":"in_progress","continuation_token":"not this one"}"#
        let server = ScriptedTransport(
            Self.verified + [.ok(said), .ok(progress), .ok(Said.notStarted), .ok(Said.succeeded("CT5"))])
        let clock = ManualClock()
        let client = try Fjordshop.client(server, clock: clock)
        let code = try #require(try await client.resetPassword(username: Fjordshop.mira).code)
        #expect(try await code.submit("1").password?.submit("p").completion != nil)
        #expect(clock.waits == [.seconds(seconds), .seconds(seconds)])
        #expect(
            (4...6).map { server.form($0) }.allSatisfy {
                $0 == ["client_id": Fjordshop.clientID, "continuation_token": "CT4"]
            })
    }

    @Test func fiveRetriesAreEnough() async throws {
        let server = ScriptedTransport(Self.submitted + Array(repeating: .ok(Said.inProgress), count: 6))
        let clock = ManualClock()
        let client = try Fjordshop.client(server, clock: clock)
        let code = try #require(try await client.resetPassword(username: Fjordshop.mira).code)
        let password = try #require(try await code.submit("1").password)
        #expect(await resetFailure { try await password.submit("p") }?.error.reason == .resetFailed)
        #expect(clock.waits == Array(repeating: .seconds(2), count: 5))
        #expect(server.calls.count == 10)
    }

    @Test func cancellationEndsBetweenLooks() async throws {
        let server = ScriptedTransport(Self.submitted + [.ok(Said.inProgress)])
        let client = NativeAuthClient(
            try Fjordshop.client(server).configuration, transport: server,
            time: TimeSource(now: { ManualClock().now }, sleep: { _ in throw CancellationError() }))
        let code = try #require(try await client.resetPassword(username: Fjordshop.mira).code)
        let password = try #require(try await code.submit("1").password)
        let error = await resetFailure { try await password.submit("p") }
        #expect(error?.error.reason == .cancelled)
        #expect(server.isOver)
    }

    // MARK: - Forms

    @Test func formsOfAWholeReset() async throws {
        let server = ScriptedTransport(
            [.ok(Said.token("CT1")), .ok(Said.codeSent("CT2")), .ok(Said.codeSent("CT3"))]
                + [.ok(Said.codeRight("CT4")), .refused(Said.weakPassword), .ok(Said.submitted("CT5"))]
                + [.ok(Said.failed), .ok(Said.submitted("CT6")), .ok(Said.succeeded("CT7"))]
                + [.ok(Issuer.shared.tokens())])
        let client = try Fjordshop.client(server)
        var code = try #require(try await client.resetPassword(username: Fjordshop.mira).code)
        code = try #require(try await code.resend().code)
        let password = try #require(try await code.submit("40518826").password)
        let weak = try #require(await resetFailure { try await password.submit("weak") }?.retry?.password)
        let failed = try #require(await resetFailure { try await weak.submit("Fjørd & 1") }?.retry?.password)
        let done = try #require(try await failed.submit("Fjørd & 2").completion)
        let claims = try ClaimsRequest(json: #"{"id_token": {"email": null}}"#)
        #expect(try await done.signIn(scopes: ["api://a/B"], claims: claims).account != nil)

        let id = Fjordshop.clientID
        let types = "oob password redirect"
        #expect(
            server.calls.map { $0.url.split(separator: "/").suffix(3).joined(separator: "/") } == [
                "resetpassword/v1.0/start", "resetpassword/v1.0/challenge", "resetpassword/v1.0/challenge",
                "resetpassword/v1.0/continue", "resetpassword/v1.0/submit", "resetpassword/v1.0/submit",
                "resetpassword/v1.0/poll_completion", "resetpassword/v1.0/submit", "resetpassword/v1.0/poll_completion",
                "oauth2/v2.0/token",
            ])
        #expect(
            (0...9).map { server.form($0) } == [
                [
                    "client_id": id, "username": Fjordshop.mira, "challenge_type": types,
                    "capabilities": "mfa_required registration_required",
                ],
                ["client_id": id, "continuation_token": "CT1", "challenge_type": types],
                ["client_id": id, "continuation_token": "CT2", "challenge_type": types],
                ["client_id": id, "continuation_token": "CT3", "grant_type": "oob", "oob": "40518826"],
                ["client_id": id, "continuation_token": "CT4", "new_password": "weak"],
                ["client_id": id, "continuation_token": "CT4", "new_password": "Fjørd & 1"],
                ["client_id": id, "continuation_token": "CT5"],
                ["client_id": id, "continuation_token": "CT5", "new_password": "Fjørd & 2"],
                ["client_id": id, "continuation_token": "CT6"],
                [
                    "client_id": id, "continuation_token": "CT7", "grant_type": "continuation_token",
                    "username": Fjordshop.mira, "challenge_type": types, "client_info": "true",
                    "scope": "api://a/B openid profile offline_access", "claims": #"{"id_token": {"email": null}}"#,
                ],
            ])
    }
}
