// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Text in a header field that is not ASCII (RFC 2047).
enum EncodedWord {
    /// Encoded words, each on a line of its own: none is longer than 75 characters, and none cuts a character in two.
    static func words(of text: String) -> String {
        var pieces: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            // 45 bytes are 60 characters in base64, and `=?utf-8?B?` with `?=` twelve more.
            if pieces[pieces.count - 1].count + bytes.count > 45 { pieces.append([]) }
            pieces[pieces.count - 1] += bytes
        }
        return pieces.map { "=?utf-8?B?\(Data($0).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }
}

/// Text as 7-bit lines of at most 76 characters that stay readable (RFC 2045, section 6.7).
enum QuotedPrintable {
    /// - Returns: Lines ended by CRLF.
    static func encode(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }.joined(separator: "\r\n")
    }

    private static func line(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var done = ""
        var length = 0
        for (index, byte) in bytes.enumerated() {
            let piece = encode(byte, isLast: index == bytes.count - 1)
            if length + piece.utf8.count > 75 {
                done += "=\r\n"
                length = 0
            }
            done += piece
            length += piece.utf8.count
        }
        return done
    }

    /// Blanks at the end of a line get lost on the way, so the last one is encoded.
    private static func encode(_ byte: UInt8, isLast: Bool) -> String {
        let isPlain = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=") || byte == 0x20 && !isLast
        return isPlain ? String(UnicodeScalar(byte)) : "=" + hexadecimal(byte)
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "0" + digits : digits
    }

    /// - Parameter lines: Without their ends. What is no encoding stays as it is.
    static func decode(_ lines: [String]) -> [String] {
        var decoded: [String] = []
        var open: [UInt8] = []
        for line in lines {
            open += bytes(of: line.hasSuffix("=") ? line.dropLast() : line[...])
            if line.hasSuffix("=") { continue }
            decoded.append(String(decoding: open, as: UTF8.self))
            open = []
        }
        return open.isEmpty ? decoded : decoded + [String(decoding: open, as: UTF8.self)]
    }

    private static func bytes(of text: Substring) -> [UInt8] {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        return Array(parts[0].utf8)
            + parts.dropFirst().flatMap { part -> [UInt8] in
                guard part.count >= 2, let byte = UInt8(part.prefix(2), radix: 16) else {
                    return Array("=\(part)".utf8)
                }
                return [byte] + part.dropFirst(2).utf8
            }
    }
}
