// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Testing
import Wire

/// Continuation tokens: one step each, and the same answer for the same request.
struct ContinuationTests {
    private let mira = "mira@lofoten.example"

    @Test("Rule 17: tokens have 256 bits and are new") func tokensAreLongAndNew() throws {
        let scene = Scene(try TestTenant())
        var tokens: Set<String> = []
        var answer = try scene.start(mira)
        for _ in 0..<4 {
            tokens.insert(answer.token)
            #expect(Base64URL.decode(answer.token)?.count == 32)
            answer = try scene.signUpChallenge(answer.token)
        }
        #expect(tokens.count == 4)
    }

    @Test("Rule 20: a lost answer can be fetched again") func lostAnswerCanBeFetchedAgain() throws {
        let scene = Scene(try TestTenant())
        let opened = try scene.start(mira)
        let first = try scene.signUpChallenge(opened.token)
        for _ in 0..<3 {
            let again = try scene.signUpChallenge(opened.token)
            #expect(again.status == first.status)
            #expect(again.json == first.json)
        }
        #expect(try scene.tenant.mails(to: mira) == 1)
        #expect(
            try scene.proceed(first.token, "grant_type=oob&oob=\(try scene.code(mira))").error == "credential_required")
    }

    @Test func lostRefusalCanBeFetchedAgain() throws {
        let scene = Scene(try TestTenant())
        let sent = try scene.codeSent(mira)
        let proof = "grant_type=oob&oob=\(try scene.code(mira))"
        let first = try scene.proceed(sent.token, proof)
        let again = try scene.proceed(sent.token, proof)
        #expect(first.error == "credential_required")
        #expect(again.token == first.token)
        #expect(again.status == 400)
    }

    @Test func lostTokensCanBeFetchedAgain() throws {
        let scene = Scene(try TestTenant())
        let done = try scene.passwordAccount(mira)
        let proof = "grant_type=continuation_token&continuation_token=\(done.token)"
        let first = try scene.token(proof)
        #expect(first.status == 200)
        #expect(try scene.token(proof).json == first.json)
        scene.tenant.clock.advance(by: 60)
        #expect(try scene.token(proof).json == first.json)
        scene.tenant.clock.advance(by: 1)
        let late = try scene.token(proof)
        #expect(late.error == "invalid_grant")
        #expect(late.code == 55200)
    }

    @Test func lostEndOfASignUpMakesOneAccount() throws {
        let scene = Scene(try TestTenant())
        let sent = try scene.codeSent(mira, "&password=\(Scene.password)&\(Scene.country)")
        let proof = "grant_type=oob&oob=\(try scene.code(mira))"
        let first = try scene.proceed(sent.token, proof)
        #expect(try scene.proceed(sent.token, proof).token == first.token)
        #expect(try scene.token("grant_type=continuation_token&continuation_token=\(first.token)").status == 200)
    }

    @Test("Rule 20: another request with an old token is refused") func otherRequestWithAnOldTokenIsRefused() throws {
        let scene = Scene(try TestTenant())
        let opened = try scene.start(mira)
        _ = try scene.signUpChallenge(opened.token)
        let other = try scene.caller.post(
            "/signup/v1.0/challenge",
            "client_id=\(Scene.passwordApp)&continuation_token=\(opened.token)&challenge_type=oob+redirect")
        #expect(other.error == "invalid_grant")
        #expect(other.code == 55200)
        let elsewhere = try scene.caller.post(
            "/oauth2/v2.0/challenge", "client_id=\(Scene.passwordApp)&continuation_token=\(opened.token)")
        #expect(elsewhere.code == 55200)
        #expect(try scene.tenant.mails(to: mira) == 1)
    }

    @Test("Rule 18: a flow has one live token") func tokenBeforeTheLastIsDead() throws {
        let scene = Scene(try TestTenant())
        let opened = try scene.start(mira)
        let sent = try scene.signUpChallenge(opened.token)
        _ = try scene.signUpChallenge(sent.token)
        #expect(try scene.signUpChallenge(opened.token).error == "invalid_grant")
    }

    @Test(arguments: [(59.0, 200), (60, 200), (61, 400)])
    func repeatHasAWindow(_ seconds: Double, _ status: Int) throws {
        let scene = Scene(try TestTenant())
        let opened = try scene.start(mira)
        _ = try scene.signUpChallenge(opened.token)
        scene.tenant.clock.advance(by: seconds)
        #expect(try scene.signUpChallenge(opened.token).status == status)
        #expect(try scene.tenant.mails(to: mira) == 1)
    }

    @Test("Rule 19: a token belongs to its app") func tokenBelongsToItsApp() throws {
        let scene = Scene(try TestTenant())
        let opened = try scene.start(mira)
        let other = try scene.signUpChallenge(opened.token, app: Scene.codeApp)
        #expect(other.error == "invalid_grant")
        #expect(try scene.signUpChallenge(opened.token, app: Scene.passwordApp.uppercased()).status == 200)
        #expect(try scene.signUpChallenge(opened.token, app: Scene.codeApp).error == "invalid_grant")
    }

    @Test(
        "Rule 21: a token has a life, to the second",
        arguments: [(599.0, ""), (600, "expired_token"), (86_400, "expired_token")])
    func flowHasALife(_ seconds: Double, _ error: String) throws {
        let scene = Scene(try TestTenant())
        let opened = try scene.start(mira)
        scene.tenant.clock.advance(by: seconds)
        let answer = try scene.signUpChallenge(opened.token)
        #expect(answer.error ?? "" == error)
        #expect(answer.token.isEmpty == !error.isEmpty)
    }

    /// Each call at each place of a sign-up and a sign-in: only the next step of the flow goes on.
    @Test("Rule 19: calls out of order are refused") func callsOutOfOrderAreRefused() throws {
        let scene = Scene(try TestTenant())
        try scene.codeAccount("ola@lofoten.example")
        scene.tenant.clock.advance(by: 1)
        let opened = try scene.start(mira).token
        let sent = try scene.codeSent("kari@lofoten.example").token
        let verified = try scene.verified("per@lofoten.example").token
        let redeemable = try scene.passwordAccount("siri@lofoten.example").token
        let signIn = try scene.initiate("ola@lofoten.example", app: Scene.passwordApp).token
        let strong = "grant_type=password&password=\(Scene.password)"
        let attributes = "grant_type=attributes&\(Scene.country)"
        let refusals: [(String, RawAnswer)] = [
            ("a code before it was sent", try scene.proceed(opened, "grant_type=oob&oob=12345678")),
            ("a password before the code", try scene.proceed(opened, strong)),
            ("a password instead of the code", try scene.proceed(sent, strong)),
            ("attributes instead of the password", try scene.proceed(verified, attributes)),
            ("a code after the code", try scene.proceed(verified, "grant_type=oob&oob=12345678")),
            ("a challenge after the end", try scene.signUpChallenge(redeemable)),
            ("a password after the end", try scene.proceed(redeemable, strong)),
            ("tokens before the end", try scene.token("grant_type=continuation_token&continuation_token=\(verified)")),
            ("a sign-in's token in a sign-up", try scene.proceed(signIn, strong)),
            ("a sign-up's token with a password", try scene.submit(password: Scene.password, sent)),
            (
                "a sign-up's token with a code",
                try scene.token("grant_type=oob&continuation_token=\(sent)&oob=12345678")
            ),
            ("a sign-in before its challenge", try scene.submit(password: Scene.password, signIn)),
            ("a finished sign-up in a sign-in", try scene.signInChallenge(redeemable)),
        ]
        for (title, answer) in refusals {
            #expect(answer.status == 400, "\(title)")
            #expect(answer.error == "invalid_request", "\(title)")
            #expect(answer.code == 55200, "\(title)")
            #expect(answer.token.isEmpty, "\(title)")
        }
        // None of them cost the flow its place.
        #expect(try scene.signUpChallenge(opened)["challenge_type"] == .string("oob"))
        #expect(try scene.signUpChallenge(verified)["challenge_type"] == .string("password"))
        #expect(try scene.token("grant_type=continuation_token&continuation_token=\(redeemable)").status == 200)
    }

    @Test("Rule 23: the token of an ended flow is dead") func redirectEndsTheFlow() throws {
        let scene = Scene(try TestTenant())
        try scene.passwordAccount(mira)
        let opened = try scene.caller.post(
            "/oauth2/v2.0/initiate", "client_id=\(Scene.passwordApp)&username=\(mira)&challenge_type=oob+redirect")
        #expect(try scene.signInChallenge(opened.token)["challenge_type"] == .string("redirect"))
        let late = try scene.caller.post(
            "/oauth2/v2.0/challenge", "continuation_token=\(opened.token)&client_id=\(Scene.passwordApp)")
        #expect(late.error == "invalid_grant")
    }
}
