// SPDX-License-Identifier: Apache-2.0

/// What a guess at a password costs: the parameters of Argon2id (RFC 9106).
package struct PasswordCost: Sendable, Equatable {
    /// In KiB.
    package var memory: Int
    package var passes: Int

    package init(memory: Int, passes: Int) {
        self.memory = memory
        self.passes = passes
    }

    /// The least that the OWASP password storage cheat sheet recommends.
    package static let least = PasswordCost(memory: 19 * 1024, passes: 2)
    /// The most that is spent on one password, whatever a stored hash asks for: a hash that was brought from elsewhere must
    /// not be able to stop the tenant.
    package static let most = PasswordCost(memory: 256 * 1024, passes: 10)

    /// Whether it is below another in either way.
    func isWeaker(than other: PasswordCost) -> Bool { memory < other.memory || passes < other.passes }
}

/// A stored hash: Argon2id in the PHC string format, within the bounds of ``PasswordCost/most``.
package struct PasswordHash: Sendable, Equatable {
    package let text: String
    package let cost: PasswordCost

    /// Reads `$argon2id$v=19$m=19456,t=2,p=1$SALT$TAG`; nil for anything else, and for what would cost too much.
    package init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard text.utf8.count <= 256, parts.count == 6, parts[0].isEmpty, parts[1] == "argon2id", parts[2] == "v=19",
            let cost = Self.cost(parts[3]), Self.isBase64(parts[4], ofBytes: 8...48),
            Self.isBase64(parts[5], ofBytes: 16...64)
        else { return nil }
        self.text = text
        self.cost = cost
    }

    private static func cost(_ text: Substring) -> PasswordCost? {
        let fields = text.split(separator: ",", omittingEmptySubsequences: false)
        guard fields.count == 3, let memory = number(fields[0], "m="), let passes = number(fields[1], "t="),
            let lanes = number(fields[2], "p="), (1...16).contains(lanes),
            (8 * lanes...PasswordCost.most.memory).contains(memory), (1...PasswordCost.most.passes).contains(passes)
        else { return nil }
        return PasswordCost(memory: memory, passes: passes)
    }

    /// Digits alone, without a sign or a leading zero.
    private static func number(_ field: Substring, _ name: String) -> Int? {
        let digits = field.dropFirst(name.count)
        guard field.hasPrefix(name), (1...7).contains(digits.utf8.count), digits.first != "0",
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(digits)
    }

    /// Base64 without padding, as PHC strings have it.
    private static func isBase64(_ text: Substring, ofBytes range: ClosedRange<Int>) -> Bool {
        range.contains(text.utf8.count * 3 / 4) && text.utf8.count % 4 != 1
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                    true
                default: false
                }
            }
    }
}
