// SPDX-License-Identifier: Apache-2.0

import CMicroHTTPD
import Tenant

/// A listening HTTP/1.1 server, over TLS where it has a certificate. Its handler runs on the connection's own thread and may block.
final class HTTPServer: Sendable {
    /// Where it listens, with the real port if any port was asked for.
    let endpoint: Endpoint

    /// Its functions lock what threads share, so it may be used from any of them.
    private nonisolated(unsafe) let server: OpaquePointer
    private let door: Door

    /// Listens, and answers requests from then on.
    ///
    /// - Parameter inherited: A socket that listens at the endpoint already; the server's own from now on.
    init(
        listen endpoint: Endpoint,
        inherited: Int32? = nil,
        limits: Limits = .standard,
        identity: TLSIdentity? = nil,
        handler: @escaping @Sendable (Request) -> Answer?
    ) throws(HTTPServerError) {
        let door = Door(handler: handler)
        var limits = limits.values
        var server: OpaquePointer?
        // The server's threads use the door without owning it. It lives at least as long as this object, and
        // this object ends with na_httpd_free, which returns when no thread of the server runs any more.
        let context = Unmanaged.passUnretained(door).toOpaque()
        let code = TLSIdentity.withValues(of: identity) { tls in
            na_httpd_start(
                &server, endpoint.host, endpoint.port, inherited ?? -1, &limits, tls, Door.enter, context)
        }
        guard let server else { throw HTTPServerError(code, at: endpoint) }
        self.door = door
        self.server = server
        self.endpoint = Endpoint(host: endpoint.host, port: na_httpd_port(server))
    }

    /// How many connections there are.
    var connections: Int { Int(na_httpd_connections(server)) }

    /// Shows another certificate to those who connect from now on. What is under way goes on under the former one.
    func renew(_ identity: TLSIdentity) throws(HTTPServerError) {
        let code = TLSIdentity.withValues(of: identity) { na_httpd_renew(server, $0) }
        guard code == 0 else { throw HTTPServerError(code, at: endpoint) }
    }

    deinit {
        na_httpd_free(server)
    }

    /// Stops accepting, lets running requests finish within the grace period, then closes; safe to call again.
    ///
    /// It returns when no handler runs any more, so a handler must not call it.
    func stop() {
        na_httpd_stop(server)
    }
}
