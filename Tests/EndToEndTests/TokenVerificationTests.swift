// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

/// What an API does with a token, by a library that has nothing to do with this package: PyJWT.
@Suite("Tokens, as others verify them", .inTurns)
struct TokenVerificationTests {
    let home: Home

    init() throws { home = try Home() }

    private static let script = """
        import json, sys, jwt
        keys, issuer, audience, token = sys.argv[1:]
        try:
            key = jwt.PyJWKClient(keys).get_signing_key_from_jwt(token).key
            claims = jwt.decode(token, key, algorithms=["RS256"], issuer=issuer, audience=audience,
                                options={"require": ["exp", "iat", "iss", "aud", "sub"]})
        except jwt.PyJWTError as error:
            sys.exit(type(error).__name__)
        print(json.dumps(claims))
        """

    private func verify(_ token: String, keys: String, issuer: String, audience: String) async throws -> Run.Outcome {
        try await Run(
            "/usr/bin/python3", ["-c", Self.script, keys, issuer, audience, token], environment: home.environment)()
    }

    /// The ID token, which the cache holds and no command prints.
    private func idToken() throws -> String {
        let cache = try object(try #require(home.read(home.cache)))
        let entries = cache.object("IdToken").values.compactMap { $0 as? [String: Any] }
        return try #require(entries.first?.string("secret"))
    }

    @Test("access and ID tokens hold against the published keys, issuer and audience; altered ones do not")
    func verification() async throws {
        let server = try await home.serve()
        try await home.signUp("ada@example.com")
        let discovery = try await home.discovery(server.url)
        let keys = try #require(discovery.string("jwks_uri"))
        let issuer = try #require(discovery.string("issuer"))
        let client = "5a3d1e00-0000-4000-8000-000000000001"
        let access = try await home.succeed("token").trimmingCharacters(in: .newlines)
        let api = try await home.succeed("token", "--scope", "api://sample/Orders.Read").trimmingCharacters(
            in: .newlines)
        let audience = try #require(try payload(access).string("aud"))
        let apiAudience = try #require(try payload(api).string("aud"))
        #expect(audience != apiAudience)
        for (token, audience) in [(access, audience), (api, apiAudience), (try idToken(), client)] {
            let good = try await verify(token, keys: keys, issuer: issuer, audience: audience)
            #expect(good.ending == .exit(0), "\(good)")
            #expect(try object(good.output).string("oid") == payload(access).string("oid"))
            let wrongs = [
                (token, issuer, client + "x", "InvalidAudienceError"),
                (token, issuer + "/", audience, "InvalidIssuerError"),
                (try forged(token), issuer, audience, "InvalidSignatureError"),
                (withoutSignature(token), issuer, audience, ""),
            ]
            for (token, issuer, audience, error) in wrongs {
                let bad = try await verify(token, keys: keys, issuer: issuer, audience: audience)
                #expect(bad.ending == .exit(1) && bad.output.isEmpty, "\(bad)")
                #expect(bad.errors.contains(error.isEmpty ? "Error" : error), "\(bad)")
            }
        }
        #expect(try payload(api).string("scp")?.contains("Orders.Read") == true)
        try await server.stop()
    }

    @Test("tokens made in process and by the server hold against the same keys")
    func sameKeys() async throws {
        try await home.signUp("ada@example.com")
        let before = try await home.succeed("token").trimmingCharacters(in: .newlines)
        let server = try await home.serve()
        let after = try await home.succeed("token", "--force-refresh").trimmingCharacters(in: .newlines)
        #expect(before != after)
        let discovery = try await home.discovery(server.url)
        for token in [before, after] {
            let outcome = try await verify(
                token, keys: try #require(discovery.string("jwks_uri")),
                issuer: try #require(discovery.string("issuer")), audience: try #require(payload(token).string("aud")))
            #expect(outcome.ending == .exit(0), "\(outcome)")
        }
        try await server.stop()
    }

    private func payload(_ token: String) throws -> [String: Any] {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        return try object(String(decoding: try #require(Data(base64URL: parts[1])), as: UTF8.self))
    }

    /// The token with a claim changed, and its signature as it was.
    private func forged(_ token: String) throws -> String {
        var parts = token.split(separator: ".").map(String.init)
        var claims = try payload(token)
        claims["oid"] = "00000000-0000-0000-0000-000000000000"
        parts[1] = try JSONSerialization.data(withJSONObject: claims).base64URL
        return parts.joined(separator: ".")
    }

    /// The token as one that says it needs no signature.
    private func withoutSignature(_ token: String) -> String {
        let parts = token.split(separator: ".")
        return "\(Data(#"{"alg":"none","typ":"JWT"}"#.utf8).base64URL).\(parts[1])."
    }
}

extension Data {
    fileprivate init?(base64URL part: Substring) {
        let text = String(part)
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4))
    }

    fileprivate var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
