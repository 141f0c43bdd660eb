// SPDX-License-Identifier: Apache-2.0

/// The heads of answers as curl dumps them, piece by piece, and what the first answer that counts says about a token.
struct AnswerHeads {
    enum Verdict { case unknown, accepted, rejected }

    private(set) var verdict = Verdict.unknown
    private var line: [UInt8] = []
    private var status: Int?

    /// Takes what has come. After a verdict, nothing changes it: what follows are answers to other requests.
    mutating func take(_ bytes: some Sequence<UInt8>) {
        for byte in bytes where verdict == .unknown {
            if byte == UInt8(ascii: "\n") { endLine() } else if byte != UInt8(ascii: "\r") { line.append(byte) }
        }
    }

    private mutating func endLine() {
        if line.isEmpty { endHead() } else if line.starts(with: "HTTP/".utf8) { status = Self.status(line) }
        line = []
    }

    /// An interim answer, or a redirect that curl may follow, is not the last word.
    private mutating func endHead() {
        switch status {
        case 401?: verdict = .rejected
        case nil, (100..<200)?, (300..<400)?: verdict = .unknown
        default: verdict = .accepted
        }
        status = nil
    }

    private static func status(_ line: [UInt8]) -> Int? {
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        return words.dropFirst().first.flatMap { Int($0) }
    }
}
