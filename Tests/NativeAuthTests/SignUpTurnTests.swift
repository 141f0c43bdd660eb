// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Testing

@testable import NativeAuth

/// Every turn that a sign-up can take.
struct SignUpTurnTests {
    private static let invalidAttribute =
        #"{"error":"invalid_grant","suberror":"attribute_validation_failed","invalid_attributes":[{"name":"city"}]}"#
    private static let opened: [ScriptedTransport.Line] = [.ok(Said.token("CT1")), .ok(Said.codeSent("CT2"))]
    private static let verified: [ScriptedTransport.Line] =
        opened + [.refused(Said.credentialRequired("CT3")), .ok(Said.passwordWanted("CT4"))]
    private static let asked: [ScriptedTransport.Line] = opened + [.refused(Said.attributesRequired("CT5"))]

    private static func client(_ said: [ScriptedTransport.Line]) throws -> (NativeAuthClient, ScriptedTransport) {
        let server = ScriptedTransport(said)
        return (try Fjordshop.client(server), server)
    }

    @Test(arguments: [
        Turn("a code", .ok(Said.token("CT1")), .ok(Said.codeSent("CT2")), ends: .to("code CT2")),
        Turn(
            "a password before a code", .ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")),
            ends: .to("password CT2")),
        Turn("attributes at once", .refused(Said.attributesRequired("CT5")), ends: .to("attributes CT5")),
        Turn("invalid attributes", .refused(invalidAttribute), ends: .failed(.invalidAttributes(["city"]))),
        Turn("a weak password", .refused(Said.weakPassword), ends: .failed(.invalidPassword(.tooWeak))),
        Turn("browser", .ok(Said.redirect), ends: .failed(.browserRequired)),
        Turn("browser later", .ok(Said.token("CT1")), .ok(Said.redirect), ends: .failed(.browserRequired)),
        Turn("preverified", .ok(Said.token("CT1")), .ok(Said.preverified("CT2")), ends: .failed(Ending.unexpected)),
        Turn("refused challenge", .ok(Said.token("CT1")), .refused(Said.wrongToken), ends: .failed(.refused)),
    ])
    func start(_ turn: Turn) async throws {
        let (client, server) = try Self.client(turn.said)
        let ending = await Ending { () async throws(StepError<SignUpStep>) in
            try await client.signUp(username: Fjordshop.mira)
        }
        #expect(ending == turn.ending)
        #expect(server.isOver)
    }

    @Test(arguments: [
        Turn("done", .ok(Said.token("CT6")), ends: .to("completed CT6")),
        Turn("done without a token", .ok("{}"), ends: .to("completed -")),
        Turn("browser is no end", .ok(Said.redirect), ends: .failed(.browserRequired)),
        Turn("wrong code", .refused(Said.wrongCode), ends: .failed(.invalidCode, retry: "code CT2")),
        Turn(
            "a weak password was given before", .refused(Said.weakPassword),
            ends: .failed(.invalidPassword(.tooWeak), retry: "code CT2")),
        Turn(
            "a password is wanted", .refused(Said.credentialRequired("CT3")), .ok(Said.passwordWanted("CT4")),
            ends: .to("password CT4")),
        Turn(
            "another code is wanted", .refused(Said.credentialRequired("CT3")), .ok(Said.codeSent("CT4")),
            ends: .to("code CT4")),
        Turn(
            "refused challenge", .refused(Said.credentialRequired("CT3")), .refused(Said.wrongToken),
            ends: .failed(.refused)),
        Turn(
            "browser after a code", .refused(Said.credentialRequired("CT3")), .ok(Said.redirect),
            ends: .failed(.browserRequired)),
        Turn("attributes", .refused(Said.attributesRequired("CT5")), ends: .to("attributes CT5")),
        Turn(
            "attributes without their names", .refused(#"{"error":"attributes_required","continuation_token":"CT5"}"#),
            ends: .failed(Ending.unexpected)),
        Turn(
            "invalid attributes", .refused(invalidAttribute),
            ends: .failed(.invalidAttributes(["city"]), retry: "code CT2")),
        Turn("expired", .refused(Said.expired), ends: .failed(.flowExpired)),
        Turn("something else", .refused(Said.wrongToken), ends: .failed(.refused)),
    ])
    func code(_ turn: Turn) async throws {
        let (client, server) = try Self.client(Self.opened + turn.said)
        let code = try #require(try await client.signUp(username: Fjordshop.mira).code)
        let ending = await Ending { () async throws(StepError<SignUpStep>) in try await code.submit("1") }
        #expect(ending == turn.ending)
        #expect(server.isOver)
    }

    @Test(arguments: [
        Turn("sent", .ok(Said.codeSent("CT3")), ends: .to("code CT3")),
        Turn("too many", .refused(Said.tooManyCodes), ends: .failed(.tooManyCodes, retry: "code CT2")),
        Turn("refused", .refused(Said.wrongToken), ends: .failed(.refused, retry: "code CT2")),
        Turn("unknown error", .refused(#"{"error":"solar_flare"}"#), ends: .failed(.refused, retry: "code CT2")),
        Turn("no answer of the protocol", .answer(404, ""), ends: .failed(Ending.unexpected, retry: "code CT2")),
        Turn("expired", .refused(Said.expired), ends: .failed(.flowExpired)),
        Turn("browser", .ok(Said.redirect), ends: .failed(.browserRequired)),
    ])
    func resend(_ turn: Turn) async throws {
        let (client, server) = try Self.client(Self.opened + turn.said)
        let code = try #require(try await client.signUp(username: Fjordshop.mira).code)
        let ending = await Ending { () async throws(StepError<SignUpStep>) in try await code.resend() }
        #expect(ending == turn.ending)
        #expect(server.isOver)
    }

    @Test(arguments: [
        Turn("done", .ok(Said.token("CT6")), ends: .to("completed CT6")),
        Turn(
            "weak", .refused(Said.weakPassword), ends: .failed(.invalidPassword(.tooWeak), retry: "password CT4")),
        Turn("a code is wrong", .refused(Said.wrongCode), ends: .failed(.invalidCode, retry: "password CT4")),
        Turn("attributes", .refused(Said.attributesRequired("CT5")), ends: .to("attributes CT5")),
        Turn("browser is no end", .ok(Said.redirect), ends: .failed(.browserRequired)),
        Turn("something else", .refused(Said.wrongToken), ends: .failed(.refused)),
        Turn(
            "the account appeared meanwhile", .refused(#"{"error":"user_already_exists","error_codes":[1003037]}"#),
            ends: .failed(.userAlreadyExists)),
    ])
    func password(_ turn: Turn) async throws {
        let (client, server) = try Self.client(Self.verified + turn.said)
        let code = try #require(try await client.signUp(username: Fjordshop.mira).code)
        let password = try #require(try await code.submit("1").password)
        let ending = await Ending { () async throws(StepError<SignUpStep>) in try await password.submit("p") }
        #expect(ending == turn.ending)
        #expect(server.isOver)
    }

    @Test(arguments: [
        Turn("done", .ok(Said.token("CT6")), ends: .to("completed CT6")),
        Turn("another page", .refused(Said.attributesRequired("CT6")), ends: .to("attributes CT6")),
        Turn(
            "invalid", .refused(invalidAttribute), ends: .failed(.invalidAttributes(["city"]), retry: "attributes CT5")),
        Turn("browser is no end", .ok(Said.redirect), ends: .failed(.browserRequired)),
        Turn("something else", .refused(Said.wrongToken), ends: .failed(.refused)),
        Turn(
            "the address has to be verified first",
            .refused(
                #"{"error":"verification_required","continuation_token":"CT6","unverified_attributes":[{"name":"email"}]}"#
            ), .ok(Said.codeSent("CT7")), ends: .to("code CT7")),
        Turn(
            "verification without a token", .refused(#"{"error":"verification_required"}"#),
            ends: .failed(Ending.unexpected)),
    ])
    func attributes(_ turn: Turn) async throws {
        let (client, server) = try Self.client(Self.asked + turn.said)
        let code = try #require(try await client.signUp(username: Fjordshop.mira).code)
        let page = try #require(try await code.submit("1").attributes)
        let ending = await Ending { () async throws(StepError<SignUpStep>) in try await page.submit([:]) }
        #expect(ending == turn.ending)
        #expect(server.isOver)
    }
}
