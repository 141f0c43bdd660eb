// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import NativeAuth
import TenantTesting
import Testing
import Wire

@testable import NativeAuth

/// The client's side of a sign-in in a browser.
struct BrowserSignInTests {
    private static let base = "https://fjordshop.ciamlogin.com/\(Fjordshop.tenantID)/oauth2/v2.0"
    private static let redirect = "http://127.0.0.1:4711"

    private let server: ScriptedTransport
    private let clock = ManualClock()
    private let client: NativeAuthClient

    init() throws {
        server = ScriptedTransport([])
        client = try Fjordshop.client(server, clock: clock)
        publish()
    }

    private func publish(
        _ more: String = "", authorization: String = base + "/authorize", device: String = base + "/devicecode"
    ) {
        server.publish(
            Issuer.description(
                more: #","authorization_endpoint":"\#(authorization)","device_authorization_endpoint":"\#(device)""#
                    + more), at: "/.well-known/openid-configuration")
    }

    private func form(_ signIn: BrowserSignIn) throws -> [String: String] {
        let query = try #require(signIn.address.split(separator: "?", maxSplits: 1).last)
        return try Form(body: Array(query.utf8)).fields
    }

    private func tokens(nonce: String?) -> ScriptedTransport.Line {
        .ok(Issuer.shared.tokens(id: Issuer.shared.idToken { $0["nonce"] = nonce.map { .string($0) } }))
    }

    @Test("the address asks for a code, and keeps the secret behind the challenge")
    func address() async throws {
        let signIn = try await client.signInInBrowser(
            redirect: Self.redirect, username: Fjordshop.mira, scopes: ["api://a/Read"], prompt: .create)
        #expect(signIn.address.hasPrefix(Self.base + "/authorize?"))
        let form = try form(signIn)
        #expect(form["response_type"] == "code" && form["client_id"] == Fjordshop.clientID)
        #expect(form["redirect_uri"] == Self.redirect && form["code_challenge_method"] == "S256")
        #expect(form["scope"] == "api://a/Read openid profile offline_access")
        #expect(form["login_hint"] == Fjordshop.mira && form["prompt"] == "create")
        server.add(tokens(nonce: form["nonce"]))
        let account = try await signIn.finish(with: "\(Self.redirect)?code=C1&state=\(form["state"] ?? "")")
        #expect(account.username == Fjordshop.mira)
        #expect(try client.account() != nil)
        let sent = server.form(0)
        #expect(server.calls.first?.url == Self.base + "/token")
        #expect(sent["grant_type"] == "authorization_code" && sent["code"] == "C1")
        #expect(sent["redirect_uri"] == Self.redirect)
        let verifier = try #require(sent["code_verifier"])
        #expect(verifier.utf8.count == 43 && !signIn.address.contains(verifier))
        #expect(SHA256.digest(of: verifier.utf8).map { Base64URL.encode($0) } == form["code_challenge"])
        let other = try await self.form(client.signInInBrowser(redirect: Self.redirect))
        for name in ["state", "nonce", "code_challenge"] { #expect(other[name] != form[name], "\(name)") }
    }

    @Test("an answer to another question, or of another tenant, is not taken")
    func answers() async throws {
        publish(#","authorization_response_iss_parameter_supported":true"#)
        let signIn = try await client.signInInBrowser(redirect: Self.redirect)
        let state = try #require(try form(signIn)["state"])
        let iss = String(decoding: Form(["iss": Fjordshop.issuer]).body, as: UTF8.self)
        let rows: [(String, AuthError.Reason)] = [
            ("code=C&\(iss)", .unexpectedAnswer(.missing("state"))),
            ("code=C&state=x&\(iss)", .unexpectedAnswer(.missing("state"))),
            ("code=C&state=\(state)&state=\(state)&\(iss)", .unexpectedAnswer(.missing("state"))),
            ("code=C&state=\(state)", .unexpectedAnswer(.otherTenant)),
            ("code=C&state=\(state)&iss=https%3A%2F%2Fevil.example", .unexpectedAnswer(.otherTenant)),
            ("state=\(state)&\(iss)", .unexpectedAnswer(.missing("code"))),
            ("error=access_denied&error_description=AADSTS65004%3A+No.&state=\(state)&\(iss)", .refused),
        ]
        for (query, reason) in rows {
            let error = await authFailure { try await signIn.finish(with: "\(Self.redirect)?\(query)") }
            #expect(error?.reason == reason, "\(query)")
            if reason == .refused { #expect(error?.codes == [65004] && error?.error == "access_denied") }
        }
        #expect(server.calls.isEmpty, "nothing was sent")
    }

    @Test("Rule 82: the ID token has to hold the nonce that was sent")
    func nonce() async throws {
        for wrong in [nil, "", "other"] {
            let signIn = try await client.signInInBrowser(redirect: Self.redirect)
            let state = try #require(try form(signIn)["state"])
            server.add(tokens(nonce: wrong))
            let error = await authFailure { try await signIn.finish(with: "?code=C&state=\(state)") }
            #expect(error?.reason == .untrustedIDToken(.nonce))
        }
        #expect(try client.account() == nil)
    }

    @Test("a code is sent once, whatever becomes of the answer")
    func once() async throws {
        for fault in [ScriptedTransport.Line.failure(.connectionLost), .answer(503, "{}")] {
            let signIn = try await client.signInInBrowser(redirect: Self.redirect)
            let state = try #require(try form(signIn)["state"])
            let before = server.calls.count
            server.add(fault)
            #expect(await authFailure { try await signIn.finish(with: "?code=C&state=\(state)") } != nil)
            #expect(server.calls.count == before + 1)
        }
    }

    @Test("Rule 80: a browser is sent to the tenant's own address alone")
    func foreignEndpoint() async throws {
        for address in ["https://evil.example/authorize", "http://fjordshop.ciamlogin.com/x/authorize", ""] {
            publish(authorization: address, device: address)
            let client = try Fjordshop.client(server)
            let error = await authFailure { try await client.signInInBrowser(redirect: Self.redirect) }
            #expect(error?.reason == .unexpectedAnswer(.missing("authorization_endpoint")), "\(address)")
            let device = await authFailure { try await client.signInOnDevice() }
            #expect(device?.reason == .unexpectedAnswer(.missing("device_authorization_endpoint")))
        }
    }

    // MARK: - Another device

    private static let started =
        #"{"device_code":"DC","user_code":"BCDF-GHJK","verification_uri":"https://a.example/device","expires_in":900,"interval":5}"#

    @Test("a device asks as often as it may, until there are tokens")
    func device() async throws {
        server.add(.ok(Self.started))
        let device = try await client.signInOnDevice(scopes: ["api://a/Read"])
        #expect(device.userCode == "BCDF-GHJK" && device.verificationAddress == "https://a.example/device")
        #expect(server.calls[0].url == Self.base + "/devicecode")
        #expect(server.form(0)["scope"] == "api://a/Read openid profile offline_access")
        server.add(
            .refused(#"{"error":"authorization_pending"}"#), .refused(#"{"error":"slow_down"}"#),
            .failure(.noConnection), .answer(503, "{}"), tokens(nonce: nil))
        let account = try await device.wait()
        #expect(account.username == Fjordshop.mira)
        #expect(clock.waits == [5, 5, 10, 20, 40].map { .seconds($0) })
        #expect(server.form(1)["grant_type"] == "urn:ietf:params:oauth:grant-type:device_code")
        #expect(server.form(1)["device_code"] == "DC")
    }

    @Test(
        "a device is told when it is over",
        arguments: [
            (#"{"error":"access_denied"}"#, AuthError.Reason.refused), (#"{"error":"expired_token"}"#, .flowExpired),
            (#"{"error":"invalid_grant"}"#, .refused),
        ])
    func deviceEnds(said: String, reason: AuthError.Reason) async throws {
        server.add(.ok(Self.started), .refused(said))
        let device = try await client.signInOnDevice()
        #expect(await authFailure { try await device.wait() }?.reason == reason)
        clock.advance(by: 901)
        #expect(await authFailure { try await device.wait() }?.reason == .flowExpired, "nobody is asked any more")
        #expect(server.calls.count == 2)
    }
}
