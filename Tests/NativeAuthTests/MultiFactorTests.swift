// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Testing

@testable import NativeAuth

/// A second factor: every turn of it, and what is sent.
struct MultiFactorTests {
    private static let asked: [ScriptedTransport.Line] = [
        .ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")), .refused(Said.multiFactorRequired("CT7")),
        .ok(Said.methods("CT8")),
    ]

    private func choice(_ said: [ScriptedTransport.Line]) async throws -> (MultiFactorChoice, ScriptedTransport) {
        let server = ScriptedTransport(Self.asked + said)
        let step = try await Fjordshop.client(server).signIn(
            username: Fjordshop.mira, password: "p", scopes: ["api://a/B"], claims: Self.claims)
        return (try #require(step.factor), server)
    }

    private static let claims = ClaimsRequest(accessToken: ["acrs": .init(essential: true, value: "c4")])

    @Test func methodsAreTold() async throws {
        let (choice, _) = try await choice([])
        #expect(choice.methods.map(\.id) == ["c4b5a697", "d5c6b7a8"])
        #expect(choice.methods.map(\.channel) == ["email", "sms"])
        #expect(choice.methods.map(\.hint) == ["m***a@lo*****.example", "+47*****7"])
    }

    @Test(arguments: [
        Turn("sent", .ok(Said.codeSent("CT9")), ends: .to("factor code CT9")),
        Turn("a password", .ok(Said.passwordWanted("CT9")), ends: .failed(Ending.unexpected)),
        Turn("preverified", .ok(Said.preverified("CT9")), ends: .failed(Ending.unexpected)),
        Turn("blocked", .refused(Said.blocked), ends: .failed(.methodBlocked, retry: "factor CT8")),
        Turn(
            "blocked by the owner", .refused(#"{"error":"access_denied","suberror":"provider_blocked_by_admin"}"#),
            ends: .failed(.methodBlocked, retry: "factor CT8")),
        Turn("browser", .ok(Said.redirect), ends: .failed(.browserRequired)),
        Turn("refused", .refused(Said.wrongToken), ends: .failed(.refused, retry: "factor CT8")),
        Turn("no answer of the protocol", .answer(403, "no"), ends: .failed(Ending.unexpected, retry: "factor CT8")),
        Turn("expired", .refused(Said.expired), ends: .failed(.flowExpired)),
        Turn(
            "no answer", .failure(.timedOut), .failure(.timedOut),
            ends: .failed(.network(.timedOut), retry: "factor CT8")
        ),
        Turn("slow down", .answer(429, ""), ends: .failed(.rateLimited(retryAfter: nil), retry: "factor CT8")),
    ])
    func challenge(_ turn: Turn) async throws {
        let (choice, server) = try await choice(turn.said)
        let ending = await Ending { () async throws(StepError<SignInStep>) in
            try await choice.challenge(choice.methods[0])
        }
        #expect(ending == turn.ending)
        #expect(server.isOver)
    }

    @Test(arguments: [
        Turn("right", .ok(Issuer.shared.tokens()), ends: .to("account")),
        Turn("wrong", .refused(Said.wrongCode), ends: .failed(.invalidCode, retry: "factor code CT9")),
        Turn(
            "a second factor again", .refused(Said.multiFactorRequired("CT10")), ends: .failed(Ending.unexpected)),
        Turn(
            "a strong method after that", .refused(Said.registrationRequired("CT10")),
            ends: .failed(Ending.unexpected)),
        Turn("refused", .refused(Said.wrongToken), ends: .failed(.refused, retry: "factor code CT9")),
        Turn("browser", .ok(Said.redirect), ends: .failed(.browserRequired)),
        Turn("no tokens", .ok("{}"), ends: .failed(Ending.unexpected)),
        Turn(
            "no answer", .failure(.noConnection), .failure(.noConnection),
            ends: .failed(.network(.noConnection), retry: "factor code CT9")),
    ])
    func submit(_ turn: Turn) async throws {
        let (choice, server) = try await choice([.ok(Said.codeSent("CT9"))] + turn.said)
        let code = try #require(try await choice.challenge(choice.methods[1]).factorCode)
        #expect(await Ending { () async throws(StepError<SignInStep>) in try await code.submit("1") } == turn.ending)
        #expect(server.isOver)
    }

    @Test func emptyCodeIsRefusedHere() async throws {
        let (choice, server) = try await choice([.ok(Said.codeSent("CT9"))])
        let code = try #require(try await choice.challenge(choice.methods[0]).factorCode)
        let ending = await Ending { () async throws(StepError<SignInStep>) in try await code.submit("") }
        #expect(ending == .failed(.invalidCode, retry: "factor code CT9"))
        #expect(server.calls.count == 5)
    }

    /// The way through, with a code sent again, another method, and a wrong code.
    @Test func formsOfAWholeSignIn() async throws {
        let (choice, server) = try await choice([
            .ok(Said.codeSent("CT9")), .ok(Said.codeSent("CT10")), .ok(Said.codeSent("CT11")),
            .refused(Said.wrongCode), .ok(Issuer.shared.tokens()),
        ])
        var code = try #require(try await choice.challenge(choice.methods[0]).factorCode)
        code = try #require(try await code.resend().factorCode)
        #expect(code.method == choice.methods[0])
        code = try #require(try await code.challenge(code.methods[1]).factorCode)
        #expect(code.method == choice.methods[1])
        #expect(code.delivery.codeLength == 8)
        let wrong = code
        let error = await signInFailure { try await wrong.submit("1") }
        #expect(try await error?.retry?.factorCode?.submit("40518826").account != nil)

        #expect(
            server.calls.dropFirst(3).map { $0.url.split(separator: "/").last } == [
                "introspect", "challenge", "challenge", "challenge", "token", "token",
            ])
        #expect(server.form(3) == ["client_id": Fjordshop.clientID, "continuation_token": "CT7"])
        func challenge(_ token: String, _ id: String) -> [String: String] {
            [
                "client_id": Fjordshop.clientID, "continuation_token": token,
                "challenge_type": "oob password redirect", "id": id,
            ]
        }
        #expect(server.form(4) == challenge("CT8", "c4b5a697"))
        #expect(server.form(5) == challenge("CT9", "c4b5a697"))
        #expect(server.form(6) == challenge("CT10", "d5c6b7a8"))
        #expect(
            server.form(8) == [
                "client_id": Fjordshop.clientID, "continuation_token": "CT11", "grant_type": "mfa_oob",
                "oob": "40518826", "scope": "api://a/B openid profile offline_access", "client_info": "true",
                "claims": #"{"access_token":{"acrs":{"essential":true,"value":"c4"}}}"#,
            ])
    }
}
