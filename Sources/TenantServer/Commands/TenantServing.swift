// SPDX-License-Identifier: Apache-2.0

import Console
import Synchronization
import Tenant

/// A tenant that answers at an address.
struct TenantServing {
    /// What other processes of this user have to know.
    let place: ServedPlace
    private let server: HTTPServer

    /// Listens, and answers from then on. To be called by the holder of the tenant's lock only.
    init(
        _ provider: IdentityProvider, on endpoint: HTTPServer.Endpoint, _ protection: Protection,
        in folder: TenantFolder, now: Int64
    ) throws {
        let (identity, certificate) = try protection.identity(for: endpoint, in: folder, now: now)
        // The port is known only when the server listens, which is before the first answer's need of it.
        let served = Mutex(provider)
        do throws(HTTPServerError) {
            server = try HTTPServer(listen: endpoint, identity: identity) { request in
                served.withLock { $0 }.answer(request)
            }
        } catch {
            throw CommandFailure(error)
        }
        let origin = "\(protection.scheme)://\(server.endpoint.address(for: identity))"
        served.withLock { $0 = provider.served(at: origin) }
        place = ServedPlace(url: "\(origin)/\(provider.currentSettings.tenantID)", certificate: certificate)
    }

    func stop() { server.stop() }

    /// Where a tenant listens that was not told where: what its default addresses point to.
    static let defaultEndpoint = HTTPServer.Endpoint(host: "127.0.0.1", port: 8400)

    /// Host and port of an origin.
    static func host(of origin: String) -> String {
        origin.split(separator: "//").last.map(String.init) ?? ""
    }
}

extension Protection {
    /// The certificate to answer with, and the file that clients on this machine find it in.
    fileprivate func identity(
        for endpoint: HTTPServer.Endpoint, in folder: TenantFolder, now: Int64
    ) throws -> (TLSIdentity?, file: String?) {
        switch self {
        case .none: return (nil, nil)
        case .certificate(let identity, let path): return (identity, path)
        case .selfSigned:
            let own = SelfSigned(folder: folder.path)
            return (try own.identity(for: endpoint.host, now: now), own.certificatePath)
        }
    }
}

extension HTTPServer.Endpoint {
    /// Whether only this machine reaches it.
    var isLoopback: Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    /// Host and port as clients should name them: no client goes to "any address", and none goes where the certificate
    /// is not for.
    func address(for identity: TLSIdentity?) -> Self {
        let reachable = host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "::1" : host
        guard let identity, !identity.covers(reachable), let name = identity.name else {
            return Self(host: reachable, port: port)
        }
        return Self(host: name, port: port)
    }
}

extension CommandFailure {
    fileprivate init(_ error: HTTPServerError) {
        switch error {
        case .certificateRefused: self.init(.invalidData, "\(error)", hint: "Use an RSA, an EC or an Ed25519 key.")
        case .noTLS: self.init(.unavailable, "\(error)", hint: "Install one with GnuTLS: apt install libmicrohttpd12")
        default:
            self.init(
                .unavailable, "\(error)".printable, hint: "Stop what uses the port, or choose another with --listen.")
        }
    }
}
