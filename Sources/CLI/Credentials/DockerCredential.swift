// SPDX-License-Identifier: Apache-2.0

/// The protocol of docker's credential helpers: a word, a server's address on standard input, and JSON. What goes wrong is
/// told on standard output, in words that docker knows.
enum DockerCredential {
    static let notFound = "credentials not found in native keychain"
    static let noServer = "no credentials server URL"
    static let storesNothing = "nativeauth gives out tokens of its own and keeps no others"

    struct Answer: Encodable {
        var ServerURL: String
        var Username: String
        var Secret: String
    }

    /// The server that docker names, with or without a scheme and a path.
    ///
    /// - Parameter listed: The servers that may have the token; one without a scheme may be either.
    static func host(_ server: String, among listed: [CredentialHost]) -> CredentialHost? {
        let parts = server.split(separator: "://", maxSplits: 1).map(String.init)
        let authority = String((parts.last ?? "").prefix { $0 != "/" })
        let schemes = parts.count == 2 ? [parts[0]] : ["https", "http"]
        let hosts = schemes.compactMap { CredentialHost(scheme: $0, authority: authority) }
        return hosts.first(where: listed.contains)
    }
}
