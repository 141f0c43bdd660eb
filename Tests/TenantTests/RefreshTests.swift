// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Testing
import Wire

@testable import Tenant

/// Refresh tokens: the newest leads on, the one before leads to the newest, older ones were copied.
struct RefreshTests {
    private let scene: Scene
    private let first: String

    init() throws {
        scene = Scene(try TestTenant())
        first = try scene.signedIn("mira@lofoten.example").refreshToken
    }

    @Test func everyRefreshGivesTheNextToken() throws {
        var seen = [first]
        for _ in 0..<5 {
            let answer = try scene.refresh(seen.last ?? "")
            #expect(answer.status == 200)
            #expect(!seen.contains(answer.refreshToken))
            seen.append(answer.refreshToken)
        }
    }

    @Test func tokenBeforeTheNewestLeadsToTheNewest() throws {
        let second = try scene.refresh(first).refreshToken
        for _ in 0..<3 { #expect(try scene.refresh(first).refreshToken == second) }
        #expect(try scene.refresh(second).status == 200)
    }

    @Test("Rule 71: an older token ends the session") func olderTokenEndsTheSession() throws {
        let second = try scene.refresh(first).refreshToken
        let third = try scene.refresh(second).refreshToken
        let theft = try scene.refresh(first)
        #expect(theft.error == "invalid_grant")
        #expect(theft.code == 700_082)
        for secret in [first, second, third] { #expect(try scene.refresh(secret).error == "invalid_grant") }
    }

    @Test func otherSessionsLiveOn() throws {
        let other = try scene.submit(password: Scene.password, try scene.challenged("mira@lofoten.example").token)
        let second = try scene.refresh(first).refreshToken
        _ = try scene.refresh(second)
        #expect(try scene.refresh(first).error == "invalid_grant")
        #expect(try scene.refresh(other.refreshToken).status == 200)
    }

    @Test("Rule 69: every tampered character is noticed") func everyTamperedCharacterIsNoticed() throws {
        for (offset, character) in first.enumerated() {
            var changed = Array(first)
            changed[offset] = character == "A" ? "B" : "A"
            #expect(try scene.refresh(String(changed)).error == "invalid_grant")
        }
        let parts = first.split(separator: ".")
        for text in [
            "\(parts[0]).2.\(parts[2])", "\(parts[0]).01.\(parts[2])", "\(parts[0]).\(parts[2])", "..", "\(first).",
            "\(first)=", "%20\(first)",
        ] {
            #expect(try scene.refresh(text).error == "invalid_grant")
        }
        #expect(try scene.refresh(first).status == 200)
    }

    @Test func tokenBelongsToItsApp() throws {
        #expect(try scene.refresh(first, app: Scene.codeApp).error == "invalid_grant")
        #expect(try scene.refresh(first, app: Scene.passwordApp.uppercased()).status == 200)
    }

    @Test("Rule 61: the life of a session slides") func lifeSlides() throws {
        var secret = first
        for _ in 0..<3 {
            scene.tenant.clock.advance(by: 89 * 86400)
            secret = try scene.refresh(secret).refreshToken
            #expect(!secret.isEmpty)
        }
        scene.tenant.clock.advance(by: 90 * 86400)
        #expect(try scene.refresh(secret).error == "invalid_grant")
    }

    @Test func omittedScopeMeansTheFirstOne() throws {
        let answer = try scene.caller.post(
            "/oauth2/v2.0/token", "client_id=\(Scene.passwordApp)&grant_type=refresh_token&refresh_token=\(first)")
        #expect(answer["scope"] == .string("openid profile offline_access"))
        #expect(answer["id_token"] != nil)
        #expect(!answer.refreshToken.isEmpty)
    }

    @Test func otherResourceCanBeAskedFor() throws {
        let answer = try scene.refresh(first, scope: "scope=api%3A%2F%2Fsample%2FOrders.Read+openid+offline_access")
        #expect(answer["scope"] == .string("api://sample/Orders.Read openid offline_access"))
        #expect(JWT(answer.accessToken)?.claims["aud"] == .string(Resource.sample.id))
    }

    /// What is wrong with a request is told before the token is used up.
    @Test func refusedScopeUsesNothingUp() throws {
        #expect(try scene.refresh(first, scope: "scope=nonsense").error == "invalid_scope")
        #expect(try scene.refresh(first).status == 200)
    }

    @Test func missingTokenIsNamed() throws {
        let answer = try scene.token("grant_type=refresh_token")
        #expect(answer.error == "invalid_request")
        #expect(answer["error_description"]?.string?.contains("refresh_token") == true)
    }

    @Test func sessionSurvivesARestart() throws {
        let second = try scene.refresh(first).refreshToken
        try scene.tenant.restart()
        #expect(try scene.refresh(second).status == 200)
    }
}
