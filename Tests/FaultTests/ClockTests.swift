// SPDX-License-Identifier: Apache-2.0

import Foundation
import TenantTesting
import Testing
import Wire

@testable import Tenant

/// A clock that is set while the tenant runs, or while it does not.
struct ClockTests {
    private let hour: TimeInterval = 3600

    private func proof(_ scene: Scene, _ token: String) throws -> RawAnswer {
        try scene.token(
            "grant_type=oob&continuation_token=\(token)&oob=\(try scene.code(People.cai))", app: Scene.codeApp)
    }

    private func sent(_ scene: Scene) throws -> String {
        try scene.signInChallenge(try scene.initiate(People.cai, app: Scene.codeApp).token, app: Scene.codeApp).token
    }

    @Test("F8: a code that has expired stays so when the clock is set back", arguments: [false, true])
    func expiredCode(restarting: Bool) throws {
        let tenant = try Prepared.tenant()
        let scene = Scene(tenant)
        let token = try sent(scene)
        tenant.clock.advance(by: 601)
        let late = try proof(scene, token)
        #expect(late.status == 400)
        if restarting { try tenant.provider.keepTime() }
        tenant.clock.advance(by: -hour)
        if restarting { try tenant.restart() }
        let again = try proof(scene, token)
        #expect(again.status == 400 && again.error == late.error)
    }

    @Test("F8: a lockout is not over early, nor a session, when the clock is set back")
    func lockout() throws {
        let tenant = try Prepared.tenant()
        let scene = Scene(tenant)
        let token = try scene.challenged(People.ada).token
        for number in 0..<10 { _ = try scene.submit(password: "Wrong-\(number)-Salmon", token) }
        #expect(try scene.submit(password: Scene.password, token).code == 50053)
        tenant.clock.advance(by: -hour)
        #expect(try scene.submit(password: Scene.password, token).code == 50053)
        tenant.clock.advance(by: hour + 61)
        #expect(try scene.submit(password: Scene.password, token).status == 200)
    }

    @Test("F8: time goes on while the clock is behind, so that what is new ends in its time")
    func timeGoesOn() {
        let elapsed = TestClock()
        let start = elapsed.read()
        let steady = SteadyTime(latest: 0, elapsed: { elapsed.read().timeIntervalSince1970 })
        #expect(steady.seconds(at: start) == Int64(start.timeIntervalSince1970))
        elapsed.advance(by: 10)
        #expect(steady.seconds(at: start - 3600) == Int64(start.timeIntervalSince1970) + 10)
        elapsed.advance(by: 590)
        #expect(steady.seconds(at: start - 3000) == Int64(start.timeIntervalSince1970) + 600)
        #expect(
            steady.seconds(at: start + 3600) == Int64(start.timeIntervalSince1970) + 3600, "forwards it is followed")
    }

    @Test("F8: tokens are dated by the machine's clock, so that others take them", arguments: [-3600.0, 3600])
    func tokens(jump: TimeInterval) throws {
        let tenant = try Prepared.tenant()
        let scene = Scene(tenant)
        #expect(try scene.signIn(People.ada).status == 200)
        tenant.clock.advance(by: jump)
        let tokens = try scene.signIn(People.ada)
        let claims = try #require(JWT(tokens["id_token"]?.string ?? "")).claims
        let now = Int64(tenant.clock.read().timeIntervalSince1970)
        #expect(claims["iat"]?.integer == now && claims["nbf"]?.integer == now)
        #expect((claims["auth_time"]?.integer ?? .max) <= now)
        #expect((claims["exp"]?.integer ?? 0) > now)
        #expect(try scene.refresh(tokens.refreshToken).status == 200)
        #expect(
            try tenant.caller.get("/oidc/userinfo", ["authorization": "Bearer \(tokens.accessToken)"]).status == 200)
    }

    @Test("F8: the year 2038 and the century after are years like others", arguments: [2_147_483_640.0, 4_294_967_290])
    func farFuture(second: TimeInterval) throws {
        let tenant = try Prepared.tenant()
        tenant.clock.advance(by: second - tenant.clock.read().timeIntervalSince1970)
        for script in [Script.codeSignIn, .refresh, .reset] {
            var talk = tenant.talk(script)
            try script.play(&talk) { path, body in
                tenant.clock.advance(by: 2)
                return try tenant.caller.post(path, body)
            }
        }
        #expect(try tenant.findings() == [])
    }
}
