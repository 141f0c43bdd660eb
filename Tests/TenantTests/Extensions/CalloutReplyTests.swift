// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

@testable import Tenant

/// What a receiver's answer is taken for.
struct CalloutReplyTests {
    typealias Event = AuthenticationExtension.Event

    private static func read(
        _ body: String, for event: Event, status: Int = 200, contentType: String? = "application/json"
    ) -> CalloutOutcome {
        CalloutReply(status: status, contentType: contentType, body: Array(body.utf8)).outcome(for: event)
    }

    private static func answer(_ kind: String, _ actions: String...) -> String {
        """
        {"data": {"@odata.type": "microsoft.graph.\(kind)ResponseData", "actions": [\(actions.joined(separator: ","))]}}
        """
    }

    private static func claims(_ claims: String) -> CalloutOutcome {
        read(
            answer(
                "onTokenIssuanceStart",
                #"{"@odata.type": "microsoft.graph.tokenIssuanceStart.provideClaimsForToken", "claims": \#(claims)}"#),
            for: .tokenIssuanceStart)
    }

    // MARK: - Every action

    private static let start = "microsoft.graph.attributeCollectionStart"
    private static let submit = "microsoft.graph.attributeCollectionSubmit"

    private static let actions: [(Event, kind: String, action: String, CalloutOutcome)] = [
        (
            .tokenIssuanceStart, "onTokenIssuanceStart",
            #"""
            {"@odata.type": "microsoft.graph.tokenIssuanceStart.provideClaimsForToken",
             "claims": {"shopTier": "gold", "shopRoles": ["buyer", "reviewer"], "none": []}}
            """#,
            .claims([
                "shopTier": .string("gold"), "shopRoles": .array([.string("buyer"), .string("reviewer")]),
                "none": .array([]),
            ])
        ),
        (
            .attributeCollectionStart, "onAttributeCollectionStart",
            #"{"@odata.type": "\#(start).continueWithDefaultBehavior"}"#, .goOn
        ),
        (
            .attributeCollectionStart, "onAttributeCollectionStart",
            #"{"@odata.type": "\#(start).setPrefillValues", "inputs": {"country": "Norway", "age": 31}}"#,
            .prefill(["country": .string("Norway"), "age": .integer(31)])
        ),
        (
            .attributeCollectionStart, "onAttributeCollectionStart",
            #"{"@odata.type": "\#(start).setPreFillValues", "inputs": {}}"#, .prefill([:])
        ),
        (
            .attributeCollectionStart, "onAttributeCollectionStart",
            #"{"@odata.type": "\#(start).showBlockPage", "title": "Sorry", "message": "Not you."}"#,
            .block(title: "Sorry", message: "Not you.")
        ),
        (
            .attributeCollectionSubmit, "onAttributeCollectionSubmit",
            #"{"@odata.type": "\#(submit).continueWithDefaultBehavior"}"#, .goOn
        ),
        (
            .attributeCollectionSubmit, "onAttributeCollectionSubmit",
            #"{"@odata.type": "\#(submit).modifyAttributeValues", "attributes": {"displayName": "MIRA L"}}"#,
            .modify(["displayName": .string("MIRA L")])
        ),
        (
            .attributeCollectionSubmit, "onAttributeCollectionSubmit",
            #"""
            {"@odata.type": "\#(submit).showValidationError", "message": "Please correct the form.",
             "attributeErrors": {"displayName": "Already in use"}}
            """#,
            .validationError(message: "Please correct the form.", attributes: ["displayName": "Already in use"])
        ),
        (
            .attributeCollectionSubmit, "onAttributeCollectionSubmit",
            #"{"@odata.type": "\#(submit).showValidationError", "message": "No."}"#,
            .validationError(message: "No.", attributes: [:])
        ),
        (
            .attributeCollectionSubmit, "onAttributeCollectionSubmit",
            #"{"@odata.type": "\#(submit).showBlockPage", "title": "Sorry", "message": "Not you."}"#,
            .block(title: "Sorry", message: "Not you.")
        ),
        (.emailOtpSend, "OnOtpSend", #"{"@odata.type": "microsoft.graph.OtpSend.continueWithDefaultBehavior"}"#, .goOn),
    ]

    @Test(arguments: actions.indices)
    func action(_ index: Int) {
        let (event, kind, action, outcome) = Self.actions[index]
        #expect(Self.read(Self.answer(kind, action), for: event) == outcome)
        // Microsoft's own pages differ in the case of these names.
        let (lower, type) = (Self.answer(kind, action), "\"@odata.type\": \"")
        let shouted = lower.split(separator: type, omittingEmptySubsequences: false).enumerated().map { index, part in
            index == 0 ? String(part) : String(part.prefix { $0 != "\"" }).uppercased() + part.drop { $0 != "\"" }
        }
        #expect(Self.read(shouted.joined(separator: type), for: event) == outcome)
        // An action of one event means nothing at another.
        for other in Event.allCases where other != event {
            #expect(Self.read(Self.answer(kind, action), for: other).code == 1_003_003)
            #expect(Self.read(Self.answer(other.dataName, action), for: other).code == 1_003_012)
        }
    }

    // MARK: - Every failure

    private static let goOn = answer(
        "OnOtpSend", #"{"@odata.type": "microsoft.graph.OtpSend.continueWithDefaultBehavior"}"#)

    @Test(arguments: [201, 204, 301, 302, 307, 400, 401, 403, 404, 429, 500, 503])
    func statusHasToBe200(_ status: Int) {
        #expect(Self.read(Self.goOn, for: .emailOtpSend, status: status).code == 1_003_002)
    }

    @Test(
        arguments: [
            ("application/json", nil), (" Application/JSON ; charset=utf-8", nil), ("application/json;odata=x", nil),
            (nil, 1_003_006), ("", 1_003_006), ("text/html", 1_003_006), ("text/json", 1_003_006),
            ("application/jsonp", 1_003_006), ("application/problem+json", 1_003_006),
            ("text/plain; application/json", 1_003_006),
        ] as [(String?, Int?)])
    func contentType(_ type: String?, _ code: Int?) {
        #expect(Self.read(Self.goOn, for: .emailOtpSend, contentType: type).code == code)
    }

    @Test(arguments: [
        "", "null", "[]", "{}", "\"data\"", "{", #"{"data": null}"#, #"{"data": []}"#, #"{"data": {}}"#, "\u{FEFF}{}",
        // No type, another event's type, one that is no text.
        #"{"data": {"actions": []}}"#, #"{"data": {"@odata.type": 1, "actions": []}}"#,
        answer("onTokenIssuanceStart", #"{"@odata.type": "microsoft.graph.OtpSend.continueWithDefaultBehavior"}"#),
        // No actions, or not a list.
        #"{"data": {"@odata.type": "microsoft.graph.OnOtpSendResponseData"}}"#,
        #"{"data": {"@odata.type": "microsoft.graph.OnOtpSendResponseData", "actions": {}}}"#,
        // Two readers could understand these in two ways.
        goOn + goOn, goOn + "x", goOn.replacing("\"data\"", with: "\"data\": 1, \"data\""),
        // Too deep.
        #"{"data": {"@odata.type": "microsoft.graph.OnOtpSendResponseData", "x": "#
            + String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000) + "}}",
    ])
    func bodyHasToBeUnderstood(_ body: String) {
        #expect(Self.read(body, for: .emailOtpSend).code == 1_003_003)
    }

    @Test func numberOfActions() {
        let action = #"{"@odata.type": "microsoft.graph.OtpSend.continueWithDefaultBehavior"}"#
        #expect(Self.read(Self.answer("OnOtpSend"), for: .emailOtpSend).code == 1_003_010)
        #expect(Self.read(Self.answer("OnOtpSend", action, action), for: .emailOtpSend).code == 1_003_010)
    }

    @Test(arguments: [
        "{}", "null", "1", #"{"@odata.type": ""}"#, #"{"@odata.type": null}"#, #"{"@odata.type": "x"}"#,
        #"{"@odata.type": "microsoft.graph.OtpSend.continueWithDefaultBehaviour"}"#,
    ])
    func actionHasToBeKnown(_ action: String) {
        #expect(Self.read(Self.answer("OnOtpSend", action), for: .emailOtpSend).code == 1_003_012)
    }

    @Test(arguments: [
        (Event.attributeCollectionStart, #"{"@odata.type": "\#(start).setPrefillValues"}"#),
        (.attributeCollectionStart, #"{"@odata.type": "\#(start).setPrefillValues", "inputs": ["country"]}"#),
        (.attributeCollectionStart, #"{"@odata.type": "\#(start).showBlockPage", "title": "Sorry"}"#),
        (.attributeCollectionStart, #"{"@odata.type": "\#(start).showBlockPage", "message": "Not you."}"#),
        (.attributeCollectionSubmit, #"{"@odata.type": "\#(submit).modifyAttributeValues", "attributes": null}"#),
        (.attributeCollectionSubmit, #"{"@odata.type": "\#(submit).showValidationError"}"#),
        (.attributeCollectionSubmit, #"{"@odata.type": "\#(submit).showValidationError", "message": 1}"#),
        (
            .attributeCollectionSubmit,
            #"{"@odata.type": "\#(submit).showValidationError", "message": "m", "attributeErrors": {"city": 1}}"#
        ),
        (
            .attributeCollectionSubmit,
            #"{"@odata.type": "\#(submit).showValidationError", "message": "m", "attributeErrors": "city"}"#
        ),
    ])
    func actionHasToBeWhole(_ event: Event, _ action: String) {
        #expect(Self.read(Self.answer(event.dataName, action), for: event).code == 1_003_003)
    }

    @Test func sizeHasALimit() {
        let blanks = String(repeating: " ", count: 64 * 1024 - Self.goOn.utf8.count)
        #expect(Self.read(Self.goOn + blanks, for: .emailOtpSend) == .goOn)
        #expect(Self.read(Self.goOn + blanks + " ", for: .emailOtpSend).code == 1_003_024)
    }

    @Test func wordsForAPersonHaveALimit() {
        let long = String(repeating: "x", count: 5000)
        let action = #"{"@odata.type": "\#(Self.start).showBlockPage", "title": "\#(long)", "message": "\#(long)"}"#
        let short = String(repeating: "x", count: 1000)
        #expect(
            Self.read(Self.answer("onAttributeCollectionStart", action), for: .attributeCollectionStart)
                == .block(title: short, message: short))
    }

    // MARK: - Claims

    @Test(arguments: [
        ("null", 1_003_007), ("[]", 1_003_007), ("\"gold\"", 1_003_007),
        (#"{"": "x"}"#, 1_003_026), (#"{" ": "x"}"#, 1_003_026), (#"{"a": "x", "\t": "x"}"#, 1_003_026),
        (#"{"a": 1}"#, 1_003_003), (#"{"a": true}"#, 1_003_003), (#"{"a": null}"#, 1_003_003),
        (#"{"a": {"b": "c"}}"#, 1_003_003), (#"{"a": ["b", 1]}"#, 1_003_003), (#"{"a": [["b"]]}"#, 1_003_003),
        (#"{"a": "x", "a": "y"}"#, 1_003_003),
    ])
    func claimsThatCannotBeUsed(_ claims: String, _ code: Int) {
        #expect(Self.claims(claims).code == code)
    }

    @Test func claimsAreMissing() {
        let action = #"{"@odata.type": "microsoft.graph.tokenIssuanceStart.provideClaimsForToken"}"#
        #expect(
            Self.read(Self.answer("onTokenIssuanceStart", action), for: .tokenIssuanceStart).code == 1_003_007)
        #expect(Self.claims("{}") == .claims([:]))
    }

    @Test func claimsHaveALimit() {
        // {"a":"…"} is eight bytes and the value.
        let full = String(repeating: "x", count: 3 * 1024 - 8)
        #expect(Self.claims(#"{"a": "\#(full)"}"#) == .claims(["a": .string(full)]))
        #expect(Self.claims(#"{"a": "\#(full)x"}"#).code == 1_003_025)
        let wide = String(repeating: "å", count: 1600)
        #expect(Self.claims(#"{"a": "\#(wide)"}"#).code == 1_003_025)
        // What is thrown away counts as well.
        #expect(Self.claims(#"{"iss": "\#(full)xxx"}"#).code == 1_003_025)
    }

    @Test(
        "Rule 106: reserved claims are nobody's to give",
        arguments: [
            "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "nonce", "azp", "azpacr", "appid", "tid", "oid", "scp",
            "roles",
            "groups", "ver", "sid", "uti", "amr", "acr", "auth_time", "idp", "email", "email_verified", "name",
            "preferred_username", "upn", "unique_name", "wids", "cnf", "act", "client_id", "scope", "xms_cc",
            "ISS", "Roles", "XMS_tcdt",
        ])
    func reservedClaimsAreNobodysToGive(_ name: String) {
        #expect([ClaimMapping(.customClaimsProvider, "shopTier", as: name)].problem != nil)
        #expect([ClaimMapping(.user, "city", as: name)].problem != nil)
        #expect([ClaimMapping(.customClaimsProvider, name, as: "shopTier")].problem == nil)
        #expect(UserFlow(name: "f", method: .code, attributes: [AttributeDefinition(name: name)]).problem != nil)
    }
}
