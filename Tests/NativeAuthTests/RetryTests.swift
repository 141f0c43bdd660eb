// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import TenantTesting
import Testing

/// What may be tried again: by the SDK, and by the person.
struct RetryTests {
    private func opened(_ line: ScriptedTransport.Line...) throws -> (ScriptedTransport, NativeAuthClient, ManualClock)
    {
        let server = ScriptedTransport(line)
        let clock = ManualClock()
        return (server, try Fjordshop.client(server, clock: clock), clock)
    }

    @Test(arguments: [500, 502, 503, 504, 599])
    func serverErrorIsTriedOnceMore(_ status: Int) async throws {
        let (server, client, clock) = try opened(
            .answer(status, "oops"), .ok(Said.token("CT1")), .ok(Said.codeSent("CT2")))
        #expect(try await client.signUp(username: Fjordshop.mira).code != nil)
        #expect(server.calls.count == 3)
        #expect(server.form(0) == server.form(1))
        #expect(server.calls[0].headers["client-request-id"] == server.calls[1].headers["client-request-id"])
        #expect(clock.waits == [.milliseconds(500)])
    }

    @Test(arguments: [500, 503])
    func secondServerErrorIsTold(_ status: Int) async throws {
        let (server, client, _) = try opened(.answer(501, ""), .answer(status, ""))
        let error = await signUpFailure { try await client.signUp(username: Fjordshop.mira) }
        #expect(error?.error.reason == .serverUnavailable(status: status))
        #expect(server.calls.count == 2)
    }

    @Test(arguments: [NetworkProblem.timedOut, .unknownHost, .noConnection, .connectionLost])
    func passingProblemIsTriedOnceMore(_ problem: NetworkProblem) async throws {
        let (server, client, clock) = try opened(.failure(problem), .ok(Said.token("CT1")), .ok(Said.codeSent("CT2")))
        #expect(try await client.signUp(username: Fjordshop.mira).code != nil)
        #expect(server.calls.count == 3)
        #expect(clock.waits == [.milliseconds(500)])
        let (again, other, _) = try opened(.failure(problem), .failure(problem))
        #expect(
            await signUpFailure { try await other.signUp(username: Fjordshop.mira) }?.error.reason == .network(problem))
        #expect(again.calls.count == 2)
    }

    @Test(arguments: [NetworkProblem.untrusted, .proxy, .tooLarge, .unavailable, .other])
    func lastingProblemIsToldAtOnce(_ problem: NetworkProblem) async throws {
        let (server, client, _) = try opened(.failure(problem))
        let error = await signUpFailure { try await client.signUp(username: Fjordshop.mira) }
        #expect(error?.error.reason == .network(problem))
        #expect(error?.error.message == "scripted")
        #expect(server.calls.count == 1)
    }

    @Test func cancellationIsToldAtOnce() async throws {
        let (server, client, _) = try opened(.failure(.cancelled))
        #expect(await signUpFailure { try await client.signUp(username: Fjordshop.mira) }?.error.reason == .cancelled)
        #expect(server.calls.count == 1)
    }

    @Test(arguments: [400, 401, 404, 429])
    func refusalIsNotTriedAgain(_ status: Int) async throws {
        let (server, client, _) = try opened(.answer(status, #"{"error":"invalid_request"}"#))
        #expect(await signUpFailure { try await client.signUp(username: Fjordshop.mira) } != nil)
        #expect(server.calls.count == 1)
    }

    @Test func secondAnswerCounts() async throws {
        let (server, client, _) = try opened(.failure(.connectionLost), .refused(#"{"error":"user_already_exists"}"#))
        #expect(
            await signUpFailure { try await client.signUp(username: Fjordshop.mira) }?.error.reason
                == .userAlreadyExists)
        #expect(server.calls.count == 2)
        let (other, mixed, _) = try opened(.answer(500, ""), .failure(.untrusted))
        #expect(
            await signUpFailure { try await mixed.signUp(username: Fjordshop.mira) }?.error.reason
                == .network(.untrusted))
        #expect(other.calls.count == 2)
    }

    // MARK: - The step that stays open

    /// A wrong code keeps the step, and the next try sends the same token.
    @Test func wrongCodeKeepsTheStep() async throws {
        let (server, client, _) = try opened(
            .ok(Said.token("CT1")), .ok(Said.codeSent("CT2")), .refused(Said.wrongCode), .refused(Said.wrongCode),
            .ok(Said.token("CT3")))
        let code = try #require(try await client.signUp(username: Fjordshop.mira).code)
        let first = await signUpFailure { try await code.submit("1") }
        #expect(first?.error.reason == .invalidCode)
        let again = try #require(first?.retry?.code)
        let second = await signUpFailure { try await again.submit("2") }
        #expect(try await second?.retry?.code?.submit("3").completion != nil)
        #expect([2, 3, 4].map { server.form($0)["continuation_token"] } == ["CT2", "CT2", "CT2"])
        #expect([2, 3, 4].map { server.form($0)["oob"] } == ["1", "2", "3"])
    }

    @Test func resendUsesTheNewestToken() async throws {
        let (server, client, _) = try opened(
            .ok(Said.token("CT1")), .ok(Said.codeSent("CT2")), .ok(Said.codeSent("CT3")), .ok(Said.codeSent("CT4")),
            .ok(Said.token("CT5")))
        var code = try #require(try await client.signUp(username: Fjordshop.mira).code)
        code = try #require(try await code.resend().code)
        code = try #require(try await code.resend().code)
        _ = try await code.submit("1")
        #expect((1...4).map { server.form($0)["continuation_token"] } == ["CT1", "CT2", "CT3", "CT4"])
        #expect(server.calls[1...3].allSatisfy { $0.url.hasSuffix("/signup/v1.0/challenge") })
    }

    @Test func refusedResendLeavesTheOldCode() async throws {
        let (server, client, _) = try opened(
            .ok(Said.token("CT1")), .ok(Said.codeSent("CT2")), .refused(Said.tooManyCodes), .ok(Issuer.shared.tokens()))
        let code = try #require(try await client.signIn(username: Fjordshop.mira).code)
        let error = await signInFailure { try await code.resend() }
        #expect(error?.error.reason == .tooManyCodes)
        #expect(try await error?.retry?.code?.submit("1").account != nil)
        #expect(server.form(3)["continuation_token"] == "CT2")
    }

    @Test func wrongPasswordKeepsTheStep() async throws {
        let (server, client, _) = try opened(
            .ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")), .refused(Said.wrongPassword),
            .refused(Said.wrongPassword), .ok(Issuer.shared.tokens()))
        let first = await signInFailure {
            try await client.signIn(username: Fjordshop.mira, password: "1")
        }
        #expect(first?.error.reason == .invalidCredentials)
        #expect(first?.error.codes == [50126])
        let step = try #require(first?.retry?.password)
        let second = await signInFailure { try await step.submit("2") }
        #expect(try await second?.retry?.password?.submit("3").account != nil)
        #expect([2, 3, 4].map { server.form($0)["continuation_token"] } == ["CT2", "CT2", "CT2"])
        #expect([2, 3, 4].map { server.form($0)["password"] } == ["1", "2", "3"])
    }

    @Test func refusedPasswordAndAttributesKeepTheirSteps() async throws {
        let invalid =
            #"{"error":"invalid_grant","suberror":"attribute_validation_failed","invalid_attributes":[{"name":"displayName"}]}"#
        let (server, client, _) = try opened(
            .ok(Said.token("CT1")), .ok(Said.codeSent("CT2")), .refused(Said.credentialRequired("CT3")),
            .ok(Said.passwordWanted("CT4")), .refused(Said.weakPassword), .refused(Said.attributesRequired("CT5")),
            .refused(invalid), .refused(Said.attributesRequired("CT6")), .ok(Said.token("CT7")))
        let code = try #require(try await client.signUp(username: Fjordshop.mira).code)
        let password = try #require(try await code.submit("1").password)
        let weak = await signUpFailure { try await password.submit("weak") }
        #expect(weak?.error.reason == .invalidPassword(.tooWeak))
        let page = try #require(try await weak?.retry?.password?.submit("strong").attributes)
        let bad = await signUpFailure { try await page.submit(["displayName": ""]) }
        #expect(bad?.error.reason == .invalidAttributes(["displayName"]))
        let next = try #require(try await bad?.retry?.attributes?.submit(["displayName": "M"]).attributes)
        #expect(try await next.submit(["city": "Å"]).completion != nil)
        #expect((4...8).map { server.form($0)["continuation_token"] } == ["CT4", "CT4", "CT5", "CT5", "CT6"])
    }

    @Test(arguments: [
        Said.expired, #"{"error":"invalid_grant","error_codes":[55200]}"#, #"{"error":"user_already_exists"}"#,
    ])
    func lostFlowKeepsNoStep(_ json: String) async throws {
        let (_, client, _) = try opened(.ok(Said.token("CT1")), .ok(Said.codeSent("CT2")), .refused(json))
        let code = try #require(try await client.signUp(username: Fjordshop.mira).code)
        let error = await signUpFailure { try await code.submit("1") }
        #expect(error != nil)
        #expect(error?.retry == nil)
    }

    @Test func networkFailureKeepsTheStep() async throws {
        let (server, client, _) = try opened(
            .ok(Said.token("CT1")), .ok(Said.codeSent("CT2")), .failure(.connectionLost), .failure(.noConnection),
            .ok(Said.token("CT3")))
        let code = try #require(try await client.signUp(username: Fjordshop.mira).code)
        let error = await signUpFailure { try await code.submit("1") }
        #expect(error?.error.reason == .network(.noConnection))
        #expect(try await error?.retry?.code?.submit("1").completion != nil)
        #expect(server.isOver)
    }

    @Test func emptyValueKeepsTheStep() async throws {
        let (server, client, _) = try opened(.ok(Said.token("CT1")), .ok(Said.codeSent("CT2")))
        let code = try #require(try await client.signUp(username: Fjordshop.mira).code)
        let error = await signUpFailure { try await code.submit("") }
        #expect(error?.error.reason == .invalidCode)
        #expect(error?.retry?.code != nil)
        #expect(server.calls.count == 2)
    }

    /// What is printed by accident holds no token.
    @Test func textOfAnErrorHoldsNoSecret() async throws {
        let (_, client, _) = try opened(
            .ok(Said.token("SECRET1")), .ok(Said.codeSent("SECRET2")), .refused(Said.wrongCode))
        let code = try #require(try await client.signUp(username: Fjordshop.mira).code)
        let error = try #require(await signUpFailure { try await code.submit("1") })
        for text in ["\(error)", String(reflecting: error)] {
            #expect(text.contains("invalidCode"))
            #expect(!text.contains("SECRET"))
        }
        let (_, other, _) = try opened(
            .ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")), .ok(Issuer.shared.tokens(access: "SECRET")))
        let account = try await other.signIn(username: Fjordshop.mira, password: "p").account
        let token = try #require(try await account?.accessToken())
        #expect(token.value == "SECRET")
        for text in ["\(token)", String(reflecting: token)] { #expect(!text.contains("SECRET")) }
    }
}
