// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import NativeAuth

/// The protocol of git's credential helpers: gitcredentials(7) and git-credential(1).
struct GitCredential {
    /// What git asks for.
    let host: CredentialHost?
    let username: String?
    /// Whether git takes a token with a scheme of its own, as it does from 2.46 on.
    let takesToken: Bool
    /// The schemes that the server offers; git tells from 2.41 on.
    private let schemes: [String]

    /// - Parameter question: Lines of `name=value` up to an empty one.
    init(_ question: String) {
        let lines = question.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
        let pairs = lines.compactMap { line in
            line.firstIndex(of: "=").map { (name: line[..<$0], value: String(line[line.index(after: $0)...])) }
        }
        func values(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }
        if let scheme = values("protocol").last, let authority = values("host").last {
            host = CredentialHost(scheme: scheme, authority: authority)
        } else {
            host = nil
        }
        username = values("username").last
        takesToken = values("capability[]").contains("authtype")
        schemes = values("wwwauth[]").map { String($0.prefix { $0 != " " }).lowercased() }
    }

    /// The name for servers that want one beside a token, and take any.
    static let anyName = "oauth2"

    /// - Returns: Nil where git asks for somebody else.
    func answer(_ token: GivenToken) -> String? {
        let own = token.account?.username ?? Self.anyName
        let name = username ?? own
        guard name == Self.anyName || name.lowercased() == own.lowercased() else { return nil }
        // A line end in it would be a line of its own.
        guard name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else { return nil }
        let isBearer = takesToken && (schemes.isEmpty || schemes.contains("bearer"))
        var lines =
            isBearer
            ? ["capability[]=authtype", "authtype=Bearer", "credential=\(token.value)", "ephemeral=true"]
            : ["username=\(name)", "password=\(token.value)"]
        if let end = token.expiresAt { lines.append("password_expiry_utc=\(Int(end.timeIntervalSince1970))") }
        return lines.joined(separator: "\n") + "\n"
    }
}
