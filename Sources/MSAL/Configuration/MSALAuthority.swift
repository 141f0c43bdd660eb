// SPDX-License-Identifier: Apache-2.0

public import Foundation
import NativeAuth

/// The address of a tenant.
public class MSALAuthority: NSObject, @unchecked Sendable {
    // Unchecked because it has a subclass; neither can be changed. The same holds for states and errors.

    /// The address.
    public let url: URL
    let authority: Authority

    /// Any tenant's address; an app for native authentication takes those of `ciamlogin.com` only. For other addresses
    /// make an ``MSALCIAMAuthority``.
    ///
    /// - Throws: An error of ``MSALErrorDomain`` for what is no https address, or no http address on loopback.
    public init(url: URL) throws {
        authority = try Self.parsed(url.absoluteString)
        self.url = authority.url
    }

    /// What an app has that names no tenant: what it is to Microsoft's SDK, and no place to go.
    static let none: MSALAuthority = {
        do { return MSALAuthority(try Authority("https://login.microsoftonline.com/common")) } catch {
            preconditionFailure("an authority that is none: \(error)")
        }
    }()

    init(_ authority: Authority) {
        self.authority = authority
        url = authority.url
    }

    /// Whether native authentication can go there.
    var isCIAM: Bool { Self.isCIAM(authority.host) }

    fileprivate static func isCIAM(_ host: String) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 3 && labels[1] == "ciamlogin"
    }

    fileprivate static func parsed(_ text: String) throws -> Authority {
        do {
            return try Authority(text)
        } catch {
            let problem =
                switch error {
                case .notAURL(let text): "'\(text)' is no absolute URL."
                case .insecure(let text): "'\(text)' is neither https nor on loopback."
                case .noTenant(let text): "'\(text)' does not name a tenant: add its id or name as the path."
                }
            throw NSError.msal(.internal, "This is no authority: \(problem)")
        }
    }

    /// The address.
    public override var description: String { authority.description }
}

/// The address of an External ID tenant: `https://contoso.ciamlogin.com`, a custom domain with the tenant's id as its
/// path, or a local tenant on loopback.
public final class MSALCIAMAuthority: MSALAuthority, @unchecked Sendable {
    /// Any https address, and http on loopback.
    ///
    /// - Throws: An error of ``MSALErrorDomain`` for any other.
    public override init(url: URL) throws { try super.init(url: url) }

    /// An address that has to have the form of Microsoft's own, if wanted.
    ///
    /// - Parameters:
    ///   - url: `https://contoso.ciamlogin.com`, with the tenant as its path or without.
    ///   - validateFormat: Takes hosts of `ciamlogin` alone, and drops what comes after the tenant.
    /// - Throws: An error of ``MSALErrorDomain`` for any other.
    public convenience init(url: URL, validateFormat: Bool) throws {
        guard validateFormat else {
            try self.init(url: url)
            return
        }
        let authority = try Self.parsed(url.absoluteString)
        guard Self.isCIAM(authority.host), let origin = URL(string: "https://\(authority.host)/\(authority.tenant)")
        else {
            throw NSError.msal(.internal, "It is not CIAM authority.")
        }
        try self.init(url: origin)
    }

    /// The tenant of a `ciamlogin.com` subdomain.
    convenience init(tenantSubdomain: String) throws {
        guard let authority = try? Authority(subdomain: tenantSubdomain) else {
            throw MSALNativeAuthInternalError.invalidAuthority
        }
        try self.init(url: authority.url)
    }

    override var isCIAM: Bool { true }
}

/// An app cannot be made. Its name is not for apps, as in Microsoft's SDK; its text is.
enum MSALNativeAuthInternalError: LocalizedError {
    case invalidAuthority

    var errorDescription: String? {
        "The authority is no External ID tenant. Use a subdomain of ciamlogin.com, or MSALCIAMAuthority(url:)."
    }
}
