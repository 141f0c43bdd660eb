// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import Wire

/// 200 answers as the protocol's examples write them.
struct ReplyTests {
    private func read<T: Decodable>(_ json: String) throws -> T {
        try WireJSON.decode(T.self, from: Data(json.utf8))
    }

    private func written(_ value: some Encodable) throws -> String {
        String(decoding: try WireJSON.encode(value), as: UTF8.self)
    }

    @Test func continuation() throws {
        #expect(try read(#"{ "continuation_token": "CT1" }"#) == Continuation(continuationToken: "CT1"))
        #expect(try written(Continuation(continuationToken: "CT1")) == #"{"continuation_token":"CT1"}"#)
        #expect(
            try read(#"{"continuation_token":"CT","expires_in":600,"challenge_type":"oob","new_member":[1]}"#)
                == Continuation(continuationToken: "CT", expiresIn: 600, challengeType: .oob))
    }

    @Test func redirect() throws {
        let json =
            #"{ "challenge_type": "redirect", "redirect_reason": "Client is missing registration_required capability" }"#
        let reason = "Client is missing registration_required capability"
        #expect(try read(json) == Continuation(challengeType: .redirect, redirectReason: reason))
        #expect(try read(json) == ChallengeReply(challengeType: .redirect, redirectReason: reason))
        #expect(try read(json) == Tokens(challengeType: .redirect, redirectReason: reason))
        #expect(try written(Continuation(challengeType: .redirect)) == #"{"challenge_type":"redirect"}"#)
    }

    @Test func codeSent() throws {
        let json = """
            { "continuation_token": "CT2", "challenge_type": "oob", "binding_method": "prompt", "challenge_channel": "email",
              "challenge_target_label": "m***a@lo*****.example", "code_length": 8, "interval": 300 }
            """
        let reply = ChallengeReply(
            challengeType: .oob, continuationToken: "CT2", bindingMethod: "prompt", challengeChannel: .email,
            challengeTargetLabel: "m***a@lo*****.example", codeLength: 8, interval: 300)
        #expect(try read(json) == reply)
        #expect(
            try written(reply) == #"{"binding_method":"prompt","challenge_channel":"email","#
                + #""challenge_target_label":"m***a@lo*****.example","challenge_type":"oob","code_length":8,"#
                + #""continuation_token":"CT2","interval":300}"#)
    }

    @Test func passwordWanted() throws {
        let reply = ChallengeReply(challengeType: .password, continuationToken: "CT4")
        #expect(try read(#"{ "challenge_type": "password", "continuation_token": "CT4" }"#) == reply)
        #expect(try written(reply) == #"{"challenge_type":"password","continuation_token":"CT4"}"#)
    }

    @Test func tokens() throws {
        let json = """
            { "token_type": "Bearer", "scope": "api://fjord-orders/Orders.Read openid profile offline_access",
              "expires_in": 4523, "ext_expires_in": 4523, "access_token": "eyJA", "refresh_token": "1.AX", "id_token": "eyJI",
              "client_info": "eyJ1aWQiOiIxIiwidXRpZCI6IjIifQ" }
            """
        let tokens = Tokens(
            tokenType: "Bearer", scope: "api://fjord-orders/Orders.Read openid profile offline_access", expiresIn: 4523,
            extExpiresIn: 4523, accessToken: "eyJA", refreshToken: "1.AX", idToken: "eyJI",
            clientInfo: "eyJ1aWQiOiIxIiwidXRpZCI6IjIifQ")
        #expect(try read(json) == tokens)
        let text = try written(tokens)
        #expect(text.contains(#""scope":"api://fjord-orders/Orders.Read openid profile offline_access""#))
        #expect(!text.contains("refresh_in"))
        #expect(
            try WireJSON.decode(ClientInfo.self, from: #require(Base64URL.decode("eyJ1aWQiOiIxIiwidXRpZCI6IjIifQ")))
                == ClientInfo(uid: "1", utid: "2"))
    }

    @Test func description() throws {
        let issuer =
            "https://8d0f6c1e-52b7-4f0a-9a55-1b7e0c9d2f31.ciamlogin.com/8d0f6c1e-52b7-4f0a-9a55-1b7e0c9d2f31/v2.0"
        let json = """
            { "issuer": "\(issuer)", "token_endpoint": "https://t.example/token", "jwks_uri": "https://t.example/keys",
              "subject_types_supported": ["pairwise"], "authorization_endpoint": "https://t.example/authorize" }
            """
        var expected = ProviderConfiguration(
            issuer: issuer, tokenEndpoint: "https://t.example/token", jwksUri: "https://t.example/keys")
        expected.authorizationEndpoint = "https://t.example/authorize"
        expected.subjectTypesSupported = ["pairwise"]
        #expect(try read(json) == expected)
        #expect(ProviderConfiguration.path == "/v2.0/.well-known/openid-configuration")
        #expect(KeySet.path == "/discovery/v2.0/keys")
    }

    @Test func keysOfOtherTypesAreKept() throws {
        let keys: KeySet = try read(
            #"{"keys":[{"kty":"EC","crv":"P-256"},{"kty":"RSA","kid":"k","n":"AQ","e":"AQAB","x5c":["M"]}]}"#)
        #expect(keys.keys.map(\.kty) == ["EC", "RSA"])
        #expect(keys.keys.map(\.kid) == [nil, "k"])
    }

    @Test(arguments: [
        #"{"expires_in":"3600"}"#, #"{"access_token":5}"#, "[]", "null", "", "{", #"{"expires_in":1e30}"#, "{}{}",
    ])
    func otherShapesAreNoTokens(_ json: String) {
        #expect(throws: (any Error).self) { try WireJSON.decode(Tokens.self, from: Data(json.utf8)) }
    }
}
