// SPDX-License-Identifier: Apache-2.0

import Console
import Dispatch
import Synchronization
import Tenant

/// The tenant that is served, as it is now: calls of its owner change it.
private final class ServedTenant: Sendable {
    private let tenant: Mutex<OpenTenant>

    init(_ tenant: OpenTenant) {
        self.tenant = Mutex(tenant)
    }

    var current: OpenTenant { tenant.withLock { $0 } }

    func reached(at origin: String) {
        tenant.withLock { $0 = OpenTenant($0.provider.served(at: origin), in: $0.folder) }
    }

    func reload() throws {
        try tenant.withLock { tenant in
            let folder = tenant.folder
            tenant = OpenTenant(try folder.reload(tenant.provider), in: folder)
            try folder.updateCard(of: tenant.provider)
        }
    }
}

/// Where a server listens.
struct ListeningPlace: Sendable {
    var endpoint: HTTPServer.Endpoint
    /// A socket that listens there already.
    var inherited: Int32?
    /// Where clients reach it through a proxy: scheme, host and port.
    var publicOrigin: String?
    /// Another place for the operator alone.
    var operatorEndpoint: HTTPServer.Endpoint?
}

/// A tenant that answers at an address.
struct TenantServing {
    /// What other processes of this user have to know.
    let place: ServedPlace
    private let server: HTTPServer
    private let tenant: ServedTenant
    private let desk: AdminDesk
    private let mail: Outgoing
    /// The operator's own listener, if there is one.
    private let watched: HTTPServer?
    private let watch: Watch
    private let folder: TenantFolder
    private let others: OtherServers?

    /// Listens, and answers from then on. To be called by the holder of the tenant's lock only.
    init(
        _ provider: IdentityProvider, at place: ListeningPlace, _ protection: Protection, _ watch: Watch,
        in folder: TenantFolder, now: Int64, whenDiskIsLost: @escaping @Sendable () -> Void
    ) throws {
        let endpoint = place.endpoint
        let (identity, certificate) = try protection.identity(for: endpoint, in: folder, now: now)
        // The port is known only when the server listens, which is before the first answer's need of it.
        let bells = Outgoing.Bells()
        let told = folder.settlingLater(provider).ringing(bells.ring).observed(by: watch.note)
        let served = ServedTenant(OpenTenant(told, in: folder))
        let door = OperatorDoor(metrics: watch.metrics) { watch.facts(of: served.current.provider, $0) }
        let reach: OperatorDoor.Reach = place.operatorEndpoint == nil && endpoint.isLoopback ? .everything : .health
        self.watch = watch
        tenant = served
        self.folder = folder
        do throws(HTTPServerError) {
            server = try HTTPServer(listen: endpoint, inherited: place.inherited, identity: identity) { request in
                if let answer = door.answer(request, reach) { return answer }
                let provider = served.current.provider
                defer { if provider.hasLostDisk { whenDiskIsLost() } }
                return provider.answerOrFail(request)
            }
            watched = try place.operatorEndpoint.map { endpoint throws(HTTPServerError) in
                try HTTPServer(listen: endpoint) { request in door.answerAlone(request) }
            }
        } catch {
            throw CommandFailure(error)
        }
        let origin = "\(protection.scheme)://\(server.endpoint.address(for: identity))"
        served.reached(at: place.publicOrigin ?? origin)
        watch.watch(server)
        self.place = ServedPlace(url: "\(origin)/\(provider.currentSettings.tenantID)", certificate: certificate)
        desk = try AdminDesk(in: folder)
        mail = Outgoing(bells) { served.current.provider }
        others = try OtherServers(of: provider) { try served.reload() }
        let desk = desk
        DispatchQueue(label: "desk").async { desk.run({ served.current }, reload: { try served.reload() }) }
    }

    /// Where the operator is answered, if that is another address.
    var operatorEndpoint: HTTPServer.Endpoint? { watched?.endpoint }

    /// Shows the certificate of this protection to those who connect from now on.
    func renew(_ protection: Protection, now: Int64) throws {
        guard let identity = try protection.identity(for: server.endpoint, in: folder, now: now).0 else { return }
        do throws(HTTPServerError) { try server.renew(identity) } catch { throw CommandFailure(error) }
    }

    /// Lets running requests finish. The operator is answered to the end.
    func stop() {
        watch.stop()
        others?.stop()
        desk.stop()
        server.stop()
        mail.stop()
        // What the disk does not take now is delivered again after the next start.
        try? tenant.current.provider.settleSpool()
        watched?.stop()
        watch.finish()
    }

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
