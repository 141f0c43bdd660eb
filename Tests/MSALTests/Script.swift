// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import TenantTesting
import Testing

/// The words of the server in these tests.
enum Script {
    static let words = "AADSTS1: The server's words."
    static let uri = "https://login.example/error?code=1"
    static let reason = "Why only a browser can go on."
    static let codeSent = ["m***a@lo*****.example", "email", "8"]
    static let redirect = #"{"challenge_type":"redirect","redirect_reason":"\#(reason)"}"#
    static let bareRedirect = #"{"challenge_type":"redirect"}"#
    static let multiFactorMethods = ["c4b5a697 oob email m***a@lo*****.example", "d5c6b7a8 oob sms +47*****7"]
    static let registrable = ["email oob email mira@lofoten.example", "sms oob sms -"]
    /// An empty pattern is none.
    static let attributes = ["displayName string required ^.{1,256}$", "city string optional -"]
    /// The suberrors of an invalid password.
    static let passwordProblems = [
        "password_too_weak", "password_too_short", "password_too_long", "password_is_invalid",
        "password_recently_used", "password_banned",
    ]
}

extension ScriptedTransport.Line {
    /// An error of the protocol with all that it may say.
    ///
    /// - Parameter more: Further members, each with a comma before it.
    static func no(
        _ error: String, _ suberror: String? = nil, _ codes: Int..., more: String = "", words: String = Script.words,
        status: Int = 400
    ) -> Self {
        let sub = suberror.map { #","suberror":"\#($0)""# } ?? ""
        return .answer(
            status,
            """
            {"error":"\(error)"\(sub),"error_description":"\(words)","error_codes":\(codes),
             "error_uri":"\(Script.uri)","timestamp":"2026-03-14 09:30:00Z","trace_id":"t"\(more)}
            """)
    }

    static let browser = Self.ok(Script.redirect)
    static let offline = Self.failure(.noConnection)
    static let down = Self.answer(503, "")
    /// The tokens of the examples' account.
    static var tokens: Self { .ok(Issuer.shared.tokens()) }
}

/// One line of a table: what the server says to a call, and what the delegate hears.
struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let said: [ScriptedTransport.Line]
    let told: Told
    let next: Next
    var testDescription: String { name }

    init(_ name: String, _ said: ScriptedTransport.Line..., tells told: Told, _ next: Next = .none) {
        self.name = name
        self.said = said
        self.told = told
        self.next = next
    }

    /// What can be gone on from.
    enum Next: Sendable {
        /// There is no state.
        case none
        /// The same object.
        case same
        /// Another object. What is submitted on it goes with this token, and maybe to this endpoint.
        case other(String, at: String? = nil)
    }
}
