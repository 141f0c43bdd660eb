// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Where the code of a sign-in may be brought to.
enum RedirectAddress {
    /// What the sample apps of a fresh tenant have: a program on this machine, as RFC 8252 and as Microsoft's libraries
    /// name it.
    static let samples = ["http://127.0.0.1", "http://localhost"]

    /// Whether an app may have it: https, http on this machine, or a scheme of the app's own, which has a dot in it
    /// (RFC 8252, section 7.1) or is one of those that Microsoft's libraries use.
    static func canBeRegistered(_ text: String) -> Bool {
        if Logout.canBeRedirect(text) { return true }
        guard text.utf8.count <= 2048, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }),
            let parts = URLComponents(string: text), parts.fragment == nil, let scheme = parts.scheme
        else { return false }
        return scheme.hasPrefix("msal") || scheme.hasPrefix("msauth")
    }

    /// Whether an address is one of those that are registered: byte by byte (RFC 9700, section 2.1), but for the port of
    /// a program on this machine, which takes the one that it gets (RFC 8252, section 7.3).
    static func isRegistered(_ asked: String, among registered: [String]) -> Bool {
        let bare = withoutPort(asked)
        return registered.contains { address in
            if asked.utf8.elementsEqual(address.utf8) { return true }
            guard let bare, let other = withoutPort(address) else { return false }
            return bare.utf8.elementsEqual(other.utf8)
        }
    }

    /// A loopback address without its port; nil for any other, and for what only begins like one.
    private static func withoutPort(_ text: String) -> String? {
        guard let host = loopbacks.first(where: { text.utf8.starts(with: $0.utf8) }) else { return nil }
        var rest = Array(text.utf8).dropFirst(host.utf8.count)
        if rest.first == UInt8(ascii: ":") {
            let digits = rest.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0 else { return nil }
            rest = rest.dropFirst(1 + digits.count)
        }
        guard rest.isEmpty || rest.first == UInt8(ascii: "/") || rest.first == UInt8(ascii: "?") else { return nil }
        return host + String(decoding: rest, as: UTF8.self)
    }

    private static let loopbacks = ["http://127.0.0.1", "http://[::1]", "http://localhost"]

    /// What a page has to name as a goal of its forms to be left for the address: its origin, or its scheme where that is
    /// the app's own. Browsers look at this where an answer to a form leads elsewhere, too.
    static func formTarget(_ text: String) -> String {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme else { return "" }
        guard scheme == "http" || scheme == "https" else { return " \(scheme):" }
        let end = text.dropFirst(scheme.count + 3).firstIndex { $0 == "/" || $0 == "?" } ?? text.endIndex
        // What separates directives would end this one.
        let origin = text[..<end]
        return origin.contains(where: { ";, '".contains($0) }) ? "" : " \(origin)"
    }
}
