// SPDX-License-Identifier: Apache-2.0

import MSAL
import NativeAuth
import TenantTesting
import Testing

/// Answers that are none of the protocol's, at every call, and those that lack something.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct BadAnswerTests {
    typealias Line = ScriptedTransport.Line

    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        let said: [Line]
        let passes: Bool
        var testDescription: String { name }

        init(_ name: String, _ said: Line..., passes: Bool = false) {
            self.name = name
            self.said = said
            self.passes = passes
        }
    }

    /// What these say in words and numbers is not heard.
    nonisolated static let faults: [Fault] = [
        Fault("403", .no("invalid_grant", "invalid_oob_value", 1, status: 403)),
        Fault("404", .answer(404, "<html>")),
        Fault("429", .no("invalid_request", nil, 1, status: 429), passes: true),
        Fault(
            "500", .no("invalid_grant", nil, 1, status: 500), .no("invalid_grant", nil, 1, status: 500), passes: true),
        Fault("503 after 502", .answer(502, ""), .down, passes: true),
        Fault("302", .answer(302, "", ["location": "https://login.example"])),
        Fault("200 without JSON", .ok("<html>")),
        Fault("200 with a list", .ok("[]")),
        Fault("400 without JSON", .answer(400, "Bad Request")),
        Fault("400 without an error", .refused(#"{"error_description":"AADSTS1","error_codes":[50126]}"#)),
        Fault("401 without an error", .answer(401, "{}")),
        Fault("no host", .failure(.unknownHost), .failure(.unknownHost), passes: true),
        Fault("no answer", .failure(.timedOut), .failure(.connectionLost), passes: true),
        Fault("no trust", .failure(.untrusted), passes: true),
    ]

    @Test(arguments: Place.all, faults)
    func isGeneral(_ place: Place, _ fault: Fault) async throws {
        let scene = try AppScene()
        let call = try await place.call(scene)
        let heard = try await scene.hear(place.before + fault.said) { call($0) }
        #expect(heard.method == place.errorMethod)
        #expect(heard.told == .badBody)
        #expect(heard.error?.correlationId == scene.id)
        #expect(scene.server.isOver)
        switch place.leaves {
        case .never: #expect(heard.state == nil)
        case .always: #expect(heard.state != nil)
        case .whenPassing: #expect((heard.state != nil) == fault.passes)
        }
    }

    @Test(arguments: Place.all)
    func oneServerErrorIsNone(_ place: Place) async throws {
        let scene = try AppScene()
        let call = try await place.call(scene)
        let heard = try await scene.hear(place.before + [.down, .no("tea_time", nil, 7)]) { call($0) }
        #expect(heard.told == .server(codes: 7))
        #expect(scene.server.isOver)
        #expect(scene.clock.waits.last == .milliseconds(500))
    }

    // MARK: Answers that lack something

    private nonisolated static let code = [
        #"{"challenge_type":"oob","challenge_channel":"email","challenge_target_label":"m","code_length":8}"#,
        #"{"challenge_type":"oob","challenge_channel":"email","challenge_target_label":"m","continuation_token":"C"}"#,
        #"{"challenge_type":"oob","challenge_channel":"email","code_length":8,"continuation_token":"C"}"#,
        #"{"challenge_type":"oob","challenge_target_label":"m","code_length":8,"continuation_token":"C"}"#,
        #"{"challenge_type":"pigeon","continuation_token":"C"}"#,
    ]
    private nonisolated static let contact =
        code[..<4].map { $0.replacing("challenge_target_label", with: "challenge_target") }
    private nonisolated static let methods = [
        #"{"methods":[{"id":"a","challenge_type":"oob","challenge_channel":"email"}]}"#,
        #"{"continuation_token":"C"}"#, #"{"continuation_token":"C","methods":[]}"#,
        #"{"continuation_token":"C","methods":[{"id":"a"}]}"#,
    ]

    nonisolated static let badBodies: [(String, [String])] = [
        ("signup/start", ["{}"]), ("initiate", ["{}"]), ("resetpassword/start", ["{}"]),
        ("signup/challenge", code + [#"{"continuation_token":"C"}"#, #"{"challenge_type":"password"}"#]),
        ("challenge", code + [#"{"challenge_type":"password"}"#]),
        ("challenge, factor", code),
        ("resetpassword/challenge", code),
        ("introspect", methods), ("register/introspect", methods),
        ("register/challenge", contact + [#"{"challenge_type":"preverified"}"#]),
        ("register/continue", ["{}"]), ("register/continue, proven", ["{}"]), ("resetpassword/continue", ["{}"]),
        ("resetpassword/submit", [#"{"poll_interval":2}"#]),
        ("poll_completion", ["{}", #"{"status":"paused"}"#]),
    ]

    @Test(arguments: badBodies)
    func lacksSomething(_ name: String, _ bodies: [String]) async throws {
        try await each(bodies, at: name, tells: .badBody)
    }

    /// Where only the type of the challenge is not one to go on with.
    @Test(arguments: [
        ("challenge", [#"{"continuation_token":"C"}"#]), ("challenge, again", [#"{"continuation_token":"C"}"#]),
        ("challenge, factor", [#"{"continuation_token":"C"}"#]),
        ("resetpassword/challenge", [#"{"continuation_token":"C"}"#, Said.passwordWanted("C")]),
        (
            "register/challenge",
            [#"{"challenge_type":"pigeon","continuation_token":"C"}"#, Said.passwordWanted("C")]
        ),
    ])
    func hasAnUnexpectedType(_ name: String, _ bodies: [String]) async throws {
        try await each(bodies, at: name, tells: .badChallenge)
    }

    /// A token answer that cannot be kept.
    @Test(arguments: ["token, at once", "token, password", "token, code", "token, factor", "token, registration"])
    func areNoTokens(_ name: String) async throws {
        let tokens = Issuer.shared.tokens()
        let bodies = [
            "{}", tokens.replacing("\"Bearer\"", with: "\"pop\""), tokens.replacing("\"token_type\"", with: "\"a\""),
            tokens.replacing("\"access_token\"", with: "\"a\"").replacing("\"id_token\"", with: "\"b\""),
            tokens.replacing("\"id_token\"", with: "\"a\""), Issuer.shared.tokens(id: "not.a.token"),
        ]
        try await each(bodies, at: name, tells: .general)
    }

    @Test func anyCaseIsABearer() async throws {
        let scene = try AppScene()
        let tokens = Issuer.shared.tokens().replacing("\"Bearer\"", with: "\"bearer\"")
        #expect(try await scene.account(.ok(tokens)).account.username == Fjordshop.mira)
    }

    private func each(_ bodies: [String], at name: String, tells told: Told) async throws {
        let place = try #require(Place.named(name))
        for body in bodies {
            let scene = try AppScene()
            let call = try await place.call(scene)
            let heard = try await scene.hear(place.before + [.ok(body)]) { call($0) }
            #expect(heard.told == told, "\(body)")
            #expect(heard.method == place.errorMethod)
        }
    }
}
