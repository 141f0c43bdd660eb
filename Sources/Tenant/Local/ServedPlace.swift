// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials

/// Where a tenant is served, as the process that serves it wrote into the lock file: its URL, and for TLS a second line
/// with the path of the certificate to trust. The file is this user's alone, so what it names can be trusted.
package struct ServedPlace: Sendable, Equatable {
    /// The address below which the endpoints are.
    package let url: String
    /// A file in PEM; nil for plain HTTP.
    package let certificate: String?

    package init(url: String, certificate: String? = nil) {
        self.url = url
        self.certificate = certificate
    }

    /// Reads a lock file; nil where nothing is announced in it.
    package init?(lockFile data: Data) {
        let text = String(decoding: data, as: UTF8.self)
        guard text.hasSuffix("\n") else { return nil }
        let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = lines[1].dropLast()
        self.init(url: String(lines[0]), certificate: rest.isEmpty ? nil : String(rest))
    }

    var lockFile: String { url + "\n" + (certificate.map { $0 + "\n" } ?? "") }
}
