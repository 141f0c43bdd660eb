// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
import Wire

/// The address of a tenant: `https://contoso.ciamlogin.com/contoso.onmicrosoft.com`, a verified custom domain with
/// the tenant's id as its path, or a local tenant on loopback. Or the name of any other OpenID provider, where people sign in
/// in a browser.
public struct Authority: Sendable, Hashable, CustomStringConvertible {
    /// Scheme, host, port and tenant path, without a slash at the end.
    public let url: URL
    /// The host, in lower case and without a port: what token caches of the family call the environment.
    public let host: String
    /// The first path segment: the tenant's id, name or domain. Empty for a provider that is no tenant.
    public let tenant: String
    /// The provider's name, to the byte; nil for a tenant.
    public let issuer: String?

    /// Why an address is no authority.
    public enum Invalid: Error, Sendable, Equatable {
        /// Not an absolute URL with a host.
        case notAURL(String)
        /// Neither https nor http on a loopback address.
        case insecure(String)
        /// The path does not name the tenant, and the host is not one whose tenant is known.
        case noTenant(String)
    }

    /// Reads an address.
    ///
    /// - Parameter text: An https URL. `http` is taken for `127.0.0.0/8`, `[::1]` and `localhost` only (RFC 8252,
    ///   section 8.3). `https://contoso.ciamlogin.com` stands for the tenant `contoso.onmicrosoft.com`, as in
    ///   Microsoft's SDKs. Query and fragment are dropped.
    /// - Throws: ``Invalid`` for anything else.
    public init(_ text: String) throws(Invalid) {
        guard let parts = URLComponents(string: text) else { throw .notAURL(text) }
        let (scheme, host) = try Self.place(parts, text)

        var segments = parts.path.split(separator: "/").map(String.init)
        if segments.isEmpty, host.hasSuffix(".ciamlogin.com"), let subdomain = host.split(separator: ".").first {
            segments = ["\(subdomain).onmicrosoft.com"]
        }
        guard let tenant = segments.first else { throw .noTenant(text) }

        var clean = URLComponents()
        clean.scheme = scheme
        clean.host = host
        clean.port = parts.port
        clean.path = "/" + segments.joined(separator: "/")
        guard let url = clean.url else { throw .notAURL(text) }
        self.url = url
        self.host = host
        self.tenant = tenant
        issuer = nil
    }

    /// An OpenID provider of any kind. It describes itself below this address, and has to call itself by it, to the byte
    /// (OpenID Connect Discovery 1.0, section 4.3). It has no native authentication: people sign in in a browser.
    ///
    /// - Parameter issuer: An https URL without query and fragment. `http` is taken for this machine only.
    /// - Throws: ``Invalid`` for anything else.
    public init(issuer: String) throws(Invalid) {
        guard issuer.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let url = URL(string: issuer),
            let parts = URLComponents(string: issuer), parts.query == nil, parts.fragment == nil
        else { throw .notAURL(issuer) }
        host = try Self.place(parts, issuer).host
        self.url = url
        tenant = ""
        self.issuer = issuer
    }

    private static func place(_ parts: URLComponents, _ text: String) throws(Invalid) -> (scheme: String, host: String)
    {
        guard let scheme = parts.scheme?.lowercased(), let host = parts.host?.lowercased(), !host.isEmpty,
            parts.user == nil, parts.password == nil
        else { throw .notAURL(text) }
        guard scheme == "https" || (scheme == "http" && Loopback.contains(host)) else { throw .insecure(text) }
        return (scheme, host)
    }

    /// The tenant of a `ciamlogin.com` subdomain: `Authority(subdomain: "contoso")`.
    ///
    /// - Parameter subdomain: A label of a host's name: letters, digits and hyphens.
    /// - Throws: ``Invalid/notAURL(_:)`` for anything else.
    public init(subdomain: String) throws(Invalid) {
        guard Self.isLabel(subdomain[...]) else { throw .notAURL(subdomain) }
        try self.init("https://\(subdomain).ciamlogin.com")
    }

    /// A label of a host's name (RFC 1123, section 2.1).
    private static func isLabel(_ text: Substring) -> Bool {
        let isWord = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        return isWord && (1...63).contains(text.utf8.count) && !text.hasPrefix("-") && !text.hasSuffix("-")
    }

    /// The address as text.
    public var description: String { issuer ?? url.absoluteString }

    /// The address of an endpoint below this authority.
    func endpoint(_ path: String) -> String {
        url.absoluteString + path
    }

    /// Where it describes itself (OpenID Connect Discovery 1.0, section 4.1).
    package var selfDescription: String {
        guard let issuer else { return endpoint(ProviderConfiguration.path) }
        return (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }
}

/// The addresses that never leave the machine.
enum Loopback {
    static func contains(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" || host == "[::1]" { return true }
        // Written plainly: what reads "0127" as octal would go elsewhere.
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { part in
            UInt8(part).flatMap { String($0) == part ? $0 : nil }
        }
        return numbers.count == 4 && numbers[0] == 127 && numbers.allSatisfy { $0 != nil }
    }
}
