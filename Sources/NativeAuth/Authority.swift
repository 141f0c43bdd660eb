// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials

/// The address of a tenant: `https://contoso.ciamlogin.com/contoso.onmicrosoft.com`, a verified custom domain with
/// the tenant's id as its path, or a local tenant on loopback.
public struct Authority: Sendable, Hashable, CustomStringConvertible {
    /// Scheme, host, port and tenant path, without a slash at the end.
    public let url: URL
    /// The host, in lower case and without a port: what token caches of the family call the environment.
    public let host: String
    /// The first path segment: the tenant's id, name or domain.
    public let tenant: String

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
    public init(_ text: String) throws(Invalid) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            let host = parts.host?.lowercased(), !host.isEmpty, parts.user == nil, parts.password == nil
        else { throw .notAURL(text) }
        guard scheme == "https" || (scheme == "http" && Loopback.contains(host)) else { throw .insecure(text) }

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
    }

    /// The tenant of a `ciamlogin.com` subdomain: `Authority(subdomain: "contoso")`.
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
    public var description: String { url.absoluteString }

    /// The address of an endpoint below this authority.
    func endpoint(_ path: String) -> String {
        url.absoluteString + path
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
