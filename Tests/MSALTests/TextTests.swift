// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL
import NativeAuth
import TenantTesting
import Testing

/// What errors say where the server says nothing, and what lies behind them.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct TextTests {
    typealias Line = ScriptedTransport.Line

    private nonisolated static func bare(_ error: String, _ suberror: String? = nil, _ codes: String = "") -> Line {
        let sub = suberror.map { #","suberror":"\#($0)""# } ?? ""
        return .refused(#"{"error":"\#(error)"\#(sub),"error_codes":[\#(codes)]}"#)
    }

    nonisolated static let rows: [(String, Line, Told)] = [
        ("signup/start", bare("user_already_exists"), .says("User already exists", "isUserAlreadyExists")),
        (
            "signup/start", bare("invalid_grant", "password_too_weak"), .says("Invalid password", "isInvalidPassword")
        ),
        ("signup/start", bare("tea_time"), .general),
        ("signup/continue, code", bare("invalid_grant", "invalid_oob_value"), .says("Invalid code", "isInvalidCode")),
        (
            "initiate", bare("user_not_found", nil, "50034"),
            .says("User does not exist", "isUserNotFound", codes: 50034)
        ),
        (
            "token, at once", bare("invalid_grant", nil, "50126"),
            .says("Invalid credentials", "isInvalidCredentials", codes: 50126)
        ),
        (
            "token, password", bare("invalid_grant", nil, "50126"),
            .says("Invalid password", "isInvalidPassword", codes: 50126)
        ),
        ("token, code", bare("invalid_grant", "invalid_oob_value"), .says("Invalid code", "isInvalidCode")),
        ("token, factor", bare("invalid_grant", "invalid_oob_value"), .says("Invalid challenge", "isInvalidChallenge")),
        ("token, after a sign-up", bare("user_not_found"), .general),
        (
            "register/challenge", bare("invalid_request", nil, "901001"),
            .says("Invalid input", "isInvalidInput", codes: 901_001)
        ),
        (
            "register/continue", bare("invalid_grant", "invalid_oob_value"),
            .says("Invalid challenge", "isInvalidChallenge")
        ),
        ("resetpassword/start", bare("user_not_found"), .says("User does not exist", "isUserNotFound")),
        (
            "resetpassword/start", bare("invalid_request", nil, "500222"),
            .says(
                "User does not have password associated with account", "isUserDoesNotHavePassword", codes: 500_222)
        ),
        (
            "resetpassword/submit", bare("invalid_grant", "password_banned"),
            .says("Invalid password", "isInvalidPassword")
        ),
        (
            "resetpassword/start", .ok(Script.bareRedirect),
            .says("Browser required. Use acquireTokenInteractively instead", "isBrowserRequired")
        ),
    ]

    @Test(arguments: rows)
    func withoutAWordOfTheServer(_ name: String, _ said: Line, _ told: Told) async throws {
        let heard = try await heard(at: name, said)
        #expect(heard.told == told)
        #expect(heard.error?.localizedDescription == heard.error?.errorDescription)
    }

    /// In place of the transport's error, which Microsoft's SDK only logs.
    @Test(arguments: [
        ([Line.offline, .offline], "noConnection: scripted"), ([.failure(.untrusted)], "untrusted: scripted"),
        ([.down, .down], "HTTP 503: no reason given"), ([.answer(404, "")], "body(status: 404)"),
        ([.no("tea_time", nil, 7)], nil),
    ])
    func whatLiesBehind(_ said: [Line], _ reason: String?) async throws {
        let scene = try AppScene()
        let heard = try await scene.hear(said) { scene.app.signIn(parameters: scene.signIn(), delegate: $0) }
        #expect(heard.error?.failureReason == reason)
    }

    private func heard(at name: String, _ said: Line) async throws -> Heard {
        let place = try #require(Place.named(name))
        let scene = try AppScene()
        let call = try await place.call(scene)
        let heard = try await scene.hear(place.before + [said]) { call($0) }
        #expect(heard.method == place.errorMethod)
        return heard
    }
}
