// SPDX-License-Identifier: Apache-2.0

import CCommonPasswords

/// The passwords that people choose: 58,000 of them, which the program carries as a Bloom filter.
enum CommonPasswords {
    static var count: Int { na_common_password_count() }

    /// Whether a text is one of them, in any case and with the usual characters in place of letters.
    static func contains(_ password: String) -> Bool {
        let bytes = folded(password)
        return has(bytes[...]) || has(bytes.prefix(bytes.count - marks(at: bytes)))
    }

    /// How much of a password is its own: one point for each word that is common, or the person's own, and one for each
    /// character that belongs to none; the least that any way of cutting it up gives.
    ///
    /// - Parameter own: Words that say nothing to anyone but are easy to guess here, as the person's name.
    static func points(of password: String, own: [String]) -> Int {
        let bytes = folded(password)
        let own = Set(own.map(folded).filter { $0.count >= shortest })
        // The points of what stands before each place.
        var points = [0]
        for end in 1...max(1, bytes.count) where end <= bytes.count {
            var least = points[end - 1] + 1
            for start in max(0, end - longest)..<max(0, end - shortest + 1) where points[start] + 1 < least {
                let word = bytes[start..<end]
                if has(word) || own.contains(Array(word)) { least = points[start] + 1 }
            }
            points.append(least)
        }
        return points[bytes.count]
    }

    private static let shortest = 4
    private static let longest = 48

    /// Lower case, and the letters that digits and signs stand for; what is no ASCII becomes a byte that is in no entry.
    /// The generator of the filter does the same.
    private static func folded(_ text: String) -> [UInt8] {
        text.lowercased().unicodeScalars.map { scalar in
            switch scalar {
            case "0": UInt8(ascii: "o")
            case "1": UInt8(ascii: "l")
            case "3": UInt8(ascii: "e")
            case "4", "@": UInt8(ascii: "a")
            case "5", "$": UInt8(ascii: "s")
            case "7": UInt8(ascii: "t")
            default: scalar.isASCII ? UInt8(scalar.value) : 0xFF
            }
        }
    }

    /// How many signs stand at the end: they add nothing to a guess.
    private static func marks(at bytes: [UInt8]) -> Int {
        bytes.reversed().prefix { "!.?*#-_+ ".utf8.contains($0) }.count
    }

    private static func has(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBufferPointer { na_common_password($0.baseAddress, $0.count) == 1 }
    }
}
