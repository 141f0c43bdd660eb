// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import NativeAuth
import Tenant
import TenantTesting
import Testing

/// Tokens after a sign-in, until the session ends.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct TokenConversations {
    private let scene: ServedScene
    private let client: NativeAuthClient
    private let mail = ServedScene.mail

    init() throws {
        scene = try ServedScene()
        client = scene.client
    }

    private func signedIn(_ scopes: [String] = []) async throws -> Account {
        try await scene.member().signIn(scopes: scopes).account
    }

    private func claims(_ token: AccessToken) throws -> Claims { try #require(Claims(uncheckedToken: token.value)) }

    // MARK: - Tokens

    @Test func tokenIsKeptUntilItsEnd() async throws {
        let account = try await signedIn()
        let requests = scene.traffic.count("/token")
        let first = try await account.accessToken()
        #expect(!first.wasRefreshed)
        scene.wait(first.expiresAt.timeIntervalSince(scene.now) - 300)
        #expect(try await account.accessToken() == first)
        #expect(scene.traffic.count("/token") == requests)
        scene.wait(1)
        let second = try await account.accessToken()
        #expect(second.wasRefreshed)
        #expect(second.value != first.value)
        #expect(try await client.accessToken().value == second.value)
    }

    @Test func refreshOnDemand() async throws {
        let account = try await signedIn(ServedScene.orders)
        let token = try await account.accessToken(forceRefresh: true)
        #expect(token.wasRefreshed)
        #expect(try claims(token).string("scp") == "Orders.Read Orders.Write")
        #expect(try claims(token).string("sid") == account.claims.string("sid"))
    }

    @Test func claimsAreAskedOfTheTenant() async throws {
        let account = try await signedIn()
        #expect(try claims(await account.accessToken()).string("country") == nil)
        let token = try await account.accessToken(claims: ClaimsRequest(accessToken: ["country": .voluntary]))
        #expect(token.wasRefreshed)
        #expect(try claims(token).string("country") == "Norway")
    }

    @Test func twoResourcesSideBySide() async throws {
        try scene.tenant.provider.save(
            Resource(
                id: "5a3d1e00-0000-4000-8000-00000000a002", name: "Mail", identifier: "api://mail", scopes: ["Send"]))
        let account = try await signedIn(ServedScene.orders)
        let mail = try await account.accessToken(scopes: ["api://mail/Send"])
        #expect(mail.wasRefreshed)
        #expect(try claims(mail).string("aud") == "5a3d1e00-0000-4000-8000-00000000a002")
        #expect(try await account.accessToken(scopes: ["api://mail/Send"]).value == mail.value)
        let orders = try await account.accessToken(scopes: ["api://sample/Orders.Read"])
        #expect(!orders.wasRefreshed)
        #expect(try claims(orders).string("aud") == Resource.sample.id)
        let both = ["api://mail/Send", "api://sample/Orders.Read"]
        try await refusal(.invalidScope) { try await account.accessToken(scopes: both) }
    }

    @Test func scopeThatNobodyConsentedTo() async throws {
        try await scene.member()
        try scene.change { $0.consented = ["api://sample/Orders.Read"] }
        let step = try await client.signIn(username: mail)
        let account = try await step.password.submit(ServedScene.password).account
        let write = ["api://sample/Orders.Write"]
        try await refusal(.consentRequired) { try await account.accessToken(scopes: write) }
        #expect(try await account.accessToken(scopes: ["api://sample/Orders.Read"]).wasRefreshed)
        try await end(by: .consentRequired) { try await scene.signIn(write) }
        try scene.change { $0.consented = nil }
        #expect(try await account.accessToken(scopes: write, forceRefresh: true).wasRefreshed)
    }

    @Test func unknownScope() async throws {
        let account = try await signedIn()
        try await refusal(.invalidScope) { try await account.accessToken(scopes: ["api://sample/Orders.Burn"]) }
        try await end(by: .invalidScope) { try await scene.signIn(["api://nowhere/Read"]) }
        #expect(try await account.accessToken(forceRefresh: true).wasRefreshed)
    }

    // MARK: - Refreshes that are refused

    @Test func secondFactorIsWantedNow() async throws {
        let account = try await signedIn()
        try scene.demandSecondFactor()
        let error = try await refusal(.multiFactorRequired) { try await account.accessToken(forceRefresh: true) }
        #expect(error.codes == [50076])
        // The token that is there stays good.
        #expect(try await !account.accessToken().wasRefreshed)
        try scene.addMethod(ServedScene.phone)
        var step = try await scene.signIn()
        step = try await step.factor.challenge(step.factor.methods[0])
        let strong = try await step.factorCode.submit(scene.code(ServedScene.phone)).account
        #expect(try await strong.accessToken(forceRefresh: true).wasRefreshed)
    }

    @Test func disabledAccount() async throws {
        let account = try await signedIn()
        try scene.changeAccount { $0.isDisabled = true }
        try await refusal(.accountDisabled) { try await account.accessToken(forceRefresh: true) }
        try scene.changeAccount { $0.isDisabled = false }
        #expect(try await account.accessToken(forceRefresh: true).wasRefreshed)
    }

    @Test func refusalIsBelievedForAWhile() async throws {
        let account = try await signedIn()
        scene.wait(7200)
        try scene.changeAccount { $0.isDisabled = true }
        let first = try await refusal(.accountDisabled) { try await account.accessToken() }
        let requests = scene.traffic.count("/token")
        let second = try await refusal(.accountDisabled) { try await account.accessToken() }
        #expect(!first.wasThrottled && second.wasThrottled)
        #expect(second.traceID == first.traceID)
        #expect(scene.traffic.count("/token") == requests)
        try await refusal(.accountDisabled) { try await account.accessToken(forceRefresh: true) }
        #expect(scene.traffic.count("/token") == requests + 1)
        try scene.changeAccount { $0.isDisabled = false }
        scene.wait(120)
        #expect(try await account.accessToken().wasRefreshed)
    }

    @Test func tenantIsBusy() async throws {
        let scene = try ServedScene { $0.requestsPerSecond = 20 }
        let account = try await scene.member().signIn().account
        scene.wait(1)
        for _ in 1...20 { _ = try await account.accessToken(forceRefresh: true) }
        let error = try await refusal(.rateLimited(retryAfter: 1)) { try await account.accessToken(forceRefresh: true) }
        #expect(error.retryAfter == 1)
        scene.wait(1)
        #expect(try await account.accessToken(forceRefresh: true).wasRefreshed)
    }

    @Test func sessionGrowsOld() async throws {
        let account = try await signedIn()
        scene.wait(89 * 86400)
        #expect(try await account.accessToken().wasRefreshed)
        scene.wait(90 * 86400)
        try await refusal(.signInRequired) { try await account.accessToken() }
        #expect(try client.account()?.username == mail)
        _ = try await scene.signIn().account
    }

    @Test func sessionWithCodesGrowsOldInADay() async throws {
        let account = try await scene.codeMember().signIn().account
        scene.wait(86400)
        try await refusal(.signInRequired) { try await account.accessToken() }
    }

    @Test func sessionIsRevokedByAReset() async throws {
        let account = try await signedIn()
        var step = try await scene.client().resetPassword(username: mail)
        step = try await step.code.submit(scene.code()).password.submit(ServedScene.newPassword)
        let other = try await step.completion.signIn().account
        let error = try await refusal(.signInRequired) { try await account.accessToken(forceRefresh: true) }
        #expect(error.error == "invalid_grant")
        #expect(try await other.accessToken(forceRefresh: true).wasRefreshed)
    }

    @Test func deletedAccount() async throws {
        let account = try await signedIn()
        try scene.deleteAccount()
        try await refusal(.signInRequired) { try await account.accessToken(forceRefresh: true) }
    }

    @Test func copiedSessionEnds() async throws {
        let storage = MemoryStorage()
        let owner = try scene.client(storage: storage)
        try await scene.member()
        let account = try await owner.signIn(username: mail, password: ServedScene.password).account
        let copy = MemoryStorage()
        copy.save(try #require(storage.load()))
        let thief = try scene.client(storage: copy)
        _ = try await account.accessToken(forceRefresh: true)
        _ = try await account.accessToken(forceRefresh: true)
        try await refusal(.signInRequired) { try await thief.accessToken(forceRefresh: true) }
        try await refusal(.signInRequired) { try await account.accessToken(forceRefresh: true) }
    }

    @Test func cancelledAndAskedAgain() async throws {
        let account = try await signedIn()
        let held = scene.traffic.hold("/token")
        let task = Task { try await account.accessToken(forceRefresh: true) }
        await held.arrival()
        task.cancel()
        try await refusal(.cancelled) { try await task.value }
        held.release()
        await held.answer()
        // The tenant may have given the next refresh token to nobody; the one before is good once more.
        #expect(try await account.accessToken(forceRefresh: true).wasRefreshed)
    }

    // MARK: - The account

    @Test func signOut() async throws {
        let account = try await signedIn()
        try await account.signOut()
        #expect(try client.account()?.username == nil)
        let requests = scene.traffic.count("/token")
        try await refusal(.signInRequired) { try await account.accessToken() }
        try await refusal(.signInRequired) { try await client.accessToken(forceRefresh: true) }
        #expect(scene.traffic.count("/token") == requests)
        _ = try await scene.signIn().account
    }

    @Test func secondAccountTakesThePlace() async throws {
        let first = try await signedIn()
        let second = try await scene.member(ServedScene.otherMail).signIn().account
        #expect(try client.account()?.username == ServedScene.otherMail)
        try await refusal(.signInRequired) { try await first.accessToken() }
        #expect(try await second.accessToken(forceRefresh: true).wasRefreshed)
    }

    @Test func failedSignInLeavesTheAccount() async throws {
        let first = try await signedIn()
        try await end(by: .userNotFound) { try await client.signIn(username: ServedScene.otherMail) }
        #expect(try await first.accessToken(forceRefresh: true).wasRefreshed)
    }
}
