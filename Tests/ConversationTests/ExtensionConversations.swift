// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import Synchronization
import Tenant
import TenantTesting
import Testing
import Wire

/// Conversations in which systems outside of the tenant have a say.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct ExtensionConversations {
    private let scene: ServedScene
    private let client: NativeAuthClient
    private let mail = ServedScene.mail
    /// What the SDK is told of any failing extension.
    private let failureCode = 1_100_001

    init() throws {
        scene = try ServedScene()
        client = scene.client
    }

    /// A sign-up that comes to its page.
    private func page() async throws -> SignUpStep {
        try await scene.codeClient().signUp(username: mail).code.submit(scene.code())
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
        #expect(again != nil)
        receiver.say(.claims("{}"))
        _ = try await (again ?? step).password.submit(ServedScene.password).account
        #expect(try scene.tenant.provider.failures().map(\.code) == [1_003_002])
    }

    @Test func refreshWaitsForTheReceiverToComeBack() async throws {
        let receiver = try Receiver(.claims("{}"))
        try scene.ask(receiver, on: .tokenIssuanceStart)
        let account = try await scene.member().signIn().account
        receiver.say(.failure)
        let error = try await refusal(.refused) { try await account.accessToken(forceRefresh: true) }
        #expect(error.codes == [failureCode])
        receiver.say(.claims("{}"))
        #expect(try await account.accessToken(forceRefresh: true).wasRefreshed)
    }

    @Test func failureThatIsPassedOver() async throws {
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

    /// Runs a call that a failing extension refuses; gives the step that the error carries, if it does.
    private func failing<Step: Sendable>(
        sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Step
    ) async throws -> Step? {
        do {
            _ = try await body()
            Issue.record("nothing failed", sourceLocation: sourceLocation)
            return nil
        } catch let failure as StepError<Step> {
            #expect(failure.error.codes == [failureCode], sourceLocation: sourceLocation)
            return failure.retry
        }
    }

    // MARK: - Attributes, at the start

    @Test func prefilledAttributesShortenThePage() async throws {
        let receiver = try Receiver(.start("setPrefillValues", #", "inputs": {"country": "Norway", "city": "Bodø"}"#))
        try scene.ask(receiver, on: .attributeCollectionStart)
        let claims = try await page().completion.signIn().account.claims
        #expect(claims.string("country") == "Norway")
        #expect(claims.string("city") == "Bodø")
    }

    @Test func whatThePersonSaidCountsMore() async throws {
        let receiver = try Receiver(.start("setPrefillValues", #", "inputs": {"country": "Norway", "city": "Bodø"}"#))
        try scene.ask(receiver, on: .attributeCollectionStart)
        let step = try await scene.codeClient().signUp(username: mail, attributes: ["country": "Iceland"])
        let claims = try await step.code.submit(scene.code()).completion.signIn().account.claims
        #expect(claims.string("country") == "Iceland")
        #expect(claims.string("city") == "Bodø")
        let given = receiver.asked[0]["data"]?["userSignUpInfo"]?["attributes"]?["country"]?["value"]
        #expect(given?.string == "Iceland")
    }

    @Test func partOfThePageIsPrefilled() async throws {
        let receiver = try Receiver(.start("setPrefillValues", #", "inputs": {"city": "Bodø"}"#))
        try scene.ask(receiver, on: .attributeCollectionStart)
        let step = try await page()
        #expect(try step.page.attributes.map(\.name) == ["country"])
        let claims = try await step.page.submit(["country": "Norway"]).completion.signIn().account.claims
        #expect(claims.string("city") == "Bodø")
        #expect(receiver.asked.count == 1)
    }

    @Test(arguments: [AuthenticationExtension.Event.attributeCollectionStart, .attributeCollectionSubmit])
    func blockEndsTheSignUp(_ event: AuthenticationExtension.Event) async throws {
        let isStart = event == .attributeCollectionStart
        let reply = isStart ? Reply.start("showBlockPage", Reply.block) : .submit("showBlockPage", Reply.block)
        let receiver = try Receiver(reply)
        try scene.ask(receiver, on: event)
        let step = try await scene.codeClient().signUp(username: mail, attributes: ["country": "Norway"])
        let error = try await end(by: .refused) { try await step.code.submit(scene.code()) }
        #expect(error.message == "Not here: Ask your grocer.")
        #expect(try scene.tenant.provider.accounts().isEmpty)
    }

    @Test func blockAtAPageEndsTheSignUp() async throws {
        try scene.ask(Receiver(.submit("showBlockPage", Reply.block)), on: .attributeCollectionSubmit)
        let step = try await page()
        let error = try await end(by: .refused) { try await step.page.submit(["country": "Norway"]) }
        #expect(error.message == "Not here: Ask your grocer.")
        try await end(by: .refused) { try await step.page.submit(["country": "Iceland"]) }
    }

    // MARK: - Attributes, at the end

    private static let unknownTown = Reply.submit(
        "showValidationError", #", "message": "Look again.", "attributeErrors": {"city": "No such town."}"#)

    @Test func validationErrorThenGoodValues() async throws {
        let receiver = try Receiver(Self.unknownTown)
        try scene.ask(receiver, on: .attributeCollectionSubmit)
        let step = try await page()
        let again = try await retry(after: .invalidAttributes(["city"])) {
            try await step.page.submit(["country": "Norway", "city": "Atlantis"])
        }
        receiver.say(.goOn)
        let done = try await again.page.submit(["country": "Norway", "city": "Bodø"]).completion
        #expect(try await done.signIn().account.claims.string("city") == "Bodø")
    }

    @Test func validationErrorSaysWhatIsWrong() async throws {
        try scene.ask(Receiver(Self.unknownTown), on: .attributeCollectionSubmit)
        let step = try await page()
        do {
            _ = try await step.page.submit(["country": "Norway", "city": "Atlantis"])
            Issue.record("Atlantis was found")
        } catch {
            #expect((error as? StepError<SignUpStep>)?.error.message == "Look again. city: No such town.")
        }
    }

    @Test func validationErrorAsksForWhatWasGivenAtTheStart() async throws {
        let receiver = try Receiver(Self.unknownTown)
        try scene.ask(receiver, on: .attributeCollectionSubmit)
        let start = try await scene.codeClient().signUp(
            username: mail, attributes: ["country": "Norway", "city": "Atlantis"])
        let step = try await start.code.submit(scene.code())
        #expect(try step.page.attributes.map(\.name) == ["city"])
        let again = try await retry(after: .invalidAttributes(["city"])) {
            try await step.page.submit(["city": "Atlantis"])
        }
        receiver.say(.goOn)
        let claims = try await again.page.submit(["city": "Bodø"]).completion.signIn().account.claims
        #expect(claims.string("country") == "Norway")
        #expect(claims.string("city") == "Bodø")
    }

    @Test func changedValuesAreStored() async throws {
        let receiver = try Receiver(.submit("modifyAttributeValues", #", "attributes": {"country": "NO"}"#))
        try scene.ask(receiver, on: .attributeCollectionSubmit)
        let step = try await page()
        let claims = try await step.page.submit(["country": "Norway", "city": "Bodø"]).completion.signIn().account
            .claims
        #expect(claims.string("country") == "NO")
        #expect(claims.string("city") == "Bodø")
    }

    @Test(arguments: [AuthenticationExtension.Event.attributeCollectionStart, .attributeCollectionSubmit])
    func signUpWaitsForTheReceiverToComeBack(_ event: AuthenticationExtension.Event) async throws {
        let receiver = try Receiver(.failure)
        try scene.ask(receiver, on: event)
        let step = try await scene.codeClient().signUp(username: mail, attributes: ["country": "Norway"])
        let code = try scene.code()
        let again = try await failing { try await step.code.submit(code) } ?? step
        receiver.say(event == .attributeCollectionStart ? .start("continueWithDefaultBehavior") : .goOn)
        _ = try await again.code.submit(code).completion.signIn().account
    }

    @Test func pageWaitsForTheReceiverToComeBack() async throws {
        let receiver = try Receiver(.failure)
        try scene.ask(receiver, on: .attributeCollectionSubmit)
        let step = try await page()
        let again = try await failing { try await step.page.submit(["country": "Norway"]) } ?? step
        receiver.say(.goOn)
        _ = try await again.page.submit(["country": "Norway"]).completion
    }

    // MARK: - Codes

    @Test func codeIsSentByTheReceiver() async throws {
        let receiver = try Receiver(.sent)
        try scene.ask(receiver, on: .emailOtpSend)
        let step = try await scene.codeClient().signUp(username: mail, attributes: ["country": "Norway"])
        let code = try #require(receiver.codes.last)
        #expect(try scene.mails() == 0)
        #expect(receiver.asked[0]["data"]?["otpContext"]?["identifier"]?.string == mail)
        _ = try await step.code.submit(code).completion
        let signIn = try await scene.codeClient().signIn(username: mail)
        _ = try await signIn.code.submit(#require(receiver.codes.last)).account
        #expect(receiver.codes.count == 2)
        #expect(try scene.mails() == 0)
    }

    @Test func codeOfAResetIsSentByTheReceiver() async throws {
        try await scene.member()
        let receiver = try Receiver(.sent)
        try scene.ask(receiver, on: .emailOtpSend)
        let step = try await client.resetPassword(username: mail)
        _ = try await step.code.submit(#require(receiver.codes.last)).password
        #expect(try scene.mails() == 1)
    }

    @Test func resendIsSentByTheReceiver() async throws {
        let receiver = try Receiver(.sent)
        try scene.ask(receiver, on: .emailOtpSend)
        var step = try await client.signUp(username: mail)
        step = try await step.code.resend()
        #expect(receiver.codes.count == 2)
        step = try await retry(after: .invalidCode) { try await step.code.submit(receiver.codes[0]) }
        _ = try await step.code.submit(receiver.codes[1]).password
    }

    @Test func textMessagesAreTheTenants() async throws {
        try await scene.member()
        try scene.demandSecondFactor()
        try scene.addMethod(ServedScene.phone)
        let receiver = try Receiver(.failure)
        try scene.ask(receiver, on: .emailOtpSend)
        var step = try await scene.signIn()
        step = try await step.factor.challenge(step.factor.methods[0])
        _ = try await step.factorCode.submit(scene.code(ServedScene.phone)).account
        #expect(receiver.asked.isEmpty)
    }

    @Test func spoolTakesTheCodeWhereConfigured() async throws {
        let receiver = try Receiver(.failure)
        try scene.ask(receiver, on: .emailOtpSend) { $0.fallsBackOnError = true }
        let step = try await client.signUp(username: mail)
        #expect(receiver.asked.count == 1)
        #expect(try scene.mails() == 1)
        _ = try await step.code.submit(scene.code()).password
    }

    @Test func resendWaitsForTheReceiverToComeBack() async throws {
        let receiver = try Receiver(.sent)
        try scene.ask(receiver, on: .emailOtpSend)
        let step = try await client.signUp(username: mail)
        receiver.say(.failure)
        let again = try await failing { try await step.code.resend() } ?? step
        receiver.say(.sent)
        // Before another one is sent, the first code is good: nobody has got the one that failed.
        _ = try await again.code.submit(receiver.codes[0]).password
    }

    @Test func failingReceiverEndsTheStart() async throws {
        let receiver = try Receiver(.failure)
        try scene.ask(receiver, on: .emailOtpSend)
        let error = try await end(by: .refused) { try await client.signUp(username: mail) }
        #expect(error.codes == [failureCode])
        #expect(try scene.mails() == 0)
        receiver.say(.sent)
        let step = try await client.signUp(username: mail)
        _ = try await step.code.submit(#require(receiver.codes.last)).password
    }

    // MARK: - Time

    /// However long one app's receiver takes, the people of another app come in meanwhile. A busy machine may take longer
    /// over them than the tenant waits for the receiver, so there is more than one round; a tenant that lets them wait
    /// for the receiver wins none.
    @Test func hangingReceiverHoldsUpNobodyElse() async throws {
        let scene = try ServedScene { $0.codesPerAddress = 100 }
        try await scene.member()
        try await scene.codeMember(ServedScene.otherMail)
        let receiver = try Receiver(.claims("{}"))
        try scene.ask(receiver, on: .tokenIssuanceStart) { $0.apps = [AppRegistration.passwordSampleID] }
        var rounds = 4
        while rounds > 0, try await !othersAreFaster(than: receiver.hold(), scene) { rounds -= 1 }
        #expect(rounds > 0)
    }

    /// Whether three people came in before the one who waits for the receiver.
    private func othersAreFaster(than held: HeldRequest, _ scene: ServedScene) async throws -> Bool {
        let isOver = Mutex(false)
        async let slow = {
            let outcome = try? await scene.signIn()
            isOver.withLock { $0 = true }
            return outcome
        }()
        await held.arrival()
        for _ in 1...3 {
            let step = try await scene.codeClient().signIn(username: ServedScene.otherMail)
            _ = try await step.code.submit(scene.code(ServedScene.otherMail)).account
        }
        let areFaster = !isOver.withLock { $0 }
        held.release()
        let outcome = await slow
        if areFaster { _ = try outcome?.account }
        return areFaster
    }

    @Test func hangingReceiverFailsTheFlowInTime() async throws {
        try await scene.member()
        let receiver = try Receiver(.silence)
        try scene.ask(receiver, on: .tokenIssuanceStart)
        let step = try await client.signIn(username: mail)
        var again: SignInStep?
        let duration = try await ContinuousClock().measure {
            again = try await failing { try await step.password.submit(ServedScene.password) }
        }
        // The budget of two seconds, and much for a busy machine; without a limit the client would wait five minutes.
        #expect(duration >= .milliseconds(1900) && duration < .seconds(30))
        receiver.say(.claims("{}"))
        _ = try await (again ?? step).password.submit(ServedScene.password).account
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
