// SPDX-License-Identifier: Apache-2.0

import Tenant
import TenantTesting
import Testing
import Wire

/// Accounts close after wrong passwords, for longer each time.
struct LockoutTests {
    private let mira = "mira@lofoten.example"

    /// A sign-in that waits for its password, and that lives as long as the test.
    private func asked(_ change: (inout Settings) -> Void = { _ in }) throws -> (Scene, String) {
        let tenant = try TestTenant {
            $0.flowLifetime = 86_400
            $0.lockThreshold = 3
            change(&$0)
        }
        let scene = Scene(tenant)
        try scene.passwordAccount(mira)
        return (scene, try scene.challenged(mira).token)
    }

    @Test func timeDoublesWithEachFailure() throws {
        let (scene, token) = try asked()
        for number in 1...3 { #expect(try scene.submit(password: "wrong-\(number)", token).code == 50126) }
        for (number, seconds) in [(4, 60.0), (5, 120), (6, 240), (7, 480)] {
            #expect(try scene.submit(password: Scene.password, token).code == 50053)
            scene.tenant.clock.advance(by: seconds - 1)
            #expect(try scene.submit(password: Scene.password, token).code == 50053)
            scene.tenant.clock.advance(by: 1)
            #expect(try scene.submit(password: "wrong-\(number)", token).code == 50126)
        }
        scene.tenant.clock.advance(by: 960)
        #expect(try scene.submit(password: Scene.password, token).status == 200)
    }

    @Test func tenWrongPasswordsAreTheDefault() throws {
        let (scene, token) = try asked { $0.lockThreshold = 10 }
        for number in 1...10 { #expect(try scene.submit(password: "wrong-\(number)", token).code == 50126) }
        #expect(try scene.submit(password: Scene.password, token).code == 50053)
        scene.tenant.clock.advance(by: 60)
        #expect(try scene.submit(password: Scene.password, token).status == 200)
    }

    @Test func sameWrongPasswordCountsOnce() throws {
        let (scene, token) = try asked()
        for _ in 1...10 { #expect(try scene.submit(password: "wrong-1", token).code == 50126) }
        #expect(try scene.submit(password: "wrong-2", token).code == 50126)
        for _ in 1...5 { #expect(try scene.submit(password: "wrong-1", token).code == 50126) }
        #expect(try scene.submit(password: Scene.password, token).status == 200)
    }

    @Test func rightPasswordStartsTheCountAnew() throws {
        let (scene, token) = try asked()
        for number in 1...2 { _ = try scene.submit(password: "wrong-\(number)", token) }
        #expect(try scene.submit(password: Scene.password, token).status == 200)
        let second = try scene.challenged(mira).token
        for number in 1...2 { #expect(try scene.submit(password: "wrong-\(number)", second).code == 50126) }
        #expect(try scene.submit(password: Scene.password, second).status == 200)
    }

    /// Guesses in other flows and before the lock count for the account.
    @Test func lockHoldsForEveryFlow() throws {
        let (scene, token) = try asked()
        let other = try scene.challenged(mira).token
        for number in 1...3 { _ = try scene.submit(password: "wrong-\(number)", other) }
        #expect(try scene.submit(password: Scene.password, token).code == 50053)
    }

    @Test func refreshDoesNotOpenTheAccount() throws {
        let (scene, token) = try asked()
        let session = try scene.submit(password: Scene.password, token)
        let second = try scene.challenged(mira).token
        for number in 1...3 { _ = try scene.submit(password: "wrong-\(number)", second) }
        #expect(try scene.refresh(session.refreshToken).status == 200)
        #expect(try scene.submit(password: Scene.password, second).code == 50053)
    }

    @Test func lockSurvivesARestart() throws {
        let (scene, token) = try asked()
        for number in 1...3 { _ = try scene.submit(password: "wrong-\(number)", token) }
        try scene.tenant.restart()
        #expect(try scene.submit(password: Scene.password, token).code == 50053)
    }

    @Test func otherAccountsStayOpen() throws {
        let (scene, token) = try asked()
        for number in 1...3 { _ = try scene.submit(password: "wrong-\(number)", token) }
        try scene.passwordAccount("ola@lofoten.example")
        #expect(
            try scene.submit(password: Scene.password, try scene.challenged("ola@lofoten.example").token).status == 200)
    }

    @Test(arguments: [
        "Fjord-Salmon-4", "Fjord-Salmon-477", "fjord-salmon-47", "Fjord-Salmon-47%00", "+Fjord-Salmon-47",
        "Fjord-Salmon-47+", "%00",
    ])
    func nearlyRightIsWrong(_ password: String) throws {
        let (scene, token) = try asked()
        #expect(try scene.submit(password: password, token).code == 50126)
    }
}
