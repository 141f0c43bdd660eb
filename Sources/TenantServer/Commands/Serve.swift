// SPDX-License-Identifier: Apache-2.0

import Console
import Dispatch
import Glibc
import Tenant

/// Opens the tenant to other programs over HTTP.
struct Serve: TenantCommand {
    var tenant = TenantDefaults.name
    var listen: String?
    var certificate: String?
    var key: String?
    var selfSigned = false

    static let name = "serve"
    static let summary = "Answer over HTTP until told to stop"

    static var parameters: [Parameter<Serve>] {
        [
            .option(
                "--listen", value: "HOST:PORT", to: \.listen,
                help:
                    "Where to listen; port 0 picks a free one. Default: where the tenant's addresses point to, 127.0.0.1:8400."
            ),
            .option(
                "--tls-cert", value: "FILE", to: \.certificate,
                help: "Answer over TLS with this certificate, in PEM, its issuers behind it."),
            .option("--tls-key", value: "FILE", to: \.key, help: "The certificate's key, in PEM, without a password."),
            .flag(
                "--tls-self-signed", to: \.selfSigned,
                help: "Answer over TLS with a certificate that the tenant makes and keeps."),
            .tenant(to: \.tenant),
        ]
    }

    static var examples: [Example] {
        [
            Example("nativeauth tenant serve", "Serve on 127.0.0.1:8400 until Ctrl-C."),
            Example("nativeauth tenant serve --listen 127.0.0.1:0", "Pick a free port, and say which."),
            Example("nativeauth tenant serve --tls-self-signed", "Serve over https."),
        ]
    }

    static var discussion: String {
        """
        The URL is printed to standard error once the tenant answers. Other commands of this user notice that the tenant \
        is served, and turn to it.

        Without TLS the tenant listens on addresses of this machine alone. With --tls-self-signed, the line before the URL \
        names the certificate's file: other programs trust it as 'nativeauth --ca-file FILE' and 'curl --cacert FILE' do. \
        The certificate is for the address that is listened on, localhost, 127.0.0.1 and ::1; it is used again until a \
        month before its end, a year after it was made. TLS is of version 1.2 or 1.3.

        Mail is not sent but spooled; read it with 'nativeauth tenant inbox'.
        """
    }

    func run(_ context: TenantContext) throws {
        let access = try context.access(tenant)
        let now = Int64(time(nil))
        let protection = try Protection(certificate: certificate, key: key, selfSigned: selfSigned, now: now)
        let asked = try listen.map { text throws(CommandFailure) in try endpoint(text, protection) }
        let stops = StopSignals()

        let lock = try access.lock(waiting: context.wait)
        let provider = try access.open(origin: origin(asked, protection))
        let place = try asked ?? endpoint(TenantServing.host(of: provider.currentSettings.origin), protection)
        let serving = try TenantServing(provider, on: place, protection, in: access.folder, now: now)
        try lock.announce(serving.place)
        // What was left behind may take its time, and nobody waits for it here.
        DispatchQueue.global().async { provider.deliverWaiting() }
        report(serving, protection, context)

        stops.wait()
        try lock.withdraw()
        serving.stop()
    }

    /// The tenant's addresses, if it has to be made.
    private func origin(_ asked: HTTPServer.Endpoint?, _ protection: Protection) -> String {
        let place = (asked ?? TenantServing.defaultEndpoint).address(for: protection.identity)
        let port = place.port == 0 ? TenantServing.defaultEndpoint.port : place.port
        return "\(protection.scheme)://\(HTTPServer.Endpoint(host: place.host, port: port))"
    }

    private func endpoint(_ text: String, _ protection: Protection) throws(CommandFailure) -> HTTPServer.Endpoint {
        do throws(HTTPServerError) {
            let endpoint = try HTTPServer.Endpoint(text)
            if endpoint.isLoopback { return endpoint }
            if case .none = protection {} else { return endpoint }
        } catch {
            throw CommandFailure(.usage, "\(error)".printable)
        }
        throw CommandFailure(
            .usage,
            "'\(text.printable)' can be reached from other machines, and passwords would travel there in plain HTTP.",
            hint: "Listen on a loopback address, as 127.0.0.1:8400, or use TLS: --tls-self-signed.")
    }

    /// It serves whether or not anybody reads this.
    private func report(_ serving: TenantServing, _ protection: Protection, _ context: TenantContext) {
        if case .selfSigned = protection, let path = serving.place.certificate {
            try? context.errors.line("Its certificate, for --ca-file: \(path.printable)")
        }
        try? context.errors.line("Serving tenant '\(tenant)' at \(serving.place.url)")
    }
}

extension Parameter {
    /// Which tenant is meant.
    static func tenant(to path: WritableKeyPath<Root, String>) -> Self {
        .option("--tenant", value: "NAME", to: path, help: "The tenant; '\(TenantDefaults.name)' by default.")
    }
}
