// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An IPv4 or IPv6 address.
struct NetworkAddress: Sendable, Hashable {
    /// 4 or 16 bytes in network order.
    let bytes: [UInt8]

    /// Nil for another length.
    init?(bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        guard self.bytes.count == 4 || self.bytes.count == 16 else { return nil }
    }

    /// An address in its plain notation; nil for anything else, such as the octal or shortened forms of `inet_aton`.
    init?(_ text: String) {
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            bytes = withUnsafeBytes(of: v4) { Array($0) }
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            bytes = withUnsafeBytes(of: v6) { Array($0) }
        } else {
            return nil
        }
    }

    /// In its plain notation.
    var text: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        _ = bytes.withUnsafeBytes { inet_ntop(family, $0.baseAddress, &text, socklen_t(text.count)) }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Who an address belongs to, by the registries of IANA for special purposes (RFC 6890).
    enum Reach: Sendable, Equatable {
        case everywhere
        /// A network that only its members reach, this machine among them.
        case privately
        /// Nobody's, many hosts' at once, or a cloud's interface to its own guests, which hands out credentials.
        case never
    }

    var reach: Reach { bytes.count == 4 ? Self.reach(of: bytes[...]) : reachOfV6 }

    /// `127.0.0.0/8` and `::1`.
    var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes == Array(repeating: 0, count: 15) + [1]
    }

    private static func reach(of v4: ArraySlice<UInt8>) -> Reach {
        if never.contains(where: { $0.contains(v4) }) { return .never }
        return privately.contains { $0.contains(v4) } ? .privately : .everywhere
    }

    private var reachOfV6: Reach {
        if Self.neverV6.contains(where: { $0.contains(bytes[...]) }) { return .never }
        if isLoopback || Self.uniqueLocal.contains(bytes[...]) { return .privately }
        // What a translator turns into an IPv4 address is as good as that address (RFC 6052, section 2.1).
        if Self.translated.contains(bytes[...]) { return Self.reach(of: bytes[12...]) }
        // Everything else that is reached from everywhere begins with 001 (RFC 4291, section 2.4).
        return bytes[0] & 0xE0 == 0x20 ? .everywhere : .never
    }
}

// MARK: - Ranges

extension NetworkAddress {
    /// The addresses that begin with the same bits.
    private struct Block: Sendable {
        let prefix: [UInt8]
        let bits: Int

        init(_ bytes: UInt8..., bits: Int) {
            prefix = bytes
            self.bits = bits
        }

        func contains(_ address: ArraySlice<UInt8>) -> Bool {
            zip(address, prefix).enumerated().allSatisfy { index, pair in
                let mask = ~(UInt8.max >> min(8, max(0, bits - 8 * index)))
                return (pair.0 ^ pair.1) & mask == 0
            }
        }
    }

    private static let privately = [
        Block(10, bits: 8), Block(127, bits: 8), Block(172, 16, bits: 12), Block(192, 168, bits: 16),
        Block(100, 64, bits: 10),  // shared by a provider's customers (RFC 6598)
    ]

    private static let never = [
        Block(0, bits: 8),
        Block(169, 254, bits: 16),  // link-local, with the metadata services of most clouds
        Block(168, 63, 129, 16, bits: 32), Block(100, 100, 100, 200, bits: 32),  // those of two others
        Block(192, 0, 0, bits: 24), Block(192, 88, 99, bits: 24),  // protocol assignments, 6to4 relays
        Block(192, 0, 2, bits: 24), Block(198, 51, 100, bits: 24), Block(203, 0, 113, bits: 24),  // documentation
        Block(198, 18, bits: 15),  // benchmarks (RFC 2544)
        Block(224, bits: 4), Block(240, bits: 4),  // multicast; reserved and broadcast
    ]

    private static let uniqueLocal = Block(0xFC, bits: 7)
    private static let translated = Block(0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0, bits: 96)

    private static let neverV6 = [
        Block(0xFD, 0, 0x0E, 0xC2, bits: 32),  // a cloud's metadata service among the unique local addresses
        Block(0x20, 0x01, 0, bits: 23),  // protocol assignments, Teredo among them
        Block(0x20, 0x02, bits: 16),  // 6to4
        Block(0x20, 0x01, 0x0D, 0xB8, bits: 32), Block(0x3F, 0xFF, 0, bits: 20),  // documentation
    ]
}

/// Which addresses a receiver's name may lead to.
enum AddressPolicy: Sendable, Equatable {
    case loopbackOnly
    case everywhere
    case everywhereAndPrivately

    /// What an extension's definition allows.
    init(_ target: CalloutTarget, allowsPrivateAddresses: Bool) {
        self = target.isLoopback ? .loopbackOnly : allowsPrivateAddresses ? .everywhereAndPrivately : .everywhere
    }

    func admits(_ address: NetworkAddress) -> Bool {
        switch self {
        case .loopbackOnly: address.isLoopback
        case .everywhere: address.reach == .everywhere
        case .everywhereAndPrivately: address.reach != .never
        }
    }
}
