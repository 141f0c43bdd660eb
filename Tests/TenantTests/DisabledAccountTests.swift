// SPDX-License-Identifier: Apache-2.0

import Tenant
import TenantTesting
import Testing
import Wire

private let mira = "mira@lofoten.example"

/// A disabled account gets no tokens, wherever its owner stands.
struct DisabledAccountTests {
    private let scene: Scene

    init() throws { scene = Scene(try TestTenant()) }

    private func disable(_ isDisabled: Bool = true) throws {
        #expect(try scene.tenant.provider.changeAccount(mira) { $0.isDisabled = isDisabled })
    }

    private func expectDisabled(_ answer: RawAnswer, _ comment: Comment? = nil) {
        #expect(answer.status == 400, comment)
        #expect(answer.error == "invalid_grant", comment)
        #expect(answer.code == 50057, comment)
        #expect(answer.token.isEmpty && answer.accessToken.isEmpty, comment)
    }

    @Test func initiateIsRefused() throws {
        try scene.passwordAccount(mira)
        try disable()
        expectDisabled(try scene.initiate(mira))
        try disable(false)
        #expect(try scene.signIn(mira).status == 200)
    }

    @Test func passwordIsRefused() throws {
        try scene.passwordAccount(mira)
        let asked = try scene.challenged(mira)
        try disable()
        #expect(try scene.submit(password: "Fjord-Salmon-48", asked.token).code == 50126)
        expectDisabled(try scene.submit(password: Scene.password, asked.token))
        expectDisabled(try scene.submit(password: Scene.password, asked.token), "the same call again")
    }

    @Test func noCodeIsSent() throws {
        try scene.codeAccount(mira)
        let opened = try scene.initiate(mira, app: Scene.codeApp)
        try disable()
        expectDisabled(try scene.signInChallenge(opened.token, app: Scene.codeApp))
        #expect(try scene.tenant.mails(to: mira) == 1)
    }

    @Test func codeIsRefused() throws {
        try scene.codeAccount(mira)
        scene.tenant.clock.advance(by: 1)
        let sent = try scene.challenged(mira, app: Scene.codeApp)
        try disable()
        expectDisabled(
            try scene.token(
                "grant_type=oob&continuation_token=\(sent.token)&oob=\(try scene.code(mira))", app: Scene.codeApp))
    }

    @Test func secondCodeIsRefused() throws {
        let (app, sent) = try scene.secondCodeSent(mira, ["+4790000007"], by: "sms")
        try disable()
        expectDisabled(
            try scene.token(
                "grant_type=mfa_oob&continuation_token=\(sent.token)&oob=\(try scene.code("+4790000007"))", app: app))
    }

    @Test func tokenOfASignUpIsRefused() throws {
        let done = try scene.passwordAccount(mira)
        try disable()
        expectDisabled(try scene.redeem(done.token))
    }

    @Test("Rule 75: who is disabled refreshes nothing") func refreshIsRefusedUntilTheAccountIsBack() throws {
        let secret = try scene.signedIn(mira).refreshToken
        try disable()
        expectDisabled(try scene.refresh(secret))
        try disable(false)
        #expect(try scene.refresh(secret).status == 200)
    }

    @Test("Rule 75: who is deleted refreshes nothing") func deletedAccountIsGone() throws {
        let tokens = try scene.signedIn(mira)
        let asked = try scene.challenged(mira)
        #expect(try scene.tenant.provider.deleteAccount(mira))
        #expect(try scene.refresh(tokens.refreshToken).code == 700_082)
        #expect(try scene.submit(password: Scene.password, asked.token).code == 50034)
        #expect(try scene.initiate(mira).error == "user_not_found")
        #expect(try scene.caller.get("/oidc/userinfo", ["authorization": "Bearer \(tokens.accessToken)"]).status == 401)
    }

    @Test func aliasIsOneAccounts() throws {
        try scene.passwordAccount(mira)
        try scene.passwordAccount("ola@lofoten.example")
        #expect(try scene.tenant.provider.changeAccount(mira) { $0.alias = "Skipper" })
        #expect(throws: IdentityProvider.AliasTaken.self) {
            try scene.tenant.provider.changeAccount("ola@lofoten.example") { $0.alias = "skipper" }
        }
        #expect(try scene.tenant.provider.changeAccount(mira) { $0.alias = "SKIPPER" })
    }
}
