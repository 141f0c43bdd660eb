// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// How an attribute is asked for, by what the tenant tells about it.
enum AttributeKind: Equatable {
    case text
    case yesOrNo
    case wholeNumber
    /// One of these texts, or several of them, which the tenant wants joined by commas.
    case choice([String], several: Bool)

    init(_ attribute: RequestedAttribute) {
        self.init(type: attribute.type, pattern: attribute.pattern)
    }

    init(type: String, pattern: String?) {
        switch type.lowercased() {
        case "boolean": self = .yesOrNo
        case "integer", "int": self = .wholeNumber
        default: self = pattern.flatMap(AttributeKind.init(listing:)) ?? .text
        }
    }

    /// What the person sees before the question.
    func rule(of attribute: RequestedAttribute) -> [String] {
        switch self {
        case .choice(let texts, _):
            return texts.enumerated().map { "\($0.offset + 1): \($0.element.printable)" }
        case .text:
            return attribute.pattern.map { ["\(attribute.label) has to match \($0.printable)"] } ?? []
        case .yesOrNo, .wholeNumber: return []
        }
    }

    func question(for attribute: RequestedAttribute) -> String {
        let label = attribute.label + (attribute.isRequired ? "" : " (optional)")
        switch self {
        case .text, .wholeNumber: return label
        case .yesOrNo: return label + " [y/n]"
        case .choice(let texts, false): return label + ", 1 to \(texts.count)"
        case .choice(let texts, true): return label + ", some of 1 to \(texts.count), with commas between them"
        }
    }

    /// What to type, for who typed something else.
    var expectation: String {
        switch self {
        case .text: "Type a text."
        case .yesOrNo: "Please answer y or n."
        case .wholeNumber: "Type a whole number."
        case .choice(let texts, false): "Type a number from 1 to \(texts.count), or the text itself."
        case .choice(let texts, true): "Type numbers from 1 to \(texts.count), with commas between them."
        }
    }

    /// The value that the tenant is sent; nil for an answer that cannot be one.
    func value(_ answer: String) -> String? {
        switch self {
        case .text: return answer.isEmpty ? nil : answer
        case .wholeNumber: return Int64(answer).map(String.init)
        case .yesOrNo:
            switch answer.lowercased() {
            case "y", "yes", "true": return "true"
            case "n", "no", "false": return "false"
            default: return nil
            }
        case .choice(let texts, false): return AttributeKind.text(answer, of: texts)
        case .choice(let texts, true):
            let parts = answer.split(separator: ",").map { AttributeKind.text(String($0), of: texts) }
            let chosen = parts.compactMap { $0 }
            guard !chosen.isEmpty, chosen.count == parts.count else { return nil }
            // In the tenant's order, and none twice.
            return texts.filter(chosen.contains).joined(separator: ",")
        }
    }

    /// A value as it would be typed.
    func asTyped(_ value: String) -> String {
        guard self == .yesOrNo else { return value }
        return value == "true" ? "y" : "n"
    }

    /// A text by itself, in capitals or not, or by its number.
    private static func text(_ answer: String, of texts: [String]) -> String? {
        let answer = answer.split(separator: " ").joined(separator: " ")
        if let text = texts.first(where: { $0.lowercased() == answer.lowercased() }) { return text }
        return Int(answer).flatMap { texts.indices.contains($0 - 1) ? texts[$0 - 1] : nil }
    }
}

// MARK: - Patterns that list choices

extension AttributeKind {
    /// The protocol has no list of choices, so tenants write them as a pattern: `^(red|green)$` for one of them, and
    /// `^(red|green)(,(red|green))*$` for several. Nil for any other pattern.
    init?(listing pattern: String) {
        guard pattern.hasPrefix("^("), pattern.hasSuffix("$") else { return nil }
        let body = pattern.dropFirst().dropLast()
        guard let end = AttributeKind.end(ofGroupIn: body) else { return nil }
        let group = body[..<end]
        let rest = body[end...]
        guard rest.isEmpty || rest == "(,\(group))*" else { return nil }
        guard let texts = AttributeKind.texts(group.dropFirst().dropLast()), texts.count > 1 else { return nil }
        self = .choice(texts, several: !rest.isEmpty)
    }

    /// Behind the parenthesis that closes the first one.
    private static func end(ofGroupIn text: Substring) -> Substring.Index? {
        var isEscaped = false
        for index in text.indices.dropFirst() {
            if !isEscaped, text[index] == "(" { return nil }
            if !isEscaped, text[index] == ")" { return text.index(after: index) }
            isEscaped = !isEscaped && text[index] == "\\"
        }
        return nil
    }

    /// The texts between the bars; nil where one of them is a pattern itself.
    private static func texts(_ group: Substring) -> [String]? {
        let specials: Set<Character> = ["^", "$", ".", "?", "*", "+", "(", ")", "[", "]", "{", "}"]
        var texts = [""]
        var isEscaped = false
        for character in group {
            switch character {
            case _ where isEscaped:
                // `\d` and its like stand for more than one character.
                if character.isLetter || character.isNumber { return nil }
                texts[texts.count - 1].append(character)
                isEscaped = false
            case "\\": isEscaped = true
            case "|": texts.append("")
            case _ where specials.contains(character): return nil
            default: texts[texts.count - 1].append(character)
            }
        }
        return isEscaped || texts.contains("") ? nil : texts
    }
}
