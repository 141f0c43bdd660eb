// SPDX-License-Identifier: Apache-2.0

import Console
import Files
import Glibc

/// What protects requests on their way to a tenant that is served.
enum Protection: Sendable {
    /// Nothing does: for clients on this machine.
    case none
    /// TLS, with a certificate that the tenant makes.
    case selfSigned
    /// TLS, with a certificate of the owner's.
    case certificate(TLSIdentity, path: String)

    /// The owner's certificate.
    var identity: TLSIdentity? {
        if case .certificate(let identity, _) = self { identity } else { nil }
    }

    var isEncrypted: Bool {
        if case .none = self { false } else { true }
    }

    var scheme: String { isEncrypted ? "https" : "http" }
}

extension Protection {
    /// What the flags ask for. The files are read and looked at now, before anything is made or opened.
    init(certificate: String?, key: String?, selfSigned: Bool, now: Int64) throws(CommandFailure) {
        switch (certificate, key, selfSigned) {
        case (nil, nil, false): self = .none
        case (nil, nil, true): self = .selfSigned
        case (let certificate?, let key?, false): self = try .certificate(in: certificate, keyIn: key, now)
        case (_, _, true):
            throw CommandFailure(
                .usage, "--tls-self-signed makes a certificate, and another one was named.",
                hint: "Leave --tls-self-signed out, or --tls-cert and --tls-key.")
        default:
            throw CommandFailure(
                .usage, "TLS takes both a certificate and its key.",
                hint: "Name them with --tls-cert and --tls-key, or use --tls-self-signed.")
        }
    }

    private static func certificate(in certificate: String, keyIn key: String, _ now: Int64) throws(CommandFailure)
        -> Protection
    {
        let texts = (chain: try read(certificate), key: try read(key))
        do throws(TLSIdentity.Fault) {
            let identity = try TLSIdentity(chain: texts.chain, key: texts.key, now: now)
            return .certificate(identity, path: absolute(certificate))
        } catch {
            throw CommandFailure(error, certificate: certificate.printable, key: key.printable)
        }
    }

    private static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
        do throws(FileError) {
            return Array(try FileDescriptor(path, O_RDONLY | O_NONBLOCK).readToEnd(limit: 1024 * 1024))
        } catch {
            throw CommandFailure(
                .missingInput,
                "Cannot \(error.operation) '\(path.printable)': \(String(cString: strerror(error.errno))).",
                hint: "Correct --tls-cert or --tls-key.")
        }
    }

    /// The path as other processes find it, wherever they run.
    private static func absolute(_ path: String) -> String {
        guard let found = realpath(path, nil) else { return path }
        defer { free(found) }
        return String(cString: found)
    }
}

extension CommandFailure {
    fileprivate init(_ fault: TLSIdentity.Fault, certificate: String, key: String) {
        let (message, hint) =
            switch fault {
            case .noCertificate:
                ("'\(certificate)' holds no certificate in PEM.", "Convert it: openssl x509 -in FILE -out cert.pem")
            case .noKey: ("'\(key)' holds no private key in PEM.", "Convert it: openssl pkey -in FILE -out key.pem")
            case .lockedKey:
                (
                    "The key in '\(key)' is encrypted, and nobody is asked for its password.",
                    "Decrypt it into a file of mode 0600: openssl pkey -in FILE -out key.pem"
                )
            case .otherKey:
                (
                    "The key in '\(key)' does not belong to the certificate in '\(certificate)'.",
                    "The server's own certificate has to be the first in the file."
                )
            case .early: ("The certificate in '\(certificate)' is not valid yet.", "Check this machine's clock.")
            case .over: ("The certificate in '\(certificate)' has expired.", "Renew it.")
            }
        self.init(.invalidData, message, hint: hint)
    }
}
