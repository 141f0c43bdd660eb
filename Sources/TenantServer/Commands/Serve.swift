// SPDX-License-Identifier: Apache-2.0

import Console
import Dispatch
import Glibc
import Synchronization
import Tenant

/// Opens the tenant to other programs over HTTP.
struct Serve: TenantCommand {
    var tenant = TenantDefaults.name
    var listen: String?

    static let name = "serve"
    static let summary = "Answer over HTTP until told to stop"

    static var parameters: [Parameter<Serve>] {
        [
            .option(
                "--listen", value: "HOST:PORT", to: \.listen,
                help:
                    "Where to listen; port 0 picks a free one. Default: where the tenant's addresses point to, 127.0.0.1:8400."
            ),
            .tenant(to: \.tenant),
        ]
    }

    static var examples: [Example] {
        [
            Example("nativeauth tenant serve", "Serve on 127.0.0.1:8400 until Ctrl-C."),
            Example("nativeauth tenant serve --listen 127.0.0.1:0", "Pick a free port, and say which."),
        ]
    }

    static var discussion: String {
        """
        The URL is printed to standard error once the tenant answers. Other commands of this user notice that the tenant \
        is served, and turn to it.

        Mail is not sent but spooled; read it with 'nativeauth tenant inbox'.
        """
    }

    func run(_ context: TenantContext) throws {
        let access = try context.access(tenant)
        // Before any thread is started, so that all of them leave the signals to this one.
        var stops = sigset_t()
        sigemptyset(&stops)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&stops, signal) }
        pthread_sigmask(SIG_BLOCK, &stops, nil)

        let asked = try listen.map { text throws(CommandFailure) in try endpoint(text) }
        let origin = asked.map { $0.port == 0 ? TenantDefaults.origin : "http://\($0)" } ?? TenantDefaults.origin
        let lock = try access.lock(waiting: context.wait)
        let provider = try access.open(origin: origin)
        let server = try start(asked, provider)
        let url = "http://\(server.endpoint)/\(provider.currentSettings.tenantID)"
        try lock.announce(url: url)
        // What was left behind may take its time, and nobody waits for it here.
        DispatchQueue.global().async { provider.deliverWaiting() }
        // It serves whether or not anybody reads this.
        try? context.errors.line("Serving tenant '\(tenant)' at \(url)")

        var received: Int32 = 0
        sigwait(&stops, &received)
        try lock.withdraw()
        server.stop()
    }

    private func endpoint(_ text: String) throws(CommandFailure) -> HTTPServer.Endpoint {
        do throws(HTTPServerError) {
            let endpoint = try HTTPServer.Endpoint(text)
            if endpoint.isLoopback { return endpoint }
        } catch {
            throw CommandFailure(.usage, "\(error)".printable)
        }
        throw CommandFailure(
            .usage,
            "'\(text.printable)' can be reached from other machines, and passwords would travel there in plain HTTP.",
            hint: "Listen on a loopback address, as 127.0.0.1:8400.")
    }

    private func start(_ asked: HTTPServer.Endpoint?, _ provider: IdentityProvider) throws -> HTTPServer {
        let configured = provider.currentSettings.origin.split(separator: "//").last.map(String.init) ?? ""
        let endpoint = try asked ?? endpoint(configured)
        // The port is known only when the server listens, which is before the first answer's need of it.
        let served = Mutex(provider)
        do throws(HTTPServerError) {
            let server = try HTTPServer(listen: endpoint) { request in served.withLock { $0 }.answer(request) }
            served.withLock { $0 = provider.served(at: "http://\(server.endpoint)") }
            return server
        } catch {
            throw CommandFailure(
                .unavailable, "\(error)".printable, hint: "Stop what uses the port, or choose another with --listen.")
        }
    }
}

extension Parameter {
    /// Which tenant is meant.
    static func tenant(to path: WritableKeyPath<Root, String>) -> Self {
        .option("--tenant", value: "NAME", to: path, help: "The tenant; '\(TenantDefaults.name)' by default.")
    }
}

extension HTTPServer.Endpoint {
    /// Whether only this machine reaches it.
    fileprivate var isLoopback: Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }
}
