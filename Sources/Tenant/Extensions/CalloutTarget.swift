// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Where a receiver is: https, or http on this machine.
struct CalloutTarget: Sendable, Equatable {
    let url: String
    /// In lower case, an IPv6 address without its brackets.
    let host: String
    /// Whether the host is written as an address of this machine, or as `localhost`: then nothing else is connected to,
    /// and plain http is good enough (RFC 8252, section 8.3).
    let isLoopback: Bool

    init?(_ text: String) {
        // Anything that two readers of URLs could understand in two ways, such as a backslash, stays outside.
        guard text.utf8.count <= 2048, text.utf8.allSatisfy(Self.isURLCharacter),
            let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            let host = parts.host.map(Self.bare), !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.fragment == nil
        else { return nil }
        let isLoopback = host == "localhost" || NetworkAddress(host)?.isLoopback == true
        guard scheme == "https" || (scheme == "http" && isLoopback) else { return nil }
        url = text
        self.host = host
        self.isLoopback = isLoopback
    }

    static func bare(_ host: String) -> String {
        host.hasPrefix("[") && host.hasSuffix("]")
            ? String(host.dropFirst().dropLast()).lowercased() : host.lowercased()
    }

    /// The characters of RFC 3986, section 2.
    private static func isURLCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~:/?#[]@!$&'()*+,;=%".utf8.contains(byte)
        }
    }
}

/// The API that a receiver is registered as: `api://{host}/{application id}`.
struct CalloutResource: Sendable, Equatable {
    /// In lower case, an IPv6 address without its brackets.
    let host: String
    /// The audience of the token that the receiver gets, in lower case.
    let applicationID: String

    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].lowercased() == "api:", parts[1].isEmpty, !parts[2].isEmpty,
            UUID(uuidString: String(parts[3])) != nil
        else { return nil }
        host = CalloutTarget.bare(String(parts[2]))
        applicationID = parts[3].lowercased()
    }
}
