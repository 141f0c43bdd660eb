// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import TenantTesting
import Testing

/// Where a flow goes after each answer.
struct FlowTests {
    typealias Line = ScriptedTransport.Line

    /// A sign-up at each of its steps, as a script and the way there.
    enum Place: String, CaseIterable, Sendable {
        case start, challenge, code, passwordChallenge, password, attributes

        var script: [Line] {
            let all: [Line] = [
                .ok(Said.token("CT1")), .ok(Said.codeSent("CT2")), .refused(Said.credentialRequired("CT3")),
                .ok(Said.passwordWanted("CT4")), .refused(Said.attributesRequired("CT5")),
            ]
            return Array(all.prefix(Self.allCases.firstIndex(of: self) ?? 0))
        }

        /// Goes there, and one step further.
        func go(_ client: NativeAuthClient) async -> StepError<SignUpStep>? {
            await signUpFailure {
                var step = try await client.signUp(username: Fjordshop.mira)
                if let code = step.code { step = try await code.submit("1") }
                if let password = step.password { step = try await password.submit("p") }
                if let page = step.attributes { step = try await page.submit(["displayName": "M"]) }
                return step
            }
        }
    }

    @Test(arguments: Place.allCases)
    func browserIsNeeded(_ place: Place) async throws {
        let server = ScriptedTransport(place.script + [.ok(Said.redirect)])
        let error = await place.go(try Fjordshop.client(server))
        #expect(error?.error.reason == .browserRequired)
        #expect(error?.error.message == "Client is missing mfa_required capability")
        #expect(error?.retry == nil)
        #expect(server.isOver)
    }

    @Test(arguments: [Place.start, .challenge, .passwordChallenge])
    func tokenIsMissing(_ place: Place) async throws {
        let json = place == .start ? "{}" : #"{"challenge_type":"password"}"#
        let server = ScriptedTransport(place.script + [.ok(json)])
        let error = await place.go(try Fjordshop.client(server))
        #expect(error?.error.reason.isUnexpectedAnswer == true)
        #expect(error?.retry == nil)
        #expect(server.isOver)
    }

    @Test(arguments: [
        #"{"challenge_type":"magic","continuation_token":"CT"}"#, #"{"continuation_token":"CT"}"#,
        #"{"challenge_type":"oob"}"#, #"{"challenge_type":"oob","continuation_token":"CT"}"#,
        #"{"challenge_type":"oob","continuation_token":"CT","challenge_target_label":"m","challenge_channel":"email"}"#,
        #"{"challenge_type":"oob","continuation_token":"CT","challenge_target_label":"m","code_length":8}"#,
        #"{"challenge_type":"oob","continuation_token":"CT","challenge_channel":"email","code_length":8}"#,
        #"{"challenge_type":"oob","continuation_token":"CT","challenge_target_label":"m","challenge_channel":"email","code_length":0}"#,
        #"{"challenge_type":"oob","continuation_token":"CT","challenge_target_label":"m","challenge_channel":"email","code_length":-8}"#,
        #"{"challenge_type":"oob","continuation_token":"CT","challenge_target_label":"m","challenge_channel":"email","code_length":"8"}"#,
    ])
    func challengeIsIncomplete(_ json: String) async throws {
        let signUp = ScriptedTransport([.ok(Said.token("CT1")), .ok(json)])
        let client = try Fjordshop.client(signUp)
        let error = await signUpFailure { try await client.signUp(username: Fjordshop.mira) }
        #expect(error?.error.reason.isUnexpectedAnswer == true)
        #expect(error?.error.correlationID == signUp.calls.last?.headers["client-request-id"])
        let signIn = try Fjordshop.client(ScriptedTransport([.ok(Said.token("CT1")), .ok(json)]))
        #expect(
            await signInFailure { try await signIn.signIn(username: Fjordshop.mira) }?.error.reason.isUnexpectedAnswer
                == true)
    }

    @Test(arguments: [
        #"{"error":"credential_required","error_codes":[55103]}"#,
        #"{"error":"attributes_required","error_codes":[55106]}"#,
        #"{"error":"attributes_required","continuation_token":"CT"}"#,
        #"{"error":"attributes_required","continuation_token":"CT","required_attributes":[]}"#,
        #"{"error":"attributes_required","required_attributes":[{"name":"a","type":"string","required":true}]}"#,
        #"{"error":"attributes_required","continuation_token":"CT","required_attributes":[{"name":"a"}]}"#,
    ])
    func wayOnIsIncomplete(_ json: String) async throws {
        let server = ScriptedTransport(Place.code.script + [.refused(json)])
        let error = await Place.code.go(try Fjordshop.client(server))
        #expect(error?.error.reason.isUnexpectedAnswer == true)
        #expect(error?.retry == nil)
    }

    struct Garbage: Sendable, CustomTestStringConvertible {
        let status: Int
        let body: String
        var testDescription: String { "HTTP \(status): \(body)" }
    }

    static let garbage: [Garbage] =
        ["", "garbage", "[]", "5", "null", "<html></html>", #"{"continuation_token":5}"#].flatMap { body in
            [200, 400, 401].map { Garbage(status: $0, body: body) }
        }
        + [204, 301, 302, 403, 404, 409, 415].map { Garbage(status: $0, body: Said.token("CT1")) }
        + [Garbage(status: 400, body: "{}"), Garbage(status: 404, body: #"{"error":"invalid_grant"}"#)]

    @Test(arguments: garbage)
    func answerIsNotOfTheProtocol(_ answer: Garbage) async throws {
        for place in [Place.start, .challenge, .code] {
            let server = ScriptedTransport(place.script + [.answer(answer.status, answer.body)])
            let error = await place.go(try Fjordshop.client(server))
            #expect(error?.error.reason.isUnexpectedAnswer == true)
            #expect(error?.error.correlationID == server.calls.last?.headers["client-request-id"])
            #expect(error?.retry == nil)
            #expect(server.isOver && server.calls.count == place.script.count + 1)
        }
    }

    @Test func unauthorizedIsReadAsARefusal() async throws {
        let server = ScriptedTransport([.answer(401, #"{"error":"invalid_client","error_codes":[7000218]}"#)])
        #expect(await Place.start.go(try Fjordshop.client(server))?.error.reason == .clientRejected)
    }

    @Test func tooManyRequests() async throws {
        let server = ScriptedTransport([.answer(429, "", ["retry-after": "7"]), .answer(429, "")])
        let client = try Fjordshop.client(server)
        #expect(await Place.start.go(client)?.error.reason == .rateLimited(retryAfter: 7))
        #expect(await Place.start.go(client)?.error.reason == .rateLimited(retryAfter: nil))
        #expect(server.calls.count == 2)
    }

    /// The header is what the server's own log has.
    @Test func correlationIDIsReadBack() async throws {
        let json = #"{"error":"user_not_found","correlation_id":"of the body"}"#
        let server = ScriptedTransport([
            .answer(400, json, ["client-request-id": "of the header"]), .refused(json),
            .refused(#"{"error":"user_not_found"}"#),
        ])
        let client = try Fjordshop.client(server)
        #expect(await signInFailure { try await client.signIn(username: "a") }?.error.correlationID == "of the header")
        #expect(await signInFailure { try await client.signIn(username: "a") }?.error.correlationID == "of the body")
        let own = await signInFailure { try await client.signIn(username: "a") }?.error.correlationID
        #expect(own == server.calls[2].headers["client-request-id"])
    }

    @Test func signUpMayEndWithoutAToken() async throws {
        let server = ScriptedTransport(Place.code.script + [.ok("{}")])
        let client = try Fjordshop.client(server)
        let code = try #require(try await client.signUp(username: Fjordshop.mira).code)
        let done = try #require(try await code.submit("1").completion)
        #expect(!done.canSignIn)
        #expect(done.username == Fjordshop.mira)
        #expect(await signInFailure { try await done.signIn() }?.error.reason == .signInRequired)
        #expect(server.isOver)
    }

    @Test func startMayAskForMoreAtOnce() async throws {
        let asked = ScriptedTransport([.refused(Said.attributesRequired("CT5"))])
        let page = try #require(try await Fjordshop.client(asked).signUp(username: Fjordshop.mira).attributes)
        #expect(page.attributes.map(\.name) == ["displayName", "city"])
        #expect(page.attributes.map(\.isRequired) == [true, false])
        #expect(page.attributes.map(\.pattern) == ["^.{1,256}$", nil])
        #expect(page.attributes.map(\.type) == ["string", "string"])
    }

    @Test func deliveryIsTold() async throws {
        let server = ScriptedTransport([.ok(Said.token("CT1")), .ok(Said.codeSent("CT2"))])
        let delivery = try #require(try await Fjordshop.client(server).signUp(username: Fjordshop.mira).code).delivery
        #expect(delivery.sentTo == "m***a@lo*****.example")
        #expect(delivery.channel == "email")
        #expect(delivery.codeLength == 8)
        #expect(delivery.resendInterval == .seconds(300))
    }

    @Test(arguments: [
        (0, 0), (300, 300), (86_400, 86_400), (86_401, 86_400), (Int.max, 86_400), (-1, 0), (Int.min, 0),
    ])
    func resendIntervalIsADayAtMost(_ said: Int, _ told: Int) async throws {
        let json = """
            {"challenge_type":"oob","continuation_token":"CT2","challenge_target_label":"m","challenge_channel":"email",
             "code_length":8,"interval":\(said)}
            """
        let server = ScriptedTransport([.ok(Said.token("CT1")), .ok(json)])
        let code = try #require(try await Fjordshop.client(server).signUp(username: Fjordshop.mira).code)
        #expect(code.delivery.resendInterval == .seconds(told))
    }

    /// An account without a password gets a code, even if a password was given.
    @Test func tenantChoosesTheFirstFactor() async throws {
        let server = ScriptedTransport([.ok(Said.token("CT1")), .ok(Said.codeSent("CT2"))])
        let step = try await Fjordshop.client(server).signIn(username: Fjordshop.mira, password: "p")
        #expect(step.code != nil)
        #expect(server.calls.count == 2)
    }
}
