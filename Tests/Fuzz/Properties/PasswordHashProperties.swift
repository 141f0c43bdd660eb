// SPDX-License-Identifier: Apache-2.0

import Tenant

/// A stored hash that is read costs what its text says, which is bounded, and could be written in no other way.
enum PasswordHashProperties {
    @Sendable static func check(_ bytes: [UInt8]) throws(Violation) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let hash = PasswordHash(text) else { return }
        let cost = hash.cost
        try require(hash.text == text && text.utf8.count <= 256, "the text is another, or too long")
        try require((8...PasswordCost.most.memory).contains(cost.memory), "it takes \(cost.memory) KiB")
        try require((1...PasswordCost.most.passes).contains(cost.passes), "it takes \(cost.passes) passes")
        let head = "$argon2id$v=19$m=\(cost.memory),t=\(cost.passes),p="
        try require(text.hasPrefix(head), "the cost is not what the text says")
        let rest = text.dropFirst(head.count).split(separator: "$", omittingEmptySubsequences: false)
        try require(rest.count == 3, "it has \(rest.count) parts behind its cost")
        try require(Int(rest[0]).map(String.init) == String(rest[0]), "the lanes are no plain number")
        for part in rest[1...] {
            try require(!part.isEmpty && part.utf8.allSatisfy(isBase64), "salt or tag is no base64")
        }
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"): true
        default: false
        }
    }
}
