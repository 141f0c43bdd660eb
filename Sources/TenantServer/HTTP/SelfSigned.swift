// SPDX-License-Identifier: Apache-2.0

import CCertificate
import Files
import Glibc

/// The certificate that a tenant makes for itself: two files in its folder, used again until they are near their end, so
/// that clients need to be told about it once.
struct SelfSigned {
    /// The tenant's folder, which is there.
    let folder: String

    private static let certificateName = "tls-certificate.pem"
    private static let keyName = "tls-key.pem"
    private static let day: Int64 = 86400
    /// Clients look at the time too, and their clocks may be behind.
    private static let leeway = day
    private static let life = 365 * day
    /// Within this time of its end a certificate is made anew, since a server may run for weeks.
    private static let rest = 30 * day

    /// The file that clients have to trust.
    var certificatePath: String { folder + "/" + Self.certificateName }

    /// OpenSSL made none: its memory or its random source failed.
    struct CannotMake: Error {}

    /// The certificate for a server on this host, made where there is none that will do. To be called by the holder of the
    /// tenant's lock only.
    func identity(for host: String, now: Int64) throws -> TLSIdentity {
        let hosts = Set([host, "localhost", "127.0.0.1", "::1"])
        // What does not belong together, as a key whose certificate never came to the disk, is replaced.
        if let kept = try? kept(at: now), (try? self.kept(at: now + Self.rest)) != nil, hosts.allSatisfy(kept.covers) {
            return kept
        }
        let (certificate, key) = try Self.make(hosts.sorted(), now)
        let folder = try FileDescriptor(folder: folder)
        try folder.replace(Self.keyName, with: key)
        try folder.replace(Self.certificateName, with: certificate)
        return try TLSIdentity(chain: certificate, key: key, now: now)
    }

    private func kept(at time: Int64) throws -> TLSIdentity {
        let folder = try FileDescriptor(folder: folder)
        let texts = try [Self.certificateName, Self.keyName].map { name in
            Array(try FileDescriptor(name, in: folder, O_RDONLY | O_NONBLOCK).readToEnd(limit: 64 * 1024))
        }
        return try TLSIdentity(chain: texts[0], key: texts[1], now: time)
    }

    private static func make(_ hosts: [String], _ now: Int64) throws(CannotMake) -> (
        certificate: [UInt8], key: [UInt8]
    ) {
        let names = hosts.map { $0 == "localhost" ? "DNS:\($0)" : "IP:\($0)" }.joined(separator: ",")
        var certificate: UnsafeMutablePointer<CChar>?
        var key: UnsafeMutablePointer<CChar>?
        defer {
            na_certificate_free(certificate)
            na_certificate_free(key)
        }
        guard na_certificate_make(names, now - leeway, now + life, &certificate, &key) == 1, let certificate, let key
        else { throw CannotMake() }
        return (bytes(certificate), bytes(key))
    }

    private static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }
}
