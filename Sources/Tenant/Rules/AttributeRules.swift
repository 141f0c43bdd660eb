// SPDX-License-Identifier: Apache-2.0

import Wire

/// An attribute that a user flow collects.
package struct AttributeDefinition: Sendable, Codable, Equatable {
    package enum Kind: String, Sendable, Codable {
        case string
        case boolean
        case integer
    }

    /// `country`, or `extension_{app id}_{name}` for a custom one.
    package var name: String
    package var type: Kind
    package var required: Bool
    /// The page it is asked on, from 1.
    package var page: Int
    /// What the whole value has to match.
    package var regex: String?
    /// The texts that there are to choose from; nil for any text.
    package var choices: [String]?
    /// Whether more than one may be chosen; a value has them joined by commas then.
    package var takesSeveral: Bool

    package init(
        name: String, type: Kind = .string, required: Bool = true, page: Int = 1, regex: String? = nil,
        choices: [String]? = nil, takesSeveral: Bool = false
    ) {
        self.name = name
        self.type = type
        self.required = required
        self.page = page
        self.regex = regex
        self.choices = choices
        self.takesSeveral = takesSeveral
    }

    private enum CodingKeys: String, CodingKey {
        case name
        case type
        case required
        case page
        case regex
        case choices
        case takesSeveral = "takes_several"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        type = try container.decodeIfPresent(Kind.self, forKey: .type) ?? .string
        required = try container.decodeIfPresent(Bool.self, forKey: .required) ?? true
        page = try container.decodeIfPresent(Int.self, forKey: .page) ?? 1
        regex = try container.decodeIfPresent(String.self, forKey: .regex)
        choices = try container.decodeIfPresent([String].self, forKey: .choices)
        takesSeveral = try container.decodeIfPresent(Bool.self, forKey: .takesSeveral) ?? false
    }

    var wire: RequiredAttribute {
        RequiredAttribute(name: name, type: type.rawValue, required: required, options: hint.map { .init(regex: $0) })
    }

    /// The pattern that clients are told. The wire has no list of choices, so one is written as a pattern.
    private var hint: String? {
        guard regex == nil, let choices else { return regex }
        let specials: Set<Character> = ["\\", "^", "$", ".", "|", "?", "*", "+", "(", ")", "[", "]", "{", "}"]
        let words = choices.map { $0.map { specials.contains($0) ? "\\\($0)" : String($0) }.joined() }
        let one = "(\(words.joined(separator: "|")))"
        return takesSeveral ? "^\(one)(,\(one))*$" : "^\(one)$"
    }

    /// The value as it is stored; nil if it breaks a rule.
    func value(_ given: JSONValue) -> JSONValue? {
        let value: JSONValue?
        switch (type, given) {
        case (.string, .string(let text)): value = takes(text) ? .string(text) : nil
        case (.boolean, .bool): value = given
        case (.boolean, .string("true")): value = .bool(true)
        case (.boolean, .string("false")): value = .bool(false)
        case (.integer, .integer): value = given
        case (.integer, .string(let text)): value = Int64(text).map { .integer($0) }
        default: value = nil
        }
        guard let value, matches(value.plainText) else { return nil }
        return value
    }

    private func takes(_ text: String) -> Bool {
        guard text.unicodeScalars.count <= lengthLimit else { return false }
        guard let choices else { return true }
        guard takesSeveral else { return choices.contains(text) }
        let chosen = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return chosen.allSatisfy(choices.contains) && Set(chosen).count == chosen.count
    }

    /// Why a definition cannot be used, in words for its author; nil if it can.
    fileprivate var problem: String? {
        if name.isEmpty { return "an attribute has no name" }
        if UserInfo.isReserved(name) { return "'\(name)' is a claim of the tokens themselves" }
        if page < 1 { return "the attribute '\(name)' is on page \(page)" }
        if let regex, Pattern(regex) == nil { return "the pattern of '\(name)' is no regular expression" }
        guard let choices else { return takesSeveral ? "the attribute '\(name)' has nothing to choose from" : nil }
        if type != .string { return "only a 'string' has choices, and '\(name)' is none" }
        if choices.isEmpty || choices.contains("") || Set(choices).count != choices.count {
            return "the choices of '\(name)' are none, or empty, or not different"
        }
        if takesSeveral, choices.contains(where: { $0.contains(",") }) {
            return "a choice of '\(name)' has a comma, which is what several are joined by"
        }
        return nil
    }

    private func matches(_ text: String) -> Bool {
        guard let regex, !regex.isEmpty else { return true }
        return Pattern(regex)?.matches(text) ?? false
    }

    /// The service's limits for the built-in attributes, and its limit for strings at sign-up for all others.
    private var lengthLimit: Int {
        switch name {
        case "city", "country", "jobTitle", "state": 128
        case "displayName": 256
        case "givenName", "surname": 64
        case "postalCode": 40
        case "streetAddress": 1024
        default: 250
        }
    }
}

extension JSONValue {
    /// A text, a truth value or a whole number as it is typed.
    fileprivate var plainText: String {
        switch self {
        case .string(let value): value
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        default: ""
        }
    }
}

/// How an app's users sign up and in.
package struct UserFlow: Sendable, Codable, Equatable {
    package enum Method: String, Sendable, Codable {
        /// E-mail with a password; the address is proven by a code.
        case password
        /// E-mail with a code each time.
        case code
    }

    package var name: String
    package var method: Method
    package var attributes: [AttributeDefinition]

    package init(name: String, method: Method, attributes: [AttributeDefinition]) {
        self.name = name
        self.method = method
        self.attributes = attributes
    }

    /// Why a definition cannot be used, in words for its author; nil if it can.
    package var problem: String? {
        if name.isEmpty { return "the flow has no name" }
        var names: Set<String> = []
        for attribute in attributes {
            if let problem = attribute.problem { return problem }
            if !names.insert(attribute.name).inserted { return "the attribute '\(attribute.name)' occurs twice" }
        }
        return nil
    }

    /// The typed values of the attributes that this flow knows; others are ignored, as the service does.
    ///
    /// - Throws: A refusal that names every attribute whose value breaks a rule.
    func values(_ given: [String: JSONValue]) throws(Refusal) -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        var invalid: [String] = []
        for attribute in attributes {
            // An empty value is no value, as for every field of the protocol.
            guard let value = given[attribute.name], value != .string(""), value != .null else { continue }
            values[attribute.name] = attribute.value(value)
            if values[attribute.name] == nil { invalid.append(attribute.name) }
        }
        guard invalid.isEmpty else {
            throw .attributesInvalid(invalid, "These values are not accepted: \(invalid.joined(separator: ", ")).")
        }
        return values
    }

    /// What to ask next: the first page that lacks something required, with its optional attributes if it is asked for
    /// the first time.
    func nextPage(having values: [String: JSONValue], askedBefore page: Int?) -> (
        page: Int, asked: [AttributeDefinition]
    )? {
        let missing = attributes.filter { values[$0.name] == nil }
        guard let next = missing.filter(\.required).map(\.page).min() else { return nil }
        return (next, missing.filter { $0.page == next && ($0.required || page != next) })
    }
}
