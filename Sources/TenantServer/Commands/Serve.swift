// SPDX-License-Identifier: Apache-2.0

import Console
import Dispatch
import Glibc
import Processes
import Tenant

/// Opens the tenant to other programs over HTTP.
struct Serve: TenantCommand {
    var tenant = TenantDefaults.name
    var listen: String?
    var publicOrigin: String?
    var certificate: String?
    var key: String?
    var selfSigned = false
    var metrics: String?
    var log = LogFormat.off
    var logLevel = LogLevel.info
    var testMode = false

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
                "--public-origin", value: "URL", to: \.publicOrigin,
                help: "Where clients reach the tenant, if a proxy stands in between, as https://login.example.com."),
            .option(
                "--tls-cert", value: "FILE", to: \.certificate,
                help: "Answer over TLS with this certificate, in PEM, its issuers behind it."),
            .option("--tls-key", value: "FILE", to: \.key, help: "The certificate's key, in PEM, without a password."),
            .flag(
                "--tls-self-signed", to: \.selfSigned,
                help: "Answer over TLS with a certificate that the tenant makes and keeps."),
            .option(
                "--metrics", value: "HOST:PORT", to: \.metrics,
                help: "Answer /metrics, /readyz and /healthz there, in plain HTTP, and /metrics nowhere else."),
            .option("--log", value: "FORMAT", to: \.log, help: "Log requests to standard error: json, text or off."),
            .option("--log-level", value: "LEVEL", to: \.logLevel, help: "What is logged: error, info or debug."),
            .flag(
                "--unsafe-test-mode", to: \.testMode,
                help:
                    "Let tests know codes beforehand, move the clock, ask for faults and read a journal; never for people."
            ),
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

        /healthz says whether the server lives, and /readyz whether it may be sent requests. /metrics counts, for \
        Prometheus; it is on a loopback address only, or on that of --metrics. The log names no people and no secrets.

        A service manager may hand over the listening socket, and is told when the server is ready and when it stops. \
        SIGTERM and Ctrl-C let running requests finish, for up to ten seconds; a second one ends the server at once. With \
        TLS, SIGHUP has the server read its certificate again; connections that are open keep the former one.

        Mail is spooled; read it with 'nativeauth tenant inbox'. With the setting smtp_url it is sent instead, after the \
        answer that it belongs to, and again until its code is good no longer.
        """
    }

    func run(_ context: TenantContext) throws {
        try serve(context) { serving, protection, stops in wait(stops, serving, protection, context) }
    }

    /// Serves while `body` runs, and returns what it does.
    func serve<Value>(
        _ context: TenantContext, while body: (TenantServing, Protection, StopSignals) -> Value
    ) throws -> Value {
        ProcessStart.wipeFreedMemory()
        let access = try context.access(tenant)
        let now = Int64(time(nil))
        let protection = try Protection(certificate: certificate, key: key, selfSigned: selfSigned, now: now)
        let inherited = try InheritedListener(environment: context.environment, process: getpid())
        let manager = ServiceManager(environment: context.environment)
        ServiceManager.forgetVariables()
        let asked = try asked(inherited, protection)
        let publicOrigin = try publicOrigin.map { text throws(CommandFailure) in try Self.origin(text) }
        let operatorEndpoint = try metrics.map { text throws(CommandFailure) in try Self.endpoint(text) }
        let stops = StopSignals()

        let lock = try access.lock(waiting: context.wait)
        var provider = try access.open(origin: publicOrigin ?? origin(asked, protection)).keeping(
            Reserve(in: access.folder))
        guard provider.isSound else {
            throw TenantAccess.Refused.problem(.damaged(path: access.folder.databasePath))
        }
        let place = ListeningPlace(
            endpoint: try asked ?? usual(provider, publicOrigin, protection), inherited: inherited?.descriptor,
            publicOrigin: publicOrigin, operatorEndpoint: operatorEndpoint)
        if testMode { provider = try inTestMode(provider, at: place.endpoint, context) }
        let watch = Watch(log, logLevel, to: context.errors)
        let serving = try TenantServing(
            provider, at: place, protection, watch, in: access.folder, now: now, whenDiskIsLost: { stops.raise() })
        try lock.announce(serving.place)
        report(serving, protection, context)
        ProgramPages.giveBack()
        manager.isReady(at: serving.place.url)
        let minutes = keepingTime(of: provider)

        let value = body(serving, protection, stops)
        stops.endAtNext()
        manager.isStopping()
        minutes.cancel()
        try lock.withdraw()
        serving.stop()
        // On a disk that is full or fails, the time of the last minute has to do.
        try? provider.keepTime()
        guard !provider.hasLostDisk else {
            throw CommandFailure(
                .tryAgain, "The disk under \(access.folder.path.printable) fails, so nothing can be kept.",
                hint: "See what the system says about it, then start the server again.")
        }
        return value
    }

    /// Waits until the server has to stop. SIGHUP from a service manager has it read its certificate again, and so does
    /// one from a person where there is a certificate; where the terminal has gone, nobody is left to serve for.
    private func wait(
        _ stops: StopSignals, _ serving: TenantServing, _ protection: Protection, _ context: TenantContext
    ) {
        while stops.wait() == SIGHUP, protection.isEncrypted || !stops.hadTerminal, !stops.isTerminalGone {
            // It serves whether or not anybody reads this.
            try? context.errors.line(renewed(serving))
        }
    }

    /// What came of reading the certificate again, in a sentence.
    private func renewed(_ serving: TenantServing) -> String {
        let now = Int64(time(nil))
        do {
            let protection = try Protection(certificate: certificate, key: key, selfSigned: selfSigned, now: now)
            try serving.renew(protection, now: now)
            return protection.isEncrypted ? "The certificate was read again." : "There is no certificate to read again."
        } catch {
            let failure = error as? CommandFailure ?? CommandFailure(error)
            return "\(failure.message) The former certificate stays in use."
        }
    }

    /// Keeps the tenant's time every minute, for the next start.
    private func keepingTime(of provider: IdentityProvider) -> any DispatchSourceTimer {
        let minutes = DispatchSource.makeTimerSource(queue: .global())
        // What cannot be written now is written in a minute.
        minutes.setEventHandler { try? provider.keepTime() }
        minutes.schedule(deadline: .now() + 60, repeating: 60)
        minutes.resume()
        return minutes
    }

    /// Where the server was told to listen, by its flags or by the socket that it was handed.
    private func asked(
        _ inherited: InheritedListener?, _ protection: Protection
    ) throws(CommandFailure) -> HTTPServer.Endpoint? {
        guard let inherited else {
            return try listen.map { text throws(CommandFailure) in try endpoint(text, protection) }
        }
        guard listen == nil else {
            throw CommandFailure(
                .usage, "The service manager handed over a socket, and --listen names another address.",
                hint: "Leave --listen out, or the socket unit.")
        }
        return try checked(inherited.endpoint, protection)
    }

    /// What test mode does would be a hole in a tenant that strangers reach.
    private func inTestMode(
        _ provider: IdentityProvider, at place: HTTPServer.Endpoint, _ context: TenantContext
    ) throws -> IdentityProvider {
        guard place.isLoopback else {
            throw CommandFailure(
                .usage, "Test mode is for this machine alone, and '\(place)' can be reached from others.",
                hint: "Listen on a loopback address, as 127.0.0.1:8400.")
        }
        try context.errors.line(
            "TEST MODE: codes for addresses below .test are known, and tests control the clock. Not for people.")
        return provider.inTestMode()
    }

    /// Where the tenant listens that was not told where. What its addresses point to may be a proxy.
    private func usual(
        _ provider: IdentityProvider, _ publicOrigin: String?, _ protection: Protection
    ) throws(CommandFailure) -> HTTPServer.Endpoint {
        guard publicOrigin == nil else { return TenantServing.defaultEndpoint }
        return try endpoint(TenantServing.host(of: provider.currentSettings.origin), protection)
    }

    private static func origin(_ text: String) throws(CommandFailure) -> String {
        guard Settings.canBe(origin: text) else {
            throw CommandFailure(
                .usage, "'\(text.printable)' is not where a tenant can be reached.",
                hint: "Name scheme and host, as https://login.example.com; plain http is for this machine alone.")
        }
        return text
    }

    /// The tenant's addresses, if it has to be made.
    private func origin(_ asked: HTTPServer.Endpoint?, _ protection: Protection) -> String {
        let place = (asked ?? TenantServing.defaultEndpoint).address(for: protection.identity)
        let port = place.port == 0 ? TenantServing.defaultEndpoint.port : place.port
        return "\(protection.scheme)://\(HTTPServer.Endpoint(host: place.host, port: port))"
    }

    private func endpoint(_ text: String, _ protection: Protection) throws(CommandFailure) -> HTTPServer.Endpoint {
        try checked(try Self.endpoint(text), protection)
    }

    private static func endpoint(_ text: String) throws(CommandFailure) -> HTTPServer.Endpoint {
        do throws(HTTPServerError) {
            return try HTTPServer.Endpoint(text)
        } catch {
            throw CommandFailure(.usage, "\(error)".printable)
        }
    }

    /// The address, unless passwords would travel in the clear from there.
    private func checked(
        _ endpoint: HTTPServer.Endpoint, _ protection: Protection
    ) throws(CommandFailure) -> HTTPServer.Endpoint {
        if endpoint.isLoopback { return endpoint }
        if case .none = protection {} else { return endpoint }
        throw CommandFailure(
            .usage,
            "'\("\(endpoint)".printable)' can be reached from other machines, and passwords would travel there in plain HTTP.",
            hint: "Listen on a loopback address, as 127.0.0.1:8400, or use TLS: --tls-self-signed.")
    }

    /// It serves whether or not anybody reads this.
    private func report(_ serving: TenantServing, _ protection: Protection, _ context: TenantContext) {
        if case .selfSigned = protection, let path = serving.place.certificate {
            try? context.errors.line("Its certificate, for --ca-file: \(path.printable)")
        }
        if let endpoint = serving.operatorEndpoint {
            try? context.errors.line("Metrics at http://\(endpoint)/metrics")
        }
        try? context.errors.line("Serving tenant '\(tenant)' at \(serving.place.url)")
    }
}

extension Parameter {
    /// Which tenant is meant.
    static func tenant(to path: WritableKeyPath<Root, String>) -> Self {
        .option("--tenant", value: "NAME", to: path, help: "The tenant; '\(TenantDefaults.name)' by default.")
            .within(\.self, section: "Tenant")
    }
}
