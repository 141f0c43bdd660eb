// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Wire

/// Requests as the protocol's examples write them, against the calls that stand for them.
struct CallTests {
    private let id = "3b6a2d54-0c1f-4f7e-8f43-6d1f2f3f4a10"

    @Test func signUpStart() throws {
        try expectBody(
            "client_id=\(id)&username=mira%40lofoten.example&challenge_type=oob%20password%20redirect"
                + "&capabilities=mfa_required%20registration_required",
            SignUp.Start(
                clientId: id, username: "mira@lofoten.example", challengeType: [.oob, .password, .redirect],
                capabilities: [.mfaRequired, .registrationRequired]), path: "/signup/v1.0/start")
    }

    @Test func signUpStartWithEverything() throws {
        try expectBody(
            "client_id=\(id)&username=mira%40lofoten.example&challenge_type=oob+redirect&password=Fj%C3%B8rd+1"
                + "&attributes=%7B%22country%22%3A%22Norway%22%7D",
            SignUp.Start(
                clientId: id, username: "mira@lofoten.example", challengeType: [.oob, .redirect], password: "Fjørd 1",
                attributes: Attributes(["country": .string("Norway")])), path: "/signup/v1.0/start")
    }

    @Test func signUpChallenge() throws {
        try expectBody(
            "client_id=\(id)&continuation_token=CT1&challenge_type=oob+password+redirect",
            SignUp.Challenge(clientId: id, continuationToken: "CT1", challengeType: [.oob, .password, .redirect]),
            path: "/signup/v1.0/challenge")
        try expectBody(
            "client_id=\(id)&continuation_token=CT1", SignUp.Challenge(clientId: id, continuationToken: "CT1"),
            path: "/signup/v1.0/challenge")
    }

    @Test func signUpContinue() throws {
        let path = "/signup/v1.0/continue"
        try expectBody(
            "client_id=\(id)&continuation_token=CT2&grant_type=oob&oob=40518826",
            SignUp.Continue(clientId: id, continuationToken: "CT2", grantType: .oob, oob: "40518826"), path: path)
        try expectBody(
            "client_id=\(id)&continuation_token=CT4&grant_type=password&password=a%26b%3Dc",
            SignUp.Continue(clientId: id, continuationToken: "CT4", grantType: .password, password: "a&b=c"), path: path
        )
        try expectBody(
            "client_id=\(id)&continuation_token=CT5&grant_type=attributes&attributes=%7B%22displayName%22%3A%22Mira+L%22%7D",
            SignUp.Continue(
                clientId: id, continuationToken: "CT5", grantType: .attributes,
                attributes: Attributes(["displayName": .string("Mira L")])), path: path)
    }

    @Test func signInInitiate() throws {
        try expectBody(
            "client_id=\(id)&username=mira&challenge_type=oob+password+redirect&capabilities=registration_required",
            SignIn.Initiate(
                clientId: id, username: "mira", challengeType: [.oob, .password, .redirect],
                capabilities: [.registrationRequired]), path: "/oauth2/v2.0/initiate")
        try expectBody(
            "client_id=\(id)&username=mira%40lofoten.example&challenge_type=password+oob+redirect",
            SignIn.Initiate(
                clientId: id, username: "mira@lofoten.example", challengeType: [.password, .oob, .redirect]),
            path: "/oauth2/v2.0/initiate")
    }

    @Test func signInChallenge() throws {
        try expectBody(
            "client_id=\(id)&continuation_token=CT1", SignIn.Challenge(clientId: id, continuationToken: "CT1"),
            path: "/oauth2/v2.0/challenge")
        try expectBody(
            "client_id=\(id)&continuation_token=CT8&challenge_type=oob+password+redirect"
                + "&id=c4b5a697-8877-4665-8544-332211009988",
            SignIn.Challenge(
                clientId: id, continuationToken: "CT8", challengeType: [.oob, .password, .redirect],
                id: "c4b5a697-8877-4665-8544-332211009988"), path: "/oauth2/v2.0/challenge")
    }

    @Test func introspect() throws {
        try expectBody(
            "client_id=\(id)&continuation_token=CT7", SignIn.Introspect(clientId: id, continuationToken: "CT7"),
            path: "/oauth2/v2.0/introspect")
    }

    @Test func tokenAfterSignUp() throws {
        try expectBody(
            "client_id=\(id)&grant_type=continuation_token&continuation_token=CT6&username=mira%40lofoten.example"
                + "&scope=openid%20profile%20offline_access%20api%3A%2F%2Ffjord-orders%2FOrders.Read&client_info=true",
            SignIn.Token(
                clientId: id, grantType: .continuationToken, continuationToken: "CT6",
                scope: [.openid, .profile, .offlineAccess, Scope(rawValue: "api://fjord-orders/Orders.Read")],
                username: "mira@lofoten.example", clientInfo: "true"), path: "/oauth2/v2.0/token")
    }

    @Test func tokenForASecondFactor() throws {
        try expectBody(
            "client_id=\(id)&grant_type=mfa_oob&continuation_token=CT9&oob=40518826&client_info=true"
                + "&scope=openid+profile+offline_access"
                + "&claims=%7B%22access_token%22%3A%7B%22acrs%22%3A%7B%22essential%22%3Atrue%2C%22value%22%3A%22c4%22%7D%7D%7D",
            SignIn.Token(
                clientId: id, grantType: .mfaOOB, continuationToken: "CT9", scope: [.openid, .profile, .offlineAccess],
                oob: "40518826", clientInfo: "true",
                claims: #"{"access_token":{"acrs":{"essential":true,"value":"c4"}}}"#), path: "/oauth2/v2.0/token")
    }

    @Test func tokenForPasswordCodeAndRefresh() throws {
        let path = "/oauth2/v2.0/token"
        try expectBody(
            "client_id=\(id)&grant_type=password&continuation_token=CT&password=p&challenge_type=oob+redirect",
            SignIn.Token(
                clientId: id, grantType: .password, continuationToken: "CT", password: "p",
                challengeType: [.oob, .redirect]), path: path)
        try expectBody(
            "client_id=\(id)&grant_type=oob&continuation_token=CT&oob=00000000&scope=openid",
            SignIn.Token(clientId: id, grantType: .oob, continuationToken: "CT", scope: [.openid], oob: "00000000"),
            path: path)
        try expectBody(
            "client_id=\(id)&grant_type=refresh_token&refresh_token=1.AX&client_info=1",
            SignIn.Token(clientId: id, grantType: .refreshToken, refreshToken: "1.AX", clientInfo: "1"), path: path)
    }
}
