// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Wire

/// Requests as the protocol's examples write them, against the calls that stand for them.
struct CallTests {
    private let id = "3b6a2d54-0c1f-4f7e-8f43-6d1f2f3f4a10"

    /// Reads the body as the call, and writes the call as a form with the same fields.
    private func expect<C: Call>(_ body: String, _ call: C, path: String) throws {
        let form = try Form(body: Array(body.utf8))
        // The calls compare by all their properties.
        #expect(String(reflecting: try form.call(C.self)) == String(reflecting: call))
        #expect(try Form(call) == form)
        #expect(C.path == path)
    }

    @Test func signUpStart() throws {
        try expect(
            "client_id=\(id)&username=mira%40lofoten.example&challenge_type=oob%20password%20redirect"
                + "&capabilities=mfa_required%20registration_required",
            SignUp.Start(
                clientId: id, username: "mira@lofoten.example", challengeType: [.oob, .password, .redirect],
                capabilities: [.mfaRequired, .registrationRequired]), path: "/signup/v1.0/start")
    }

    @Test func signUpStartWithEverything() throws {
        try expect(
            "client_id=\(id)&username=mira%40lofoten.example&challenge_type=oob+redirect&password=Fj%C3%B8rd+1"
                + "&attributes=%7B%22country%22%3A%22Norway%22%7D",
            SignUp.Start(
                clientId: id, username: "mira@lofoten.example", challengeType: [.oob, .redirect], password: "Fjørd 1",
                attributes: Attributes(["country": .string("Norway")])), path: "/signup/v1.0/start")
    }

    @Test func signUpChallenge() throws {
        try expect(
            "client_id=\(id)&continuation_token=CT1&challenge_type=oob+password+redirect",
            SignUp.Challenge(clientId: id, continuationToken: "CT1", challengeType: [.oob, .password, .redirect]),
            path: "/signup/v1.0/challenge")
        try expect(
            "client_id=\(id)&continuation_token=CT1", SignUp.Challenge(clientId: id, continuationToken: "CT1"),
            path: "/signup/v1.0/challenge")
    }

    @Test func signUpContinue() throws {
        let path = "/signup/v1.0/continue"
        try expect(
            "client_id=\(id)&continuation_token=CT2&grant_type=oob&oob=40518826",
            SignUp.Continue(clientId: id, continuationToken: "CT2", grantType: .oob, oob: "40518826"), path: path)
        try expect(
            "client_id=\(id)&continuation_token=CT4&grant_type=password&password=a%26b%3Dc",
            SignUp.Continue(clientId: id, continuationToken: "CT4", grantType: .password, password: "a&b=c"), path: path
        )
        try expect(
            "client_id=\(id)&continuation_token=CT5&grant_type=attributes&attributes=%7B%22displayName%22%3A%22Mira+L%22%7D",
            SignUp.Continue(
                clientId: id, continuationToken: "CT5", grantType: .attributes,
                attributes: Attributes(["displayName": .string("Mira L")])), path: path)
    }

    @Test func signInInitiate() throws {
        try expect(
            "client_id=\(id)&username=mira%40lofoten.example&challenge_type=password+oob+redirect",
            SignIn.Initiate(
                clientId: id, username: "mira@lofoten.example", challengeType: [.password, .oob, .redirect]),
            path: "/oauth2/v2.0/initiate")
    }

    @Test func signInChallenge() throws {
        try expect(
            "client_id=\(id)&continuation_token=CT1", SignIn.Challenge(clientId: id, continuationToken: "CT1"),
            path: "/oauth2/v2.0/challenge")
    }

    @Test func tokenAfterSignUp() throws {
        try expect(
            "client_id=\(id)&grant_type=continuation_token&continuation_token=CT6&username=mira%40lofoten.example"
                + "&scope=openid%20profile%20offline_access%20api%3A%2F%2Ffjord-orders%2FOrders.Read&client_info=true",
            SignIn.Token(
                clientId: id, grantType: .continuationToken, continuationToken: "CT6",
                scope: [.openid, .profile, .offlineAccess, Scope(rawValue: "api://fjord-orders/Orders.Read")],
                username: "mira@lofoten.example", clientInfo: "true"), path: "/oauth2/v2.0/token")
    }

    @Test func tokenForPasswordCodeAndRefresh() throws {
        let path = "/oauth2/v2.0/token"
        try expect(
            "client_id=\(id)&grant_type=password&continuation_token=CT&password=p&challenge_type=oob+redirect",
            SignIn.Token(
                clientId: id, grantType: .password, continuationToken: "CT", password: "p",
                challengeType: [.oob, .redirect]), path: path)
        try expect(
            "client_id=\(id)&grant_type=oob&continuation_token=CT&oob=00000000&scope=openid",
            SignIn.Token(clientId: id, grantType: .oob, continuationToken: "CT", scope: [.openid], oob: "00000000"),
            path: path)
        try expect(
            "client_id=\(id)&grant_type=refresh_token&refresh_token=1.AX&client_info=1",
            SignIn.Token(clientId: id, grantType: .refreshToken, refreshToken: "1.AX", clientInfo: "1"), path: path)
    }
}

// MARK: - What is missing, and what is more

struct IncompleteCallTests {
    @Test(arguments: [
        ("", "client_id"), ("client_id=", "client_id"), ("username=a", "client_id"),
        ("client_id=1", "username"), ("client_id=1&username=", "username"),
        ("client_id=1&username=a", "challenge_type"), ("client_id=1&username=a&challenge_type=", "challenge_type"),
        ("client_id=1&username=a&challenge_type=redirect&attributes=nonsense", "attributes"),
        ("client_id=1&username=a&challenge_type=redirect&attributes=%5B1%5D", "attributes"),
    ])
    func startNamesTheField(_ body: String, _ field: String) throws {
        let form = try Form(body: Array(body.utf8))
        #expect(throws: MissingField(name: field)) { try form.call(SignUp.Start.self) }
    }

    @Test(arguments: [
        ("client_id=1", "continuation_token"), ("client_id=1&continuation_token=CT", "grant_type"),
        ("client_id=1&continuation_token=&grant_type=oob", "continuation_token"),
    ])
    func continueNamesTheField(_ body: String, _ field: String) throws {
        let form = try Form(body: Array(body.utf8))
        #expect(throws: MissingField(name: field)) { try form.call(SignUp.Continue.self) }
    }

    @Test func tokenNamesTheField() throws {
        let form = try Form(body: Array("client_id=1".utf8))
        #expect(throws: MissingField(name: "grant_type")) { try form.call(SignIn.Token.self) }
    }

    @Test func emptyFieldCountsAsAbsent() throws {
        let body = "client_id=1&username=a&challenge_type=redirect&password=&capabilities="
        let call = try Form(body: Array(body.utf8)).call(SignUp.Start.self)
        #expect(call.password == nil)
        #expect(call.capabilities == nil)
    }

    @Test func unknownFieldIsIgnored() throws {
        let body = "client_id=1&continuation_token=CT&dc=ESTS-PUB&x-client-sku=MSAL&claims=%7B"
        #expect(try Form(body: Array(body.utf8)).call(SignUp.Challenge.self).continuationToken == "CT")
    }

    /// Names are compared exactly: another spelling is another field.
    @Test(arguments: ["clientId", "CLIENT_ID", "Client_Id", "client__id", "_client_id", "client_id_", "client-id"])
    func otherSpellingIsAnotherField(_ name: String) throws {
        let alone = try Form(body: Array("\(name)=1&continuation_token=CT".utf8))
        #expect(throws: MissingField(name: "client_id")) { try alone.call(SignUp.Challenge.self) }
        let both = try Form(body: Array("\(name)=1&client_id=2&continuation_token=CT".utf8))
        #expect(try both.call(SignUp.Challenge.self).clientId == "2")
    }
}
