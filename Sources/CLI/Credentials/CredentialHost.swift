// SPDX-License-Identifier: Apache-2.0

/// A server that may have the token of a profile, as `credential_hosts` in `config.json` names it, or as another program
/// asks for it.
struct CredentialHost: Equatable, Sendable {
    let isSecure: Bool
    /// In lower case.
    let name: String
    let port: UInt16

    /// A host with or without a port; https where no scheme is written. Plain http is for this machine only.
    init?(_ text: String) {
        let lowered = text.lowercased()
        let isSecure = !lowered.hasPrefix("http://")
        let rest = lowered.hasPrefix("https://") ? lowered.dropFirst(8) : lowered.dropFirst(isSecure ? 0 : 7)
        self.init(isSecure: isSecure, authority: rest.hasSuffix("/") ? rest.dropLast() : rest)
    }

    /// - Parameter scheme: `https`, or `http`.
    init?(scheme: String, authority: String) {
        guard ["https", "http"].contains(scheme.lowercased()) else { return nil }
        self.init(isSecure: scheme.lowercased() == "https", authority: authority.lowercased()[...])
    }

    private init?(isSecure: Bool, authority: Substring) {
        let end = authority.first == "[" ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : nil
        let host = end.map { authority[..<$0] } ?? authority.prefix { $0 != ":" }
        let rest = authority[host.endIndex...]
        guard Self.isName(host), rest.isEmpty || rest.first == ":" else { return nil }
        guard let port = rest.isEmpty ? (isSecure ? 443 : 80) : UInt16(rest.dropFirst()) else { return nil }
        guard isSecure || CurlDestination("http://\(host)") == .loopback else { return nil }
        self.isSecure = isSecure
        name = String(host)
        self.port = port
    }

    private static func isName(_ host: Substring) -> Bool {
        let isAddress = host.first == "[" && host.last == "]"
        let inner = isAddress ? host.dropFirst().dropLast() : host
        return !inner.isEmpty
            && inner.allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || (isAddress ? ".:" : ".-_").contains($0))
            }
    }

    /// How to write one, for a person.
    static let spelling = "Write git.example.com, registry.example.com:5000, or http://127.0.0.1:3000 for this machine."

    /// As docker has it in a list.
    var url: String {
        let hasUsualPort = port == (isSecure ? 443 : 80)
        return (isSecure ? "https://" : "http://") + name + (hasUsualPort ? "" : ":\(port)")
    }
}
