// SPDX-License-Identifier: Apache-2.0

import Tenant
import TenantTesting
import Testing
import Wire

private let mira = "mira@lofoten.example"
private let phone = "+4790000007"

/// What each answer holds, member by member, as the protocol's reference writes it: no member more, none less, and
/// numbers as numbers. Microsoft's SDK for iOS reads a whole answer or nothing of it.
struct AnswerShapeTests {
    struct Line: Sendable, CustomTestStringConvertible {
        let title: String
        let shape: @Sendable () -> JSONShape
        let requests: @Sendable (Scene) throws -> RawAnswer

        init(
            _ title: String, _ shape: @escaping @Sendable @autoclosure () -> JSONShape,
            _ requests: @escaping @Sendable (Scene) throws -> RawAnswer
        ) {
            self.title = title
            self.shape = shape
            self.requests = requests
        }

        var testDescription: String { title }
    }

    @Test(arguments: successes + refusals)
    func hasTheseMembers(_ line: Line) throws {
        let answer = try line.requests(Scene(try TestTenant()))
        #expect(JSONShape(of: answer.json) == line.shape())
    }

    // MARK: - Successes

    private static let token: JSONShape = ["continuation_token": .text]
    private static let redirect: JSONShape = ["challenge_type": .text]
    private static let code: JSONShape = [
        "continuation_token": .text, "challenge_type": .text, "binding_method": .text, "challenge_channel": .text,
        "challenge_target_label": .text, "code_length": .number, "interval": .number,
    ]
    private static let tokens: JSONShape = [
        "token_type": .text, "scope": .text, "expires_in": .number, "ext_expires_in": .number, "access_token": .text,
        "refresh_token": .text, "id_token": .text, "client_info": .text,
    ]
    private static let method: JSONShape = [
        "id": .text, "challenge_type": .text, "challenge_channel": .text, "login_hint": .text,
    ]

    private static let successes: [Line] = [
        Line("signup/start", token) { try $0.start(mira) },
        Line("signup/challenge, a code", code) { try $0.codeSent(mira) },
        Line("signup/challenge, a password", token + ["challenge_type": .text]) {
            try $0.signUpChallenge(try $0.verified(mira).token)
        },
        Line("signup/continue", token) { try $0.passwordAccount(mira) },
        Line("signup/start, a browser", redirect) { try $0.start(mira, app: try $0.app(native: true, flow: nil)) },
        Line("initiate", token) {
            try $0.passwordAccount(mira)
            return try $0.initiate(mira)
        },
        Line("challenge, a password", token + ["challenge_type": .text]) {
            try $0.passwordAccount(mira)
            return try $0.challenged(mira)
        },
        Line("challenge, a code", code) {
            try $0.codeAccount(mira)
            return try $0.challenged(mira, app: Scene.codeApp)
        },
        Line("challenge, a second code", code) { try $0.secondCodeSent(mira, [phone], by: "sms").answer },
        Line("introspect", token + ["methods": [method, method]]) {
            let (app, due) = try $0.secondFactorDue(mira, [phone, "mira@bergen.example"])
            return try $0.introspect(due.token, app: app)
        },
        Line("token", tokens) { try $0.signedIn(mira) },
        Line("token, a refresh", tokens) { try $0.refresh(try $0.signedIn(mira).refreshToken) },
        Line("token, a browser", redirect + ["redirect_reason": .text]) {
            try $0.secondFactorDue(mira, [phone], capabilities: "").answer
        },
        Line("resetpassword/start", token) {
            try $0.passwordAccount(mira)
            return try $0.resetStart(mira)
        },
        Line("resetpassword/challenge", code) { try $0.resetCodeSent(mira) },
        Line("resetpassword/continue", token + ["expires_in": .number]) { try $0.resetVerified(mira) },
        Line("resetpassword/submit", token + ["poll_interval": .number]) { try $0.resetSubmitted(mira) },
        Line("poll_completion, not yet", ["status": .text]) { try $0.poll(try $0.resetSubmitted(mira).token) },
        Line("poll_completion, done", token + ["status": .text]) { try $0.resetDone(mira) },
        Line("register/introspect", token + ["methods": [method, registrable]]) {
            let (app, due) = try $0.secondFactorDue(mira, [])
            return try $0.registerIntrospect(due.token, app: app)
        },
        Line("register/challenge, a code", registrationCode) {
            try $0.registrationSent(mira, "challenge_target=%2B4790000007").answer
        },
        Line("register/challenge, a proven address", token + ["challenge_type": .text]) {
            try $0.preverified(mira).answer
        },
        Line("register/continue", token) { try $0.registered(mira).answer },
        Line("revoke", [:]) { scene in try scene.revoke(try scene.signedIn(mira).refreshToken) },
        Line("keys", ["keys": [["kty": .text, "use": .text, "alg": .text, "kid": .text, "n": .text, "e": .text]]]) {
            try $0.caller.get("/discovery/v2.0/keys")
        },
    ]

    /// A telephone number is nothing that the tenant could suggest.
    private static let registrable: JSONShape = ["id": .text, "challenge_type": .text, "challenge_channel": .text]

    /// The one answer that names the target in full, and not by a label.
    private static let registrationCode: JSONShape = [
        "continuation_token": .text, "challenge_type": .text, "binding_method": .text, "challenge_channel": .text,
        "challenge_target": .text, "code_length": .number, "interval": .number,
    ]

    // MARK: - Refusals

    private static let refusal: JSONShape = [
        "error": .text, "error_description": .text, "error_codes": [.number], "timestamp": .text, "trace_id": .text,
        "correlation_id": .text,
    ]
    private static let refined = refusal + ["suberror": .text]
    private static let attribute: JSONShape = ["name": .text]

    private static let refusals: [Line] = [
        Line("plain refusal", refusal) { try $0.initiate(mira) },
        Line("refusal with a suberror", refined) {
            let sent = try $0.codeSent(mira)
            return try $0.proceed(sent.token, "grant_type=oob&oob=\(try $0.wrongCode(mira))")
        },
        Line("credential_required", refusal + token) { try $0.verified(mira) },
        Line("attributes_required", refusal + token + ["required_attributes": [asked, asked + pattern]]) { scene in
            let app = try scene.app(
                .code, [AttributeDefinition(name: "city"), AttributeDefinition(name: "country", regex: "[A-Z].*")])
            return try scene.verified(mira, app: app)
        },
        Line("attribute_validation_failed", refined + ["invalid_attributes": [attribute]]) { scene in
            let app = try scene.app(.code, [AttributeDefinition(name: "country", regex: "[0-9]")])
            return try scene.start(mira, app: app, "&\(Scene.country)")
        },
        Line("verification_required", refusal + token + ["unverified_attributes": [attribute]]) {
            try $0.proceed(try $0.codeSent(mira).token, "grant_type=attributes&\(Scene.country)")
        },
        Line("mfa_required", refined + token) { try $0.secondFactorDue(mira, [phone]).answer },
        Line("registration_required", refined + token) { try $0.secondFactorDue(mira, []).answer },
        Line("reset of an account with codes", refusal) {
            try $0.codeAccount(mira)
            return try $0.resetStart(mira)
        },
        Line("blocked contact", refined) { scene in
            try scene.registrationSent(
                mira, "challenge_target=%2B4790000007", MultiFactorPolicy(channels: [.email])
            ).answer
        },
    ]

    private static let asked: JSONShape = ["name": .text, "type": .text, "required": .truth]
    private static let pattern: JSONShape = ["options": ["regex": .text]]
}
