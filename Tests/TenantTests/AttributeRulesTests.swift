// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Testing
import Wire

@testable import Tenant

/// Attributes: types, lengths, patterns, pages.
struct AttributeRulesTests {
    private func flow(_ attributes: AttributeDefinition...) -> UserFlow {
        UserFlow(name: "f", method: .code, attributes: attributes)
    }

    private func taken(_ definition: AttributeDefinition, _ value: JSONValue) -> JSONValue? {
        (try? flow(definition).values([definition.name: value]))?[definition.name]
    }

    private func isRefused(_ definition: AttributeDefinition, _ value: JSONValue) -> Bool {
        do {
            _ = try flow(definition).values([definition.name: value])
            return false
        } catch {
            return error.suberror == .attributeValidationFailed
                && error.invalidAttributes?.map(\.name) == [definition.name]
        }
    }

    @Test(arguments: [
        ("city", 128), ("country", 128), ("displayName", 256), ("givenName", 64), ("jobTitle", 128), ("postalCode", 40),
        ("state", 128), ("streetAddress", 1024), ("surname", 64), ("extension_77a1_any", 250),
    ])
    func lengthsHaveEdges(_ name: String, _ limit: Int) {
        let definition = AttributeDefinition(name: name)
        let full = String(repeating: "å", count: limit)
        #expect(taken(definition, .string(full)) == .string(full))
        #expect(isRefused(definition, .string(full + "å")))
    }

    @Test func typesAreKept() {
        let flag = AttributeDefinition(name: "news", type: .boolean)
        #expect(taken(flag, .bool(true)) == .bool(true))
        #expect(taken(flag, .string("false")) == .bool(false))
        for value in [JSONValue.string("yes"), .string("TRUE"), .string("1"), .integer(1), .array([]), .object([:])] {
            #expect(isRefused(flag, value))
        }
        let number = AttributeDefinition(name: "age", type: .integer)
        #expect(taken(number, .integer(-7)) == .integer(-7))
        #expect(taken(number, .string("43")) == .integer(43))
        for value in [JSONValue.string("4.5"), .string("x"), .string("9223372036854775808"), .number(0.5), .bool(true)]
        {
            #expect(isRefused(number, value))
        }
        let text = AttributeDefinition(name: "city")
        for value in [JSONValue.integer(1), .bool(true), .array([.string("a")]), .object([:])] {
            #expect(isRefused(text, value))
        }
    }

    @Test(arguments: [JSONValue.null, .string("")])
    func emptyValueIsNone(_ value: JSONValue) throws {
        #expect(try flow(AttributeDefinition(name: "city")).values(["city": value]) == [:])
    }

    @Test func patternHasToMatchTheWholeValue() {
        let code = AttributeDefinition(name: "code", regex: "[0-9]{6}")
        #expect(taken(code, .string("123456")) != nil)
        for text in ["12345", "1234567", "x123456", "123456x", "12345\n", "123456\n", "１２３４５６"] {
            #expect(text == "１２３４５６" || isRefused(code, .string(text)))
        }
        let anchored = AttributeDefinition(name: "code", regex: "^[0-9]{6}$")
        #expect(taken(anchored, .string("123456")) != nil)
        #expect(isRefused(anchored, .string("123456\n")))
        let number = AttributeDefinition(name: "code", type: .integer, regex: "[0-9]{6}")
        #expect(taken(number, .string("123456")) == .integer(123_456))
        #expect(taken(number, .integer(123_456)) == .integer(123_456))
        #expect(isRefused(number, .integer(12)))
        #expect(isRefused(number, .string("12")))
    }

    @Test func allWrongNamesAreTold() {
        let flow = flow(
            AttributeDefinition(name: "postalCode"), AttributeDefinition(name: "city"),
            AttributeDefinition(name: "age", type: .integer))
        let given: [String: JSONValue] = [
            "age": .string("x"), "postalCode": .string(String(repeating: "7", count: 41)), "city": .string("Å"),
            "shoe": .integer(43),
        ]
        do {
            _ = try flow.values(given)
            Issue.record("not refused")
        } catch {
            #expect(error.invalidAttributes?.map(\.name) == ["postalCode", "age"])
        }
        #expect((try? flow.values(["shoe": .integer(43)])) == [:])
    }

    @Test func definitionsHaveProblems() {
        #expect(flow(AttributeDefinition(name: "a")).problem == nil)
        #expect(flow(AttributeDefinition(name: "")).problem != nil)
        #expect(flow(AttributeDefinition(name: "a"), AttributeDefinition(name: "a")).problem != nil)
        #expect(flow(AttributeDefinition(name: "a", page: 0)).problem != nil)
        #expect(flow(AttributeDefinition(name: "a", regex: "[")).problem != nil)
        #expect(UserFlow(name: "", method: .code, attributes: []).problem != nil)
    }

    // MARK: - Pages, through the endpoints

    @Test func pagesAreAskedOneByOne() throws {
        let scene = Scene(try TestTenant())
        let app = try scene.app(
            .code,
            [
                AttributeDefinition(name: "country"), AttributeDefinition(name: "city", required: false),
                AttributeDefinition(name: "jobTitle", page: 2),
                AttributeDefinition(name: "state", required: false, page: 2),
            ])
        func submit(_ answer: RawAnswer, _ json: String) throws -> RawAnswer {
            try scene.proceed(answer.token, "grant_type=attributes&attributes=\(json)", app: app)
        }
        let first = try scene.verified("mira@lofoten.example", app: app)
        #expect(first.names(in: "required_attributes") == ["country", "city"])
        // An optional one alone is not enough, and is not asked for again.
        let again = try submit(first, "%7B%22city%22%3A%22Reine%22%7D")
        #expect(again.names(in: "required_attributes") == ["country"])
        let second = try submit(again, "%7B%22country%22%3A%22Norway%22%7D")
        #expect(second.error == "attributes_required")
        #expect(second.names(in: "required_attributes") == ["jobTitle", "state"])
        let done = try submit(second, "%7B%22jobTitle%22%3A%22Fisher%22%7D")
        #expect(done.status == 200)
        let tokens = try scene.token("grant_type=continuation_token&continuation_token=\(done.token)", app: app)
        let claims = try #require(JWT(tokens["id_token"]?.string ?? "")).claims
        #expect(claims["city"] == .string("Reine"))
        #expect(claims["jobTitle"] == .string("Fisher"))
        #expect(claims["state"] == nil)
    }

    @Test func optionalAttributesAloneAreNotAskedFor() throws {
        let scene = Scene(try TestTenant())
        let app = try scene.app(.code, [AttributeDefinition(name: "city", required: false)])
        #expect(try scene.verified("mira@lofoten.example", app: app).status == 200)
    }

    @Test func attributesGivenEarlyAreKept() throws {
        let scene = Scene(try TestTenant())
        let sent = try scene.codeSent("mira@lofoten.example", app: Scene.codeApp)
        let early = try scene.proceed(sent.token, "grant_type=attributes&\(Scene.country)", app: Scene.codeApp)
        #expect(early.error == "verification_required")
        // The code that was sent is good with the new token.
        let done = try scene.proceed(
            early.token, "grant_type=oob&oob=\(try scene.code("mira@lofoten.example"))", app: Scene.codeApp)
        #expect(done.status == 200)
    }

    @Test func refusedAttributesLeaveTheStep() throws {
        let scene = Scene(try TestTenant())
        let app = try scene.app(.code, [AttributeDefinition(name: "age", type: .integer)])
        let page = try scene.verified("mira@lofoten.example", app: app)
        let bad = try scene.proceed(page.token, "grant_type=attributes&attributes=%7B%22age%22%3A%22x%22%7D", app: app)
        #expect(bad.names(in: "invalid_attributes") == ["age"])
        let good = try scene.proceed(
            page.token, "grant_type=attributes&attributes=%7B%22age%22%3A%2243%22%7D", app: app)
        #expect(good.status == 200)
    }
}

/// Attributes whose values are chosen from a list.
struct ChoiceTests {
    private static let size = AttributeDefinition(name: "size", choices: ["S", "M", "X+L"])
    private static let hobbies = AttributeDefinition(
        name: "hobbies", choices: ["ski", "chess", "sea"], takesSeveral: true)

    @Test(arguments: [
        ("S", true), ("X+L", true), ("XXL", false), ("s", false), ("S,M", false), ("", false),
    ])
    func one(text: String, isTaken: Bool) {
        #expect((Self.size.value(.string(text)) != nil) == isTaken)
    }

    @Test(arguments: [
        ("ski", true), ("ski,sea", true), ("sea,chess,ski", true), ("ski,ski", false), ("ski,", false),
        ("ski, sea", false),
        ("golf", false), ("ski,golf", false),
    ])
    func several(text: String, isTaken: Bool) {
        #expect((Self.hobbies.value(.string(text)) != nil) == isTaken)
    }

    @Test func clientsAreToldAPattern() {
        #expect(Self.size.wire.options?.regex == #"^(S|M|X\+L)$"#)
        #expect(Self.hobbies.wire.options?.regex == "^(ski|chess|sea)(,(ski|chess|sea))*$")
    }

    @Test(arguments: [
        AttributeDefinition(name: "a", type: .integer, choices: ["1"]), AttributeDefinition(name: "a", choices: []),
        AttributeDefinition(name: "a", choices: ["x", "x"]), AttributeDefinition(name: "a", choices: [""]),
        AttributeDefinition(name: "a", choices: ["x,y"], takesSeveral: true),
        AttributeDefinition(name: "a", takesSeveral: true),
    ])
    func aUselessListIsRefused(attribute: AttributeDefinition) {
        #expect(UserFlow(name: "f", method: .code, attributes: [attribute]).problem != nil)
        #expect(UserFlow(name: "f", method: .code, attributes: [Self.size, Self.hobbies]).problem == nil)
    }
}
