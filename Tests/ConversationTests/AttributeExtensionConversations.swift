// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import Tenant
import TenantTesting
import Testing
import Wire

/// Sign-ups in which a system outside of the tenant has a say.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct AttributeExtensionConversations {
    private let scene: ServedScene
    private let client: NativeAuthClient
    private let mail = ServedScene.mail

    init() throws {
        scene = try ServedScene()
        client = scene.client
    }

    /// A sign-up that comes to its page.
    private func page() async throws -> SignUpStep {
        try await scene.codeClient().signUp(username: mail).code.submit(scene.code())
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
        let again = try await failing { try await step.code.submit(code) }
        receiver.say(event == .attributeCollectionStart ? .start("continueWithDefaultBehavior") : .goOn)
        _ = try await again.code.submit(code).completion.signIn().account
    }

    @Test func pageWaitsForTheReceiverToComeBack() async throws {
        let receiver = try Receiver(.failure)
        try scene.ask(receiver, on: .attributeCollectionSubmit)
        let step = try await page()
        let again = try await failing { try await step.page.submit(["country": "Norway"]) }
        receiver.say(.goOn)
        _ = try await again.page.submit(["country": "Norway"]).completion
    }
}
