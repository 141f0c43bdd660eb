// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// What travels over the owner's socket: lines of JSON. A call is one line; what comes back is any number of lines that
/// tell how far it has come, and one with its end.
enum AdminMessage {
    /// A call on its way.
    struct Request: Codable {
        let call: String
        let arguments: JSONValue

        init<C: AdminCall>(_ call: C) throws {
            self.call = C.name
            arguments = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(call))
        }
    }

    /// A line on its way back.
    struct Response<Reply: Codable>: Codable {
        var progress: AdminProgress?
        var reply: Reply?
        var refusal: AdminRefusal?
    }

    static func line(_ value: some Encodable) throws -> [UInt8] {
        Array(try JSONEncoder().encode(value)) + [UInt8(ascii: "\n")]
    }

    /// The longest line: a page of accounts is far below it.
    static let longest = 64 * 1024 * 1024
}

/// Takes a stream apart into lines.
struct LineReader {
    private var rest: [UInt8] = []

    /// The lines that are complete with these bytes, without their ends.
    mutating func lines(adding bytes: [UInt8]) -> [[UInt8]] {
        // What was there before has no end in it: a line that comes in many pieces is looked through once.
        guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else {
            rest += bytes
            return []
        }
        let complete = rest + bytes[..<end]
        rest = Array(bytes[(end + 1)...])
        return complete.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
    }

    /// How much is there of a line that is not complete.
    var waiting: Int { rest.count }
}
