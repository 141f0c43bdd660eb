// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A mail server that takes mail for others: `smtp://HOST`, which is asked for STARTTLS, or `smtps://HOST`, which speaks TLS
/// from the beginning.
package struct MailServer: Sendable, Equatable {
    let scheme: String
    /// In lower case, an IPv6 address without its brackets.
    let host: String
    let port: Int

    /// Nil for anything else, a name or a password in it included: those are settings of their own.
    package init?(_ text: String) {
        guard text.utf8.count <= 512, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
            let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            let host = parts.host.map(CalloutTarget.bare), !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
            parts.path.isEmpty || parts.path == "/", scheme == "smtp" || scheme == "smtps"
        else { return nil }
        // The ports for handing mail in (RFC 8314, section 3.3; RFC 6409, section 3.1).
        let port = parts.port ?? (scheme == "smtps" ? 465 : 587)
        guard (1...65535).contains(port) else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// Whether the host is written as an address of this machine, or as `localhost`: then nothing else is connected to.
    var isLoopback: Bool { host == "localhost" || NetworkAddress(host)?.isLoopback == true }

    var url: String { "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}
