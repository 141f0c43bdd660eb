// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Wire

/// What is missing, and what is more.
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

    /// Every field that the protocol requires, by the call that it is missing from.
    @Test func everyCallNamesItsFields() throws {
        try expectMissing(ResetPassword.Start.self, ["client_id", "username", "challenge_type"])
        try expectMissing(ResetPassword.Challenge.self, ["client_id", "continuation_token"])
        try expectMissing(ResetPassword.Continue.self, ["client_id", "continuation_token", "grant_type"])
        try expectMissing(ResetPassword.Submit.self, ["client_id", "continuation_token", "new_password"])
        try expectMissing(ResetPassword.Poll.self, ["client_id", "continuation_token"])
        try expectMissing(SignIn.Initiate.self, ["client_id", "username", "challenge_type"])
        try expectMissing(SignIn.Challenge.self, ["client_id", "continuation_token"])
        try expectMissing(SignIn.Introspect.self, ["client_id", "continuation_token"])
        try expectMissing(SignIn.Token.self, ["client_id", "grant_type"])
        try expectMissing(Register.Introspect.self, ["client_id", "continuation_token"])
        try expectMissing(
            Register.Challenge.self, ["client_id", "continuation_token", "challenge_type", "challenge_target"])
        try expectMissing(Register.Continue.self, ["client_id", "continuation_token", "grant_type"])
    }

    private func expectMissing<C: Call>(_ type: C.Type, _ names: [String]) throws {
        let whole = Dictionary(uniqueKeysWithValues: names.map { ($0, "oob") })
        #expect(throws: Never.self) { try Form(whole).call(C.self) }
        for name in names {
            #expect(throws: MissingField(name: name)) { try Form(whole.filter { $0.key != name }).call(C.self) }
        }
    }
}
