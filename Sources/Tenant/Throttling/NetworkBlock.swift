// SPDX-License-Identifier: Apache-2.0

/// The addresses that begin with the same bits: `10.0.0.0/8`, or one address.
struct NetworkBlock: Sendable, Hashable {
    private let prefix: [UInt8]
    private let bits: Int

    /// Nil for anything but an address, with or without a number of bits behind it.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 2, let address = NetworkAddress(parts[0])?.plain else { return nil }
        var bits = address.bytes.count * 8
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let number = Int(parts[1]), number <= bits
            else { return nil }
            bits = number
        }
        self.init(address, bits: bits)
    }

    private init(_ address: NetworkAddress, bits: Int) {
        prefix = address.bytes.enumerated().map { index, byte in
            byte & ~(UInt8.max >> min(8, max(0, bits - 8 * index)))
        }
        self.bits = bits
    }

    /// What one customer of a provider has, as far as that can be told: 256 addresses, or a subnet of IPv6 (RFC 4291,
    /// section 2.5.4), of which each machine takes ever new ones.
    init(around address: NetworkAddress) {
        self.init(address.plain, bits: address.plain.bytes.count == 4 ? 24 : 64)
    }

    /// What one machine has: an address, or a subnet of IPv6.
    init(machine address: NetworkAddress) {
        self.init(address.plain, bits: address.plain.bytes.count == 4 ? 32 : 64)
    }

    func contains(_ address: NetworkAddress) -> Bool {
        let address = address.plain
        return address.bytes.count == prefix.count && NetworkBlock(address, bits: bits) == self
    }

    /// What counters are kept by.
    var key: String { prefix.map(String.init).joined(separator: ".") + "/\(bits)" }
}

extension NetworkAddress {
    /// An IPv4 address that is written as one of IPv6 is what it was (RFC 4291, section 2.5.5.2).
    var plain: NetworkAddress {
        guard bytes.count == 16, bytes.starts(with: Array(repeating: 0, count: 10) + [0xFF, 0xFF]) else { return self }
        return NetworkAddress(bytes: bytes[12...]) ?? self
    }
}
