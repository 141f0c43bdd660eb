// SPDX-License-Identifier: Apache-2.0

/// What a URL on curl's command line says about the way that a token would take.
enum CurlDestination: Equatable {
    /// https, or no scheme at all, for which curl is told to take https.
    case secure
    /// Plain http that does not leave this machine.
    case loopback
    /// Plain http to anywhere else, or in a spelling that curl may read otherwise than this program.
    case plain
    /// Another protocol, which has no header.
    case other(String)

    init(_ url: String) {
        let lowered = url.lowercased()
        guard let colon = lowered.firstRange(of: ":"), Self.isScheme(lowered[..<colon.lowerBound]) else {
            self = .secure
            return
        }
        let scheme = lowered[..<colon.lowerBound]
        let rest = lowered[colon.upperBound...]
        switch scheme {
        case "https": self = .secure
        case "http": self = Self.isLoopback(rest) ? .loopback : .plain
        // A host with a port, as in localhost:8080.
        case _ where !rest.hasPrefix("//"): self = .secure
        default: self = .other(String(scheme))
        }
    }

    private static func isScheme(_ text: Substring) -> Bool {
        text.first?.isLetter == true
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
    }

    /// Strict, so that a user name, a backslash or a pattern of curl's cannot make another host of it.
    private static func isLoopback(_ rest: Substring) -> Bool {
        guard rest.hasPrefix("//") else { return false }
        let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
        let isBracketed = authority.hasPrefix("[::1]")
        let host = isBracketed ? authority.prefix(5) : authority.prefix { $0 != ":" }
        let port = authority.dropFirst(host.count)
        let hasPort = port.isEmpty || (port.first == ":" && UInt16(port.dropFirst()) != nil)
        return hasPort && (isBracketed || host == "localhost" || isLoopbackAddress(host))
    }

    private static func isLoopbackAddress(_ host: Substring) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap {
            $0.allSatisfy(\.isNumber) && String($0) == UInt8($0)?.description ? UInt8($0) : nil
        }
        return parts.count == 4 && numbers.count == 4 && numbers[0] == 127
    }
}
