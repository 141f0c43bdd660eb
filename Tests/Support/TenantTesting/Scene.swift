// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
package import Tenant
import Wire

/// A tenant and a way to reach it, with the first steps of the flows as plain requests.
package struct Scene: Sendable {
    package let tenant: TestTenant
    package let caller: Caller

    package static let passwordApp = AppRegistration.passwordSampleID
    package static let codeApp = AppRegistration.codeSampleID
    /// Strong, and without anything that a form would have to escape.
    package static let password = "Fjord-Salmon-47"
    package static let country = "attributes=%7B%22country%22%3A%22Norway%22%7D"
    package static let standardScope = "scope=openid+profile+offline_access"

    package init(_ tenant: TestTenant, by caller: Caller? = nil) {
        self.tenant = tenant
        self.caller = caller ?? tenant.caller
    }

    /// The newest code that was sent to an address.
    package func code(_ address: String) throws -> String {
        guard let code = try tenant.code(for: address) else { throw NoMail(address: address) }
        return code
    }

    package struct NoMail: Error {
        let address: String

        package init(address: String) {
            self.address = address
        }
    }

    /// A code that is not the one that was sent.
    /// - Parameter number: Another wrong code for each number from 0.
    package func wrongCode(_ address: String, _ number: Int = 0) throws -> String {
        let code = Int(try self.code(address)) ?? 0
        let wrong = String((code + 1 + number) % 100_000_000)
        return String(repeating: "0", count: 8 - wrong.count) + wrong
    }

    /// A user flow of the test's own, and an app that uses it.
    ///
    /// - Returns: The app's id.
    package func app(_ method: UserFlow.Method, _ attributes: [AttributeDefinition]) throws -> String {
        let id = UUID().uuidString.lowercased()
        try tenant.provider.save(UserFlow(name: id, method: method, attributes: attributes))
        try tenant.provider.save(AppRegistration(clientID: id, name: "Test", userFlow: id))
        return id
    }

    /// Changes a registered app.
    package func change(_ app: String = passwordApp, _ change: (inout AppRegistration) -> Void) throws {
        guard var registration = try tenant.provider.apps().first(where: { $0.clientID == app }) else { return }
        change(&registration)
        try tenant.provider.save(registration)
    }

    /// An app whose native authentication is off, or that has no user flow.
    package func app(native: Bool, flow: String?) throws -> String {
        var app = AppRegistration(clientID: UUID().uuidString.lowercased(), name: "Test", userFlow: flow)
        app.nativeAuthentication = native
        try tenant.provider.save(app)
        return app.clientID
    }
}

// MARK: - Sign-up

extension Scene {
    /// Opens a sign-up; `more` is appended to the form.
    package func start(_ address: String, app: String = passwordApp, _ more: String = "") throws -> RawAnswer {
        let types = app == Self.codeApp ? "oob+redirect" : "oob+password+redirect"
        return try caller.post(
            "/signup/v1.0/start", "client_id=\(app)&username=\(address)&challenge_type=\(types)" + more)
    }

    package func signUpChallenge(_ token: String, app: String = passwordApp) throws -> RawAnswer {
        try caller.post("/signup/v1.0/challenge", "client_id=\(app)&continuation_token=\(token)")
    }

    /// `proof` holds the grant and what belongs to it.
    package func proceed(_ token: String, _ proof: String, app: String = passwordApp) throws -> RawAnswer {
        try caller.post("/signup/v1.0/continue", "client_id=\(app)&continuation_token=\(token)&\(proof)")
    }

    /// A sign-up whose code was sent.
    package func codeSent(_ address: String, app: String = passwordApp, _ more: String = "") throws -> RawAnswer {
        try signUpChallenge(try start(address, app: app, more).token, app: app)
    }

    /// A sign-up as far as the right code.
    package func verified(_ address: String, app: String = passwordApp, _ more: String = "") throws -> RawAnswer {
        let sent = try codeSent(address, app: app, more)
        return try proceed(sent.token, "grant_type=oob&oob=\(try code(address))", app: app)
    }

    /// A finished sign-up with a password, whose token waits to be redeemed.
    @discardableResult
    package func passwordAccount(_ address: String) throws -> RawAnswer {
        try verified(address, "&password=\(Self.password)&\(Self.country)")
    }

    /// A finished sign-up with codes alone.
    @discardableResult
    package func codeAccount(_ address: String) throws -> RawAnswer {
        try verified(address, app: Self.codeApp, "&\(Self.country)")
    }
}

// MARK: - Sign-in

extension Scene {
    /// Opens a sign-in; `more` is appended to the form.
    package func initiate(_ address: String, app: String = passwordApp, _ more: String = "") throws -> RawAnswer {
        try caller.post(
            "/oauth2/v2.0/initiate", "client_id=\(app)&username=\(address)&challenge_type=oob+password+redirect" + more)
    }

    /// `more` is appended to the form, as the method of a second factor.
    package func signInChallenge(_ token: String, app: String = passwordApp, _ more: String = "") throws -> RawAnswer {
        try caller.post("/oauth2/v2.0/challenge", "client_id=\(app)&continuation_token=\(token)" + more)
    }

    /// A sign-in as far as its first factor.
    package func challenged(_ address: String, app: String = passwordApp, _ more: String = "") throws -> RawAnswer {
        try signInChallenge(try initiate(address, app: app, more).token, app: app)
    }

    /// `proof` holds the grant and what belongs to it.
    package func token(_ proof: String, app: String = passwordApp, scope: String = standardScope) throws -> RawAnswer {
        try caller.post("/oauth2/v2.0/token", "client_id=\(app)&\(proof)&\(scope)&client_info=true")
    }

    package func submit(password: String, _ token: String, app: String = passwordApp) throws -> RawAnswer {
        try self.token("grant_type=password&continuation_token=\(token)&password=\(password)", app: app)
    }

    /// Redeems the token at the end of a sign-up, a reset or a registration.
    package func redeem(_ token: String, app: String = passwordApp, scope: String = standardScope) throws -> RawAnswer {
        try self.token("grant_type=continuation_token&continuation_token=\(token)", app: app, scope: scope)
    }

    package func refresh(_ secret: String, app: String = passwordApp, scope: String = standardScope) throws -> RawAnswer
    {
        try token("grant_type=refresh_token&refresh_token=\(secret)", app: app, scope: scope)
    }

    package func revoke(_ token: String, app: String = passwordApp, more: String = "") throws -> RawAnswer {
        try caller.post("/oauth2/v2.0/revoke", "client_id=\(app)&token=\(token)\(more)")
    }

    /// A sign-in with a password, from its beginning to the answer of the token endpoint.
    package func signIn(_ address: String, app: String = passwordApp, _ more: String = "") throws -> RawAnswer {
        try submit(password: Self.password, try challenged(address, app: app, more).token, app: app)
    }

    /// A new account with a password, signed in.
    package func signedIn(_ address: String, scope: String = standardScope) throws -> RawAnswer {
        try token(
            "grant_type=continuation_token&continuation_token=\(try passwordAccount(address).token)", scope: scope)
    }
}
