// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
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

    @Test("Rule 33: an account closes for twice as long with each failure") func timeDoublesWithEachFailure() throws {
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

    @Test("Rule 34: the same wrong password counts once") func sameWrongPasswordCountsOnce() throws {
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
    @Test("Rule 37: a lock is looked at where the password is redeemed") func lockHoldsForEveryFlow() throws {
        let (scene, token) = try asked()
        let other = try scene.challenged(mira).token
        for number in 1...3 { _ = try scene.submit(password: "wrong-\(number)", other) }
        #expect(try scene.submit(password: Scene.password, token).code == 50053)
    }

    @Test("Rule 35: a refresh does not open an account") func refreshDoesNotOpenTheAccount() throws {
        let (scene, token) = try asked()
        let session = try scene.submit(password: Scene.password, token)
        let second = try scene.challenged(mira).token
        for number in 1...3 { _ = try scene.submit(password: "wrong-\(number)", second) }
        #expect(try scene.refresh(session.refreshToken).status == 200)
        #expect(try scene.submit(password: Scene.password, second).code == 50053)
    }

    @Test("Rule 41: a lock survives a restart") func lockSurvivesARestart() throws {
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

    @Test(
        "Rules 49 and 56: a password is compared as a whole",
        arguments: [
            "Fjord-Salmon-4", "Fjord-Salmon-477", "fjord-salmon-47", "Fjord-Salmon-47%00", "+Fjord-Salmon-47",
            "Fjord-Salmon-47+", "%00",
        ])
    func nearlyRightIsWrong(_ password: String) throws {
        let (scene, token) = try asked()
        #expect(try scene.submit(password: password, token).code == 50126)
    }

    @Test("what the owner sees of a lock goes by the tenant's own time, as the lock does", .atOneServer)
    func shownLock() throws {
        let scene = Scene(try TestTenant { $0.lockThreshold = 1 })
        try scene.passwordAccount("mira@lofoten.example")
        _ = try scene.submit(password: "Wrong-Salmon-1", try scene.challenged("mira@lofoten.example").token)
        let open = OpenTenant(scene.tenant.provider, in: scene.tenant.folder)
        func end() throws -> Date? { try ReadAccount("mira@lofoten.example").run(on: open) { _ in }.lockedUntil }
        #expect(try end() == Date(timeIntervalSince1970: 1_780_000_060))
        scene.tenant.clock.advance(by: 61)
        #expect(try end() == nil)
        // The machine's clock is set back; the lock is over all the same.
        scene.tenant.clock.advance(by: -3600)
        #expect(try end() == nil)
        #expect(try scene.signIn("mira@lofoten.example").status == 200)
    }
}
