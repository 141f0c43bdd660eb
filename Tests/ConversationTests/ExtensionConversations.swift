// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import Synchronization
import Tenant
import TenantTesting
import Testing
import Wire

/// Tokens in which a system outside of the tenant has a say, and the time that it takes.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ExtensionConversations {
    private let scene: ServedScene
    private let client: NativeAuthClient
    private let mail = ServedScene.mail

    init() throws {
        scene = try ServedScene()
        client = scene.client
    }

    // MARK: - Claims

    @Test func claimsArriveInBothTokens() async throws {
        let receiver = try Receiver(.claims(#"{"tier": "gold", "roles": ["baker", "miller"]}"#))
        try scene.ask(receiver, on: .tokenIssuanceStart)
        try scene.change { $0.claims = [ClaimMapping(.customClaimsProvider, "tier", as: "customer_tier")] }
        var orders = Resource.sample
        orders.claims = [ClaimMapping(.customClaimsProvider, "roles", as: "shop_roles")]
        try scene.tenant.provider.save(orders)
        let account = try await scene.member().signIn(scopes: ServedScene.orders).account
        #expect(account.claims.string("customer_tier") == "gold")
        let token = try #require(Claims(uncheckedToken: try await account.accessToken().value))
        #expect(token.strings("shop_roles") == ["baker", "miller"])
        #expect(token.string("customer_tier") == nil)
        let user = receiver.asked[0]["data"]?["authenticationContext"]?["user"]
        #expect(user?["mail"]?.string == mail)
    }

    @Test func claimsAreAskedForAtEachRefresh() async throws {
        let receiver = try Receiver(.claims(#"{"tier": "silver"}"#))
        try scene.ask(receiver, on: .tokenIssuanceStart)
        var orders = Resource.sample
        orders.claims = [ClaimMapping(.customClaimsProvider, "tier", as: "tier")]
        try scene.tenant.provider.save(orders)
        let account = try await scene.member().signIn(scopes: ServedScene.orders).account
        receiver.say(.claims(#"{"tier": "gold"}"#))
        let token = try await account.accessToken(forceRefresh: true)
        #expect(Claims(uncheckedToken: token.value)?.string("tier") == "gold")
        #expect(receiver.asked.count == 2)
    }

    @Test func signInWaitsForTheReceiverToComeBack() async throws {
        let receiver = try Receiver(.failure)
        try await scene.member()
        try scene.ask(receiver, on: .tokenIssuanceStart)
        let step = try await client.signIn(username: mail)
        let again = try await failing { try await step.password.submit(ServedScene.password) }
        receiver.say(.claims("{}"))
        _ = try await again.password.submit(ServedScene.password).account
        #expect(try scene.tenant.provider.failures().map(\.code) == [1_003_002])
    }

    @Test func refreshWaitsForTheReceiverToComeBack() async throws {
        let receiver = try Receiver(.claims("{}"))
        try scene.ask(receiver, on: .tokenIssuanceStart)
        let account = try await scene.member().signIn().account
        receiver.say(.failure)
        let error = try await refusal(.refused) { try await account.accessToken(forceRefresh: true) }
        #expect(error.codes == [extensionFailed])
        receiver.say(.claims("{}"))
        #expect(try await account.accessToken(forceRefresh: true).wasRefreshed)
    }

    @Test("Rule 105: a failure is passed over only where the owner says so") func failureThatIsPassedOver() async throws
    {
        let receiver = try Receiver(.failure)
        try scene.ask(receiver, on: .tokenIssuanceStart) { $0.failsOpen = true }
        _ = try await scene.member().signIn().account
        #expect(receiver.asked.count == 1)
    }

    @Test func receiverOfAnotherAppIsNotAsked() async throws {
        let receiver = try Receiver(.failure)
        try scene.ask(receiver, on: .tokenIssuanceStart) { $0.apps = [AppRegistration.codeSampleID] }
        _ = try await scene.member().signIn().account
        #expect(receiver.asked.isEmpty)
    }

    // MARK: - Time

    /// However long one app's receiver takes, the people of another app come in meanwhile.
    @Test func hangingReceiverHoldsUpNobodyElse() async throws {
        try await scene.member()
        try await scene.codeMember(ServedScene.otherMail)
        let receiver = try Receiver(.claims("{}"))
        try scene.ask(receiver, on: .tokenIssuanceStart) { $0.apps = [AppRegistration.passwordSampleID] }
        let held = receiver.hold()
        let isOver = Mutex(false)
        async let slow = {
            let outcome = try await scene.signIn()
            isOver.withLock { $0 = true }
            return outcome
        }()
        await held.arrival()
        for _ in 1...3 {
            let step = try await scene.codeClient().signIn(username: ServedScene.otherMail)
            _ = try await step.code.submit(scene.code(ServedScene.otherMail)).account
        }
        #expect(!isOver.withLock { $0 })
        held.release()
        _ = try await slow.account
    }

    @Test func hangingReceiverFailsTheFlowInTime() async throws {
        let scene = try ServedScene(patience: 1)
        try await scene.member()
        let receiver = try Receiver(.silence)
        try scene.ask(receiver, on: .tokenIssuanceStart)
        let step = try await scene.client.signIn(username: mail)
        var again = step
        let duration = try await ContinuousClock().measure {
            again = try await failing { try await step.password.submit(ServedScene.password) }
        }
        // The budget of two seconds, and much for a busy machine; without a limit the client would wait five minutes.
        #expect(duration >= .milliseconds(1900) && duration < .seconds(30))
        receiver.say(.claims("{}"))
        _ = try await again.password.submit(ServedScene.password).account
    }

    // MARK: - Once

    @Test func resendSentTwiceIsOneMail() async throws {
        let receiver = try Receiver(.sent)
        try scene.ask(receiver, on: .emailOtpSend)
        let first = try await client.signUp(username: mail)
        let held = scene.traffic.hold("/signup/v1.0/challenge", times: 2)
        async let one = first.code.resend()
        async let two = first.code.resend()
        for _ in 1...2 { await held.arrival() }
        for _ in 1...2 { held.release() }
        let steps = try await [one, two]
        #expect(receiver.codes.count == 2)
        _ = try await steps[1].code.submit(receiver.codes[1]).password
    }

    @Test func passwordSentTwiceIsOneQuestion() async throws {
        try await scene.member()
        let receiver = try Receiver(.claims("{}"))
        try scene.ask(receiver, on: .tokenIssuanceStart)
        let step = try await client.signIn(username: mail)
        let held = scene.traffic.hold("/token", times: 2)
        async let one = step.password.submit(ServedScene.password)
        async let two = step.password.submit(ServedScene.password)
        for _ in 1...2 { await held.arrival() }
        for _ in 1...2 { held.release() }
        let accounts = try await [one.account, two.account]
        #expect(accounts[0].idToken == accounts[1].idToken)
        #expect(receiver.asked.count == 1)
    }

    @Test func wrongProofNeverReachesAReceiver() async throws {
        let receiver = try Receiver(.failure)
        for event in AuthenticationExtension.Event.allCases where event != .emailOtpSend {
            try scene.ask(receiver, on: event)
        }
        let signUp = try await scene.codeClient().signUp(username: mail, attributes: ["country": "Norway"])
        try await retry(after: .invalidCode) { try await signUp.code.submit(ServedScene.wrong) }
        #expect(receiver.asked.isEmpty)
    }

    @Test func wrongProofOfASignInNeverReachesAReceiver() async throws {
        try await scene.member()
        try await scene.codeMember(ServedScene.otherMail)
        let receiver = try Receiver(.failure)
        try scene.ask(receiver, on: .tokenIssuanceStart)
        try await retry(after: .invalidCredentials) {
            try await client.signIn(username: mail, password: ServedScene.newPassword)
        }
        let step = try await scene.codeClient().signIn(username: ServedScene.otherMail)
        try await retry(after: .invalidCode) { try await step.code.submit(ServedScene.wrong) }
        #expect(receiver.asked.isEmpty)
    }
}
