// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// What our reader takes, Foundation's takes too, as the same value; and what is written of it reads as it was.
enum JSONProperties {
    @Sendable static func check(_ bytes: [UInt8]) throws(Violation) {
        let value: JSONValue
        do throws(JSONValue.Malformed) { value = try JSONValue(reading: bytes) } catch {
            return try require((0...bytes.count).contains(error.position), "the fault is outside of the text")
        }
        try require(depth(of: value) <= 16, "it is deeper than the limit")
        try require(count(of: value) <= bytes.count, "it has more values than bytes")
        guard let peer = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)) else {
            throw Violation("Foundation refuses it")
        }
        try require(isSame(value, peer), "Foundation reads another value")
        guard let written = try? JSONEncoder().encode(value), let again = try? JSONValue(reading: Array(written)) else {
            throw Violation("it cannot be written and read again")
        }
        try require(isSame(value, again), "it is another value when it is read again")
    }

    private static func depth(of value: JSONValue) -> Int {
        switch value {
        case .array(let elements): 1 + (elements.map(depth).max() ?? 0)
        case .object(let members): 1 + (members.values.map(depth).max() ?? 0)
        default: 0
        }
    }

    private static func count(of value: JSONValue) -> Int {
        switch value {
        case .array(let elements): elements.reduce(1) { $0 + count(of: $1) }
        case .object(let members): members.values.reduce(1) { $0 + count(of: $1) }
        default: 1
        }
    }

    /// The same, where a number is one number however it is written. Foundation makes a whole number of a fraction that a
    /// `Double` cannot hold.
    private static func isSame(_ a: JSONValue, _ b: JSONValue) -> Bool {
        switch (a, b) {
        case (.array(let a), .array(let b)): a.count == b.count && zip(a, b).allSatisfy(isSame)
        case (.object(let a), .object(let b)):
            a.count == b.count && a.allSatisfy { name, value in b[name].map { isSame(value, $0) } ?? false }
        case (.integer(let a), .integer(let b)): a == b
        case (.integer(let a), .number(let b)), (.number(let b), .integer(let a)): abs(Double(a) - b) <= b.ulp
        default: a == b
        }
    }
}
