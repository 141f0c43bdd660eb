// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Testing

@testable import NativeAuth

/// The registration of a strong method: every turn of it, and what is sent.
struct RegistrationTests {
    private static let asked: [ScriptedTransport.Line] = [
        .ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")), .refused(Said.registrationRequired("CT7")),
        .ok(Said.registrable("CT8")),
    ]
    private static let claims = ClaimsRequest(idToken: ["email": .essential])
    private static let phone = "+4790000007"

    private func choice(_ said: [ScriptedTransport.Line]) async throws -> (RegistrationChoice, ScriptedTransport) {
        let server = ScriptedTransport(Self.asked + said)
        let step = try await Fjordshop.client(server).signIn(
            username: Fjordshop.mira, password: "p", scopes: ["api://a/B"], claims: Self.claims)
        return (try #require(step.registration), server)
    }

    @Test func methodsAreTold() async throws {
        let (choice, _) = try await choice([])
        #expect(choice.methods.map(\.channel) == ["email", "sms"])
        #expect(choice.methods.map(\.hint) == ["mira@lofoten.example", nil])
    }

    static let refusedContacts: [(String, AuthError.Reason)] = [
        (Said.invalidContact, .invalidContact), (Said.blocked, .methodBlocked),
        (#"{"error":"access_denied","suberror":"provider_blocked_by_admin"}"#, .methodBlocked),
        (Said.wrongToken, .refused), (Said.tooManyCodes, .tooManyCodes),
    ]

    /// Another contact can be named, from either step.
    @Test(arguments: refusedContacts)
    func contactIsRefused(_ said: String, _ reason: AuthError.Reason) async throws {
        let (first, _) = try await choice([.refused(said)])
        let ending = await Ending { () async throws(StepError<SignInStep>) in
            try await first.register(first.methods[1], contact: "1")
        }
        #expect(ending == .failed(reason, retry: "registration CT8"))
        let (choice, _) = try await choice([.ok(Said.contactCodeSent("CT9")), .refused(said)])
        let code = try #require(try await choice.register(choice.methods[1], contact: Self.phone).registrationCode)
        let change = await Ending { () async throws(StepError<SignInStep>) in
            try await code.register(code.methods[0], contact: "1")
        }
        #expect(change == .failed(reason, retry: "registration code CT9"))
    }

    @Test(arguments: [
        Turn("sent", .ok(Said.contactCodeSent("CT9")), ends: .to("registration code CT9")),
        Turn(
            "proven already", .ok(Said.preverified("CT9")), .ok(Said.token("CT10")), .ok(Issuer.shared.tokens()),
            ends: .to("account")),
        Turn(
            "proven, but no end", .ok(Said.preverified("CT9")), .refused(Said.wrongToken), ends: .failed(.refused)),
        Turn("proven, browser", .ok(Said.preverified("CT9")), .ok(Said.redirect), ends: .failed(.browserRequired)),
        Turn(
            "proven, no tokens", .ok(Said.preverified("CT9")), .ok(Said.token("CT10")), .refused(Said.wrongToken),
            ends: .failed(.refused)),
        Turn(
            "proven, and again", .ok(Said.preverified("CT9")), .ok(Said.token("CT10")),
            .refused(Said.registrationRequired("CT11")), ends: .failed(Ending.unexpected)),
        Turn("proven, without a token", .ok(#"{"challenge_type":"preverified"}"#), ends: .failed(Ending.unexpected)),
        Turn("a password", .ok(Said.passwordWanted("CT9")), ends: .failed(Ending.unexpected)),
        Turn("the masked member only", .ok(Said.codeSent("CT9")), ends: .failed(Ending.unexpected)),
        Turn("browser", .ok(Said.redirect), ends: .failed(.browserRequired)),
        Turn("expired", .refused(Said.expired), ends: .failed(.flowExpired)),
        Turn(
            "no answer", .failure(.timedOut), .failure(.timedOut),
            ends: .failed(.network(.timedOut), retry: "registration CT8")),
    ])
    func register(_ turn: Turn) async throws {
        let (choice, server) = try await choice(turn.said)
        let ending = await Ending { () async throws(StepError<SignInStep>) in
            try await choice.register(choice.methods[0], contact: Fjordshop.mira)
        }
        #expect(ending == turn.ending)
        #expect(server.isOver)
    }

    @Test(arguments: [
        Turn("right", .ok(Said.token("CT10")), .ok(Issuer.shared.tokens()), ends: .to("account")),
        Turn("wrong", .refused(Said.wrongCode), ends: .failed(.invalidCode, retry: "registration code CT9")),
        Turn("refused", .refused(Said.wrongToken), ends: .failed(.refused, retry: "registration code CT9")),
        Turn("browser", .ok(Said.redirect), ends: .failed(.browserRequired)),
        Turn("without a token", .ok("{}"), ends: .failed(Ending.unexpected)),
        Turn("no tokens", .ok(Said.token("CT10")), .refused(Said.wrongToken), ends: .failed(.refused)),
        Turn("tokens in a browser", .ok(Said.token("CT10")), .ok(Said.redirect), ends: .failed(.browserRequired)),
        Turn(
            "and a second factor", .ok(Said.token("CT10")), .refused(Said.multiFactorRequired("CT11")),
            ends: .failed(Ending.unexpected)),
        Turn(
            "and once more", .ok(Said.token("CT10")), .refused(Said.registrationRequired("CT11")),
            ends: .failed(Ending.unexpected)),
        // The same request may be answered again.
        Turn(
            "no answer about tokens", .ok(Said.token("CT10")), .answer(503, ""), .answer(503, ""),
            ends: .failed(.serverUnavailable(status: 503), retry: "registration code CT9")),
    ])
    func submit(_ turn: Turn) async throws {
        let (choice, server) = try await choice([.ok(Said.contactCodeSent("CT9"))] + turn.said)
        let code = try #require(try await choice.register(choice.methods[1], contact: Self.phone).registrationCode)
        #expect(await Ending { () async throws(StepError<SignInStep>) in try await code.submit("1") } == turn.ending)
        #expect(server.isOver)
    }

    @Test func emptyValuesAreRefusedHere() async throws {
        let (choice, server) = try await choice([.ok(Said.contactCodeSent("CT9"))])
        let none = await Ending { () async throws(StepError<SignInStep>) in
            try await choice.register(choice.methods[0], contact: "")
        }
        #expect(none == .failed(.invalidContact, retry: "registration CT8"))
        let code = try #require(try await choice.register(choice.methods[1], contact: Self.phone).registrationCode)
        let change = await Ending { () async throws(StepError<SignInStep>) in
            try await code.register(code.methods[0], contact: "")
        }
        #expect(change == .failed(.invalidContact, retry: "registration code CT9"))
        let empty = await Ending { () async throws(StepError<SignInStep>) in try await code.submit("") }
        #expect(empty == .failed(.invalidCode, retry: "registration code CT9"))
        #expect(server.calls.count == 5)
    }

    /// The way through, with a code sent again and another contact. Scopes and claims of the sign-in reach its end.
    @Test func formsOfAWholeSignIn() async throws {
        let (choice, server) = try await choice([
            .ok(Said.contactCodeSent("CT9")), .ok(Said.contactCodeSent("CT10")), .ok(Said.contactCodeSent("CT11")),
            .ok(Said.token("CT12")), .ok(Issuer.shared.tokens()),
        ])
        var code = try #require(try await choice.register(choice.methods[1], contact: Self.phone).registrationCode)
        #expect(code.delivery.sentTo == Self.phone)
        #expect(code.delivery.channel == "sms")
        code = try #require(try await code.resend().registrationCode)
        #expect(code.contact == Self.phone)
        code = try #require(try await code.register(code.methods[0], contact: "m@b.example").registrationCode)
        #expect(code.method == choice.methods[0])
        #expect(try await code.submit("40518826").account != nil)

        #expect(
            server.calls.dropFirst(3).map { $0.url.split(separator: "/").suffix(3).joined(separator: "/") } == [
                "register/v1.0/introspect", "register/v1.0/challenge", "register/v1.0/challenge",
                "register/v1.0/challenge",
                "register/v1.0/continue", "oauth2/v2.0/token",
            ])
        #expect(server.form(3) == ["client_id": Fjordshop.clientID, "continuation_token": "CT7"])
        func challenge(_ token: String, _ channel: String, _ contact: String) -> [String: String] {
            [
                "client_id": Fjordshop.clientID, "continuation_token": token, "challenge_type": "oob",
                "challenge_channel": channel, "challenge_target": contact,
            ]
        }
        #expect(server.form(4) == challenge("CT8", "sms", Self.phone))
        #expect(server.form(5) == challenge("CT9", "sms", Self.phone))
        #expect(server.form(6) == challenge("CT10", "email", "m@b.example"))
        #expect(
            server.form(7) == [
                "client_id": Fjordshop.clientID, "continuation_token": "CT11", "grant_type": "oob", "oob": "40518826",
            ])
        #expect(server.form(8) == Self.lastForm("CT12"))
    }

    @Test func formsWhereTheContactIsProven() async throws {
        let (choice, server) = try await choice([
            .ok(Said.preverified("CT9")), .ok(Said.token("CT10")), .ok(Issuer.shared.tokens()),
        ])
        #expect(try await choice.register(choice.methods[0], contact: Fjordshop.mira).account != nil)
        #expect(
            server.form(5) == [
                "client_id": Fjordshop.clientID, "continuation_token": "CT9", "grant_type": "continuation_token",
            ])
        #expect(server.form(6) == Self.lastForm("CT10"))
    }

    private static func lastForm(_ token: String) -> [String: String] {
        [
            "client_id": Fjordshop.clientID, "continuation_token": token, "grant_type": "continuation_token",
            "challenge_type": "oob password redirect", "scope": "api://a/B openid profile offline_access",
            "client_info": "true", "claims": #"{"id_token":{"email":{"essential":true}}}"#,
        ]
    }
}
