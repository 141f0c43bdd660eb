// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Testing

@testable import NativeAuth

/// What every call does with the same answer.
struct EndpointTests {
    typealias Line = ScriptedTransport.Line

    /// A browser ends the flow wherever it is demanded, and the reason is told.
    @Test(arguments: Endpoint.allCases)
    func browser(_ endpoint: Endpoint) async throws {
        let (ending, server) = try await endpoint.ending([.ok(Said.redirect)])
        #expect(ending == .failed(.browserRequired))
        #expect(ending.error?.message == "Client is missing mfa_required capability")
        #expect(ending.error?.correlationID == server.calls.last?.headers["client-request-id"])
        #expect(server.isOver)
        let (plain, _) = try await endpoint.ending([.ok(#"{"challenge_type":"redirect"}"#)])
        #expect(plain == .failed(.browserRequired))
        #expect(plain.error?.message == nil)
    }

    @Test(arguments: Endpoint.allCases)
    func expired(_ endpoint: Endpoint) async throws {
        let (ending, _) = try await endpoint.ending([.refused(Said.expired)])
        #expect(ending == .failed(.flowExpired))
    }

    /// Nothing was said, so nothing has changed.
    @Test(arguments: Endpoint.allCases)
    func noAnswer(_ endpoint: Endpoint) async throws {
        let (lost, _) = try await endpoint.ending([.failure(.connectionLost), .failure(.timedOut)])
        #expect(lost == .failed(.network(.timedOut), retry: endpoint.step))
        #expect(lost.error?.message == "scripted")
        let (busy, _) = try await endpoint.ending([.answer(503, "no"), .answer(502, "no")])
        #expect(busy == .failed(.serverUnavailable(status: 502), retry: endpoint.step))
        let (slow, _) = try await endpoint.ending([.answer(429, "", ["retry-after": "7"])])
        #expect(slow == .failed(.rateLimited(retryAfter: 7), retry: endpoint.step))
        let (cancelled, _) = try await endpoint.ending([.failure(.cancelled)])
        #expect(cancelled == .failed(.cancelled, retry: endpoint.step))
    }

    @Test(arguments: Endpoint.allCases, ["", "{", "[]", "<html></html>", #"{"continuation_token":5}"#])
    func noAnswerOfTheProtocol(_ endpoint: Endpoint, _ body: String) async throws {
        let (ending, server) = try await endpoint.ending([.ok(body)])
        #expect(ending.reason == Ending.unexpected)
        #expect(ending.error?.correlationID == server.calls.last?.headers["client-request-id"])
        #expect(server.isOver)
    }

    // MARK: - What a reply has to hold

    /// Whole replies; each of the named members is left out in turn.
    static let members: [(Endpoint, [String: String])] = {
        let oob = ["challenge_type": #""oob""#, "continuation_token": #""CT""#, "challenge_channel": #""email""#]
        let code = oob.merging(["challenge_target_label": #""m***a""#, "code_length": "8"]) { $1 }
        let contact = oob.merging(["challenge_target": #""m@a.example""#, "code_length": "8"]) { $1 }
        let token = ["continuation_token": #""CT""#]
        let method = #"[{"id":"1","challenge_type":"oob","challenge_channel":"email"}]"#
        let methods = token.merging(["methods": method]) { $1 }
        return [
            (.signUpStart, token), (.initiate, token), (.resetStart, token),
            (.signUpChallenge, code), (.challenge, code), (.factorChallenge, code), (.resetChallenge, code),
            (.registerChallenge, contact), (.introspect, methods), (.registerIntrospect, methods),
            (.registerContinue, token), (.resetContinue, token), (.resetSubmit, token),
            (.resetPoll, ["status": #""succeeded""#]),
        ]
    }()

    @Test(arguments: members)
    func membersAreNeeded(_ endpoint: Endpoint, _ members: [String: String]) async throws {
        func reply(_ members: [String: String]) -> Line {
            .ok("{" + members.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",") + "}")
        }
        let (whole, _) = try await endpoint.ending([reply(members)])
        #expect(whole.reason == nil || whole.reason == .network(.other))
        for name in members.keys {
            let (ending, server) = try await endpoint.ending([reply(members.filter { $0.key != name })])
            #expect(ending == .failed(Ending.unexpected), "without \(name)")
            #expect(server.isOver)
        }
    }

    @Test(arguments: [
        #"[]"#, #"[{"challenge_type":"oob","challenge_channel":"email"}]"#, #"[{"id":"1","challenge_type":"oob"}]"#,
        #"[{"id":"1","challenge_channel":"email"}]"#, #"["email"]"#, #"{}"#,
    ])
    func methodsAreIncomplete(_ methods: String) async throws {
        for endpoint in [Endpoint.introspect, .registerIntrospect] {
            let (ending, _) = try await endpoint.ending([.ok(#"{"continuation_token":"CT","methods":\#(methods)}"#)])
            #expect(ending == .failed(Ending.unexpected))
        }
    }

    @Test(arguments: ["token_type", "access_token", "id_token", "expires_in"])
    func tokensAreNeeded(_ member: String) async throws {
        for endpoint in [Endpoint.token, .factorToken, .registerToken] {
            let (whole, _) = try await endpoint.ending([.ok(Issuer.shared.tokens())])
            #expect(whole == .to("account"))
            let said = Issuer.shared.tokens().replacing("\"\(member)\"", with: "\"left_out\"")
            let (ending, server) = try await endpoint.ending([.ok(said)])
            #expect(ending == .failed(Ending.unexpected))
            #expect(server.isOver)
        }
    }
}
