// SPDX-License-Identifier: Apache-2.0

import CCertificate
import CMicroHTTPD

/// What a server proves with that it is who it says: a certificate, with those that lead to its authority behind it, and
/// its key.
struct TLSIdentity: Sendable {
    /// PEM, as C reads it: with a NUL behind it.
    private let chain: [CChar]
    private let key: [CChar]

    /// What keeps a certificate and a key from being used.
    enum Fault: Error, Equatable {
        case noCertificate, noKey, lockedKey, otherKey, early, over
    }

    /// Takes a chain and a key in PEM, if they belong together and the certificate is valid now.
    init(chain: [UInt8], key: [UInt8], now seconds: Int64) throws(Fault) {
        self.chain = chain.map(CChar.init(bitPattern:)) + [0]
        self.key = key.map(CChar.init(bitPattern:)) + [0]
        let state = na_certificate_examine(self.chain, chain.count, self.key, key.count, seconds)
        if let fault = Fault(state) { throw fault }
    }

    /// Whether the certificate is for this host, a name or a literal address.
    func covers(_ host: String) -> Bool {
        na_certificate_covers(chain, chain.count - 1, host) == 1
    }

    /// The first name that it is for, if that can be looked up.
    var name: String? {
        guard let name = na_certificate_name(chain, chain.count - 1) else { return nil }
        defer { na_certificate_free(name) }
        return String(validatingCString: name)
    }

    /// The same for C; nil for no identity.
    static func withValues<Result>(
        of identity: TLSIdentity?, _ body: (UnsafePointer<na_httpd_tls>?) -> Result
    ) -> Result {
        guard let identity else { return body(nil) }
        return identity.chain.withUnsafeBufferPointer { chain in
            identity.key.withUnsafeBufferPointer { key in
                var values = na_httpd_tls(chain: chain.baseAddress, key: key.baseAddress)
                return body(&values)
            }
        }
    }
}

extension TLSIdentity.Fault {
    fileprivate init?(_ state: na_certificate_state) {
        switch state {
        case NA_CERTIFICATE_GOOD: return nil
        case NA_CERTIFICATE_NO_KEY: self = .noKey
        case NA_CERTIFICATE_LOCKED_KEY: self = .lockedKey
        case NA_CERTIFICATE_OTHER_KEY: self = .otherKey
        case NA_CERTIFICATE_EARLY: self = .early
        case NA_CERTIFICATE_OVER: self = .over
        default: self = .noCertificate
        }
    }
}
