// SPDX-License-Identifier: Apache-2.0

/// An Internet message as this program writes it, taken apart again.
struct SpooledMail: Sendable, Equatable {
    /// By names in lower case.
    let head: [String: String]
    /// The lines of the plain text.
    let text: [String]

    /// The first line that is digits and nothing else.
    var code: String? {
        text.first { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }

    init?(_ message: String) {
        // In Swift "\r\n" is one character, so lines are split at it.
        let lines = message.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
        guard let (head, body) = Self.entity(lines[...]) else { return nil }
        self.head = head
        guard let boundary = Self.boundary(head["content-type"] ?? "") else {
            text = Self.decoded(head, body)
            return
        }
        // The plain text comes first.
        let rest = body.drop { $0 != "--" + boundary }.dropFirst()
        guard let part = Self.entity(rest.prefix { !$0.hasPrefix("--" + boundary) }) else { return nil }
        text = Self.decoded(part.head, part.body)
    }

    private static func entity(_ lines: ArraySlice<String>) -> (head: [String: String], body: ArraySlice<String>)? {
        guard let end = lines.firstIndex(of: "") else { return nil }
        var head: [String: String] = [:]
        var last = ""
        for line in lines[..<end] {
            if line.hasPrefix(" "), let begun = head[last] {
                head[last] = begun + line
                continue
            }
            guard let colon = line.firstIndex(of: ":") else { return nil }
            last = line[..<colon].lowercased()
            head[last] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        return (head, lines[(end + 1)...])
    }

    private static func boundary(_ type: String) -> String? {
        guard type.hasPrefix("multipart/") else { return nil }
        let parts = type.split(separator: "\"")
        return parts.count == 2 && parts[0].hasSuffix("boundary=") ? String(parts[1]) : nil
    }

    private static func decoded(_ head: [String: String], _ body: ArraySlice<String>) -> [String] {
        head["content-transfer-encoding"] == "quoted-printable" ? QuotedPrintable.decode(Array(body)) : Array(body)
    }
}
