// SPDX-License-Identifier: Apache-2.0

/// Reads pages far more strictly than a browser: the few elements and attributes that they have, all values in quotes, and no
/// code point that could be markup anywhere else.
enum PageReader {
    struct Tag {
        var name: String
        var attributes: [String: String] = [:]
    }

    private typealias Text = Substring.UnicodeScalarView

    private static let elements: Set<String> = [
        "!doctype", "html", "head", "meta", "title", "style", "body", "main", "h1", "p", "a", "form", "input", "label",
        "select", "option", "fieldset", "legend", "button",
    ]
    private static let attributes: Set<String> = [
        "html", "lang", "charset", "name", "content", "id", "class", "role", "href", "method", "action", "type",
        "value", "for", "autocomplete", "autocapitalize", "inputmode", "spellcheck", "required", "autofocus",
        "selected", "checked", "formnovalidate", "aria-describedby", "aria-invalid",
    ]
    private static let escapes = ["amp;", "lt;", "gt;", "quot;", "#39;"]

    static func tags(of page: String) throws(Violation) -> [Tag] {
        var rest = page[...].unicodeScalars
        var tags: [Tag] = []
        while let start = rest.firstIndex(of: "<") {
            try checkText(rest[..<start])
            rest = rest[rest.index(after: start)...]
            let isEnd = rest.first == "/"
            if isEnd { rest.removeFirst() }
            let tag = try self.tag(&rest)
            if isEnd { continue }
            tags.append(tag)
            // The one style sheet is known by its hash.
            if tag.name == "style", let end = rest.firstIndex(of: "<") { rest = rest[end...] }
        }
        try checkText(rest)
        return tags
    }

    private static func tag(_ rest: inout Text) throws(Violation) -> Tag {
        let name = take(&rest) { $0 != " " && $0 != ">" }
        try require(elements.contains(name), "there is an element '\(name)'")
        var tag = Tag(name: name)
        while rest.first == " " {
            rest.removeFirst()
            let name = take(&rest) { $0 != " " && $0 != ">" && $0 != "=" }
            try require(attributes.contains(name), "there is an attribute '\(name)'")
            tag.attributes[name] = try value(&rest)
        }
        try require(rest.first == ">", "an element does not end")
        rest.removeFirst()
        return tag
    }

    private static func value(_ rest: inout Text) throws(Violation) -> String {
        guard rest.first == "=" else { return "" }
        rest.removeFirst()
        try require(rest.first == "\"", "a value has no quotes")
        rest.removeFirst()
        let end = rest.firstIndex(of: "\"") ?? rest.endIndex
        try checkText(rest[..<end])
        let value = take(&rest) { $0 != "\"" }
        try require(rest.first == "\"", "a value does not end")
        rest.removeFirst()
        return value
    }

    private static func take(_ rest: inout Text, while condition: (Unicode.Scalar) -> Bool) -> String {
        let end = rest.firstIndex { !condition($0) } ?? rest.endIndex
        defer { rest = rest[end...] }
        return String(Substring(rest[..<end]))
    }

    private static func checkText(_ text: Text) throws(Violation) {
        let isPlain = text.allSatisfy { $0 != "<" && $0 != ">" && $0 != "\"" && $0 != "'" }
        try require(isPlain, "there is markup in a text")
        for part in text.split(separator: "&", omittingEmptySubsequences: false).dropFirst() {
            let isEscape = escapes.contains { part.starts(with: $0.unicodeScalars) }
            try require(isEscape, "there is an odd reference in a text")
        }
    }
}
