// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import Tenant
import Testing

/// Sign-ups, from the first word to the account.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct SignUpConversations {
    private let scene: ServedScene
    private let client: NativeAuthClient
    private let mail = ServedScene.mail

    init() throws {
        scene = try ServedScene()
        client = scene.client
    }

    // MARK: - Ways to an account

    @Test func codeThenPasswordThenAttributes() async throws {
        var step = try await client.signUp(username: mail)
        #expect(try step.code.delivery.sentTo == "a***a@lo*****.example")
        #expect(try step.code.delivery.channel == "email")
        #expect(try step.code.delivery.codeLength == 8)
        step = try await step.code.submit(scene.code())
        step = try await step.password.submit(ServedScene.password)
        #expect(try step.page.attributes.map(\.name) == ["country", "city"])
        #expect(try step.page.attributes.map(\.isRequired) == [true, false])
        step = try await step.page.submit(["country": "Norway"])
        #expect(try step.completion.username == mail)
        #expect(try step.completion.canSignIn)
    }

    @Test func everythingUpFront() async throws {
        let step = try await client.signUp(
            username: mail, password: ServedScene.password, attributes: ["country": "Norway", "city": "Bodø"])
        let done = try await step.code.submit(scene.code()).completion
        let account = try await done.signIn().account
        #expect(account.claims.string("city") == "Bodø")
    }

    @Test func codesAlonePassOverAPassword() async throws {
        let step = try await scene.codeClient().signUp(
            username: mail, password: "weak", attributes: ["country": "Norway"])
        _ = try await step.code.submit(scene.code()).completion
        _ = try await scene.codeClient().signIn(username: mail).code
    }

    @Test func nothingToAsk() async throws {
        let client = try scene.client(.code, asking: [])
        _ = try await client.signUp(username: mail).code.submit(scene.code()).completion
    }

    private static let pages = [
        AttributeDefinition(name: "displayName"), AttributeDefinition(name: "country", page: 2),
        AttributeDefinition(name: "extension_7_age", type: .integer, required: false, page: 2),
    ]

    @Test func twoPages() async throws {
        let client = try scene.client(.code, asking: Self.pages)
        var step = try await client.signUp(username: mail).code.submit(scene.code())
        #expect(try step.page.attributes.map(\.name) == ["displayName"])
        step = try await step.page.submit(["displayName": "Ada"])
        #expect(try step.page.attributes.map(\.name) == ["country", "extension_7_age"])
        step = try await step.page.submit(["country": "Norway", "extension_7_age": 36])
        let claims = try await step.completion.signIn().account.claims
        #expect(claims.string("name") == "Ada")
        #expect(claims.integer("extension_7_age") == 36)
    }

    @Test func pageThatIsKnownIsPassedOver() async throws {
        let client = try scene.client(.code, asking: Self.pages)
        let step = try await client.signUp(username: mail, attributes: ["displayName": "Ada"]).code
            .submit(scene.code())
        #expect(try step.page.attributes.map(\.name) == ["country", "extension_7_age"])
        _ = try await step.page.submit(["country": "Norway"]).completion
    }

    @Test func pageIsAskedAgainForWhatIsMissing() async throws {
        let client = try scene.client(.code, asking: Self.pages)
        var step = try await client.signUp(username: mail).code.submit(scene.code())
        step = try await step.page.submit([:])
        #expect(try step.page.attributes.map(\.name) == ["displayName"])
        step = try await step.page.submit(["displayName": "Ada", "country": "Norway", "unknown": "ignored"])
        _ = try step.completion
    }

    // MARK: - Codes

    @Test func wrongCodeThenRight() async throws {
        let step = try await client.signUp(username: mail, password: ServedScene.password)
        let again = try await retry(after: .invalidCode) { try await step.code.submit(ServedScene.wrong) }
        _ = try await again.code.submit(scene.code()).page
    }

    @Test func emptyCodeIsNotSent() async throws {
        let step = try await client.signUp(username: mail)
        let again = try await retry(after: .invalidCode) { try await step.code.submit("") }
        #expect(scene.traffic.count("/signup/v1.0/continue") == 0)
        _ = try await again.code.submit(scene.code()).password
    }

    @Test func resendKillsTheOldCode() async throws {
        let step = try await client.signUp(username: mail)
        let old = try scene.code()
        let second = try await step.code.resend()
        #expect(try scene.mails() == 2)
        let again = try await retry(after: .invalidCode) { try await second.code.submit(old) }
        _ = try await again.code.submit(scene.code()).password
    }

    @Test func fiveWrongCodesNeedANewOne() async throws {
        var step = try await client.signUp(username: mail)
        let right = try scene.code()
        for number in 1...5 {
            step = try await retry(after: .invalidCode) { try await step.code.submit("0000000\(number)") }
        }
        step = try await retry(after: .invalidCode) { try await step.code.submit(right) }
        _ = try await step.code.resend().code.submit(scene.code()).password
    }

    @Test func codeGrowsOld() async throws {
        let scene = try ServedScene { $0.codeLifetime = 60 }
        let step = try await scene.client.signUp(username: mail)
        let old = try scene.code()
        scene.wait(60)
        let again = try await retry(after: .invalidCode) { try await step.code.submit(old) }
        _ = try await again.code.resend().code.submit(scene.code()).password
    }

    @Test func tooManyCodesLeaveTheLastOne() async throws {
        let scene = try ServedScene { $0.codesPerAddress = 1 }
        let step = try await scene.client.signUp(username: mail)
        let again = try await retry(after: .tooManyCodes) { try await step.code.resend() }
        _ = try await again.code.submit(scene.code()).password
    }

    @Test func tooManyCodesEndTheNextSignUp() async throws {
        let scene = try ServedScene { $0.codesPerAddress = 1 }
        _ = try await scene.client.signUp(username: mail)
        try await end(by: .tooManyCodes) { try await scene.client.signUp(username: mail) }
        scene.wait(1800)
        _ = try await scene.client.signUp(username: mail).code
    }

    // MARK: - Passwords and attributes

    static let badPasswords: [(String, AuthError.PasswordProblem)] = [
        ("Aa1-", .tooShort), (String(repeating: "Aa1-", count: 65), .tooLong), ("aaaaaaaaaa", .tooWeak),
        ("Password1", .banned), ("Fjörd-Salmon-47", .invalidCharacters), ("", .empty),
    ]

    @Test(arguments: badPasswords)
    func badPasswordAtTheStart(_ password: String, _ problem: AuthError.PasswordProblem) async throws {
        try await end(by: .invalidPassword(problem)) { try await client.signUp(username: mail, password: password) }
        _ = try await client.signUp(username: mail, password: ServedScene.password).code
    }

    @Test(arguments: badPasswords)
    func badPasswordThenGood(_ password: String, _ problem: AuthError.PasswordProblem) async throws {
        let step = try await client.signUp(username: mail).code.submit(scene.code())
        let again = try await retry(after: .invalidPassword(problem)) { try await step.password.submit(password) }
        _ = try await again.password.submit(ServedScene.password).page
    }

    private static let choosy = [
        AttributeDefinition(name: "displayName"), AttributeDefinition(name: "postalCode", regex: "[0-9]{4}"),
        AttributeDefinition(name: "extension_7_age", type: .integer),
    ]

    @Test func badAttributesAtTheStart() async throws {
        let client = try scene.client(.code, asking: Self.choosy)
        let error = try await end(by: .invalidAttributes(["postalCode", "extension_7_age"])) {
            try await client.signUp(
                username: mail, attributes: ["displayName": "Ada", "postalCode": "x", "extension_7_age": "old"])
        }
        #expect(error.suberror == "attribute_validation_failed")
        _ = try await client.signUp(username: mail, attributes: ["postalCode": "8310"]).code
    }

    @Test func badAttributesOnAPageThenGood() async throws {
        let client = try scene.client(.code, asking: Self.choosy)
        let step = try await client.signUp(username: mail).code.submit(scene.code())
        #expect(try step.page.attributes.map(\.pattern) == [nil, "[0-9]{4}", nil])
        let again = try await retry(after: .invalidAttributes(["postalCode"])) {
            try await step.page.submit(["displayName": "Ada", "postalCode": "x", "extension_7_age": 36])
        }
        _ = try await again.page.submit(["displayName": "Ada", "postalCode": "8310", "extension_7_age": 36]).completion
    }

    // MARK: - Ends

    @Test func accountExists() async throws {
        try await scene.member()
        try await end(by: .userAlreadyExists) { try await client.signUp(username: "ADA@lofoten.example") }
    }

    @Test func accountAppearsMeanwhile() async throws {
        let step = try await client.signUp(username: mail, attributes: ["country": "Norway"]).code.submit(scene.code())
        try await scene.member()
        try await end(by: .userAlreadyExists) { try await step.password.submit(ServedScene.password) }
    }

    @Test(arguments: ["", "ada", "ada@", "ada@lofoten@example", " ada@lofoten.example"])
    func nameThatIsNone(_ name: String) async throws {
        try await end(by: .invalidUsername) { try await client.signUp(username: name) }
    }

    @Test func flowExpiresAtTheCode() async throws {
        let step = try await client.signUp(username: mail)
        let code = try scene.code()
        scene.wait(600)
        try await end(by: .flowExpired) { try await step.code.submit(code) }
        try await end(by: .flowExpired) { try await step.code.resend() }
    }

    @Test func flowExpiresAtThePassword() async throws {
        let step = try await client.signUp(username: mail).code.submit(scene.code())
        scene.wait(600)
        try await end(by: .flowExpired) { try await step.password.submit(ServedScene.password) }
    }

    @Test func flowExpiresAtThePage() async throws {
        let step = try await scene.codeClient().signUp(username: mail).code.submit(scene.code())
        scene.wait(600)
        try await end(by: .flowExpired) { try await step.page.submit(["country": "Norway"]) }
    }

    @Test func cancelledAndSaidAgain() async throws {
        let step = try await scene.codeClient().signUp(username: mail, attributes: ["country": "Norway"])
        let code = try scene.code()
        let again = try await cancelled(scene.traffic.hold("/signup/v1.0/continue")) {
            try await step.code.submit(code)
        }
        _ = try await again.code.submit(code).completion.signIn().account
    }

    @Test func cancelledOnTheWayToThePassword() async throws {
        let step = try await client.signUp(username: mail)
        let code = try scene.code()
        let again = try await cancelled(scene.traffic.hold("/signup/v1.0/challenge")) {
            try await step.code.submit(code)
        }
        _ = try await again.code.submit(code).password
    }

    // MARK: - Other ways

    @Test(arguments: [ChallengeTypes.code, .password, []])
    func abilitiesThatAreTooFew(_ types: ChallengeTypes) async throws {
        let client = try scene.client { $0.challengeTypes = types }
        try await end(by: .browserRequired) { try await client.signUp(username: mail) }
    }

    @Test func appWithoutAFlow() async throws {
        let client = try scene.client(app: scene.app())
        try await end(by: .browserRequired) { try await client.signUp(username: mail) }
    }

    @Test func appThatIsNotAllowed() async throws {
        let off = try scene.client(app: scene.app(native: false, flow: "email-code"))
        try await end(by: .clientRejected) { try await off.signUp(username: mail) }
        let unknown = try scene.client(app: "5a3d1e00-0000-4000-8000-00000000ffff")
        try await end(by: .clientRejected) { try await unknown.signUp(username: mail) }
        try scene.change { $0.isPublicClient = false }
        try await end(by: .clientRejected) { try await client.signUp(username: mail) }
    }
}
