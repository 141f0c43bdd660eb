// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import TenantTesting
import Testing
import Wire

@testable import Tenant

/// How a receiver knows that the tenant is calling.
struct CalloutTokenTests {
    /// The request that a receiver got, taken apart.
    private struct Seen {
        let head: [String: String]
        let token: JWT
        let body: JSONValue

        init(_ text: String) throws {
            let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
            try #require(parts.count == 2)
            var head: [String: String] = [:]
            for line in parts[0].split(whereSeparator: \.isNewline).dropFirst() {
                let field = line.split(separator: ":", maxSplits: 1)
                head[field[0].lowercased()] = String(field[1].dropFirst())
            }
            self.head = head
            let bearer = try #require(head["authorization"]).split(separator: " ")
            try #require(bearer.count == 2 && bearer[0] == "Bearer")
            token = try #require(JWT(String(bearer[1])))
            body = try #require(JSONValue(json: parts[1].utf8))
        }
    }

    private func seen(by scene: CalloutScene, at now: Date = CalloutScene.now) async throws -> Seen {
        let receiver = try ReceiverSocket.answering(ReceiverSocket.claims)
        let outcome = await scene.asking(CalloutScene.registration(at: receiver.url), at: now)
        #expect(outcome == .claims(["tier": .string("gold")]))
        return try Seen(try #require(receiver.requests.first))
    }

    @Test func requestOnTheWire() async throws {
        let receiver = try ReceiverSocket.answering(ReceiverSocket.claims)
        _ = try await CalloutScene().asking(CalloutScene.registration(at: receiver.url + "?code=key"))
        let text = try #require(receiver.requests.first)
        #expect(text.hasPrefix("POST /hook?code=key HTTP/1.1\r\n"))
        let seen = try Seen(text)
        #expect(seen.head["content-type"] == "application/json")
        #expect(seen.head["accept"] == "application/json")
        #expect(seen.head["host"] == "127.0.0.1:\(receiver.port)")
        #expect(seen.head["cookie"] == nil && seen.head["expect"] == nil && seen.head["transfer-encoding"] == nil)
        #expect(seen.body["type"] == .string("microsoft.graph.authenticationEvent.tokenIssuanceStart"))
        #expect(UUID(uuidString: seen.head["client-request-id"] ?? "") != nil)
        #expect(seen.token.claims["jti"]?.string == seen.head["client-request-id"])
    }

    @Test("Rule 107: what the call's token says") func claims() async throws {
        let token = try await seen(by: try CalloutScene()).token
        #expect(token.header.alg == "RS256" && token.header.typ == "JWT")
        var claims = token.claims
        let id = try #require(claims.removeValue(forKey: "jti")?.string)
        #expect(claims.removeValue(forKey: "uti")?.string == id)
        #expect(
            claims == [
                "ver": .string("2.0"),
                "iss": .string("https://login.fjord.example/8d0f6c1e-52b7-4f0a-9a55-1b7e0c9d2f31/v2.0"),
                "aud": .string("66ff0000-0000-4000-8000-000000000006"),
                "azp": .string("99045fe1-7639-4a75-9d4a-577b6ca3810f"),
                "sub": .string("99045fe1-7639-4a75-9d4a-577b6ca3810f"),
                "tid": .string("8d0f6c1e-52b7-4f0a-9a55-1b7e0c9d2f31"),
                "iat": .integer(1_773_480_600), "nbf": .integer(1_773_480_600), "exp": .integer(1_773_480_900),
            ])
    }

    @Test func eachCallHasAnIDOfItsOwn() async throws {
        let scene = try CalloutScene()
        let first = try await seen(by: scene).token.claims["jti"]
        let second = try await seen(by: scene).token.claims["jti"]
        #expect(first != second)
    }

    /// The key is the one that the tenant publishes, and the token is no token for the tenant itself.
    @Test func publishedKeyVerifiesAndUserInfoRefuses() async throws {
        let scene = Scene(try TestTenant())
        let provider = scene.tenant.provider
        let receiver = try ReceiverSocket.answering(ReceiverSocket.claims)
        let callouts = Callouts(settings: provider.settings, signer: provider.signer)
        let registration = CalloutScene.registration(at: receiver.url) {
            $0.resourceID = "api://127.0.0.1/\(Resource.userInfo.id)"
        }
        let now = scene.tenant.clock.read()
        let outcome = await OwnThread.run {
            callouts.ask(
                CalloutScene.callout(for: .tokenIssuanceStart), of: registration, CalloutScene.context, now: now)
        }
        #expect(outcome.code == nil)
        let text = try #require(receiver.requests.first)
        let token = try Seen(text).token
        let document = try scene.caller.get("/discovery/v2.0/keys")
        guard case .array(let keys)? = document["keys"] else { throw CalloutScene.NoKey() }
        #expect(keys.map { $0["kid"]?.string } == [token.header.kid])
        #expect(provider.signer.signed(token))
        #expect(token.claims["iss"] == .string(provider.settings.issuer))
        let answer = provider.answer(
            Request(
                method: "GET", path: "/\(provider.settings.tenantID)/oidc/userinfo",
                headers: ["authorization": "Bearer \(token.signedText).\(Base64URL.encode(token.signature))"]))
        #expect(answer.status == 401)
    }

    @Test func everySecondAttemptIsTheSameRequest() async throws {
        let receiver = try ReceiverSocket { peer in
            _ = peer.request()
            peer.send("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
        let registration = CalloutScene.registration(at: receiver.url)
        #expect(try await CalloutScene().asking(registration).code == 1_003_002)
        let requests = receiver.requests
        #expect(requests.count == 2)
        #expect(requests.first == requests.last)
    }
}
