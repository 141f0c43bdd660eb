// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import Glibc
import NativeAuth

/// Looks at the way to a tenant on another machine, with one request for what everybody may read.
struct NetworkChecks {
    let profile: Profile
    let environment: [String: String]
    let time: TimeSource

    /// A clock that is wrong by more than this has valid tokens refused.
    private static let tolerance: TimeInterval = 300

    func run() async -> [Finding] {
        let findings = certificates() + proxy()
        // Behind a proxy, names are the proxy's business.
        if usesProxy { return findings + (await request()) }
        let name = await name()
        return findings + [name] + (name.level == .problem ? [] : await request())
    }

    // MARK: Certificates and the proxy

    private func certificates() -> [Finding] {
        guard let path = profile.caFile else { return [] }
        guard let data = FileManager.default.contents(atPath: path) else {
            return [.problem("CA file", "\(path) cannot be read.", "Correct --ca-file or NATIVEAUTH_CA_FILE.")]
        }
        guard String(decoding: data, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----") else {
            return [.problem("CA file", "\(path) holds no certificate in PEM.", "Convert it: openssl x509 -in …")]
        }
        return [.ok("CA file", "\(path) replaces the system's certificate authorities.")]
    }

    /// The variable that libcurl takes, and its value without a password.
    private var proxyVariable: (name: String, address: String)? {
        let scheme = profile.authority.url.scheme ?? "https"
        // HTTP_PROXY in upper case could come from a request's header in CGI programs, so libcurl leaves it.
        let names = [scheme + "_proxy"] + (scheme == "https" ? ["HTTPS_PROXY"] : []) + ["all_proxy", "ALL_PROXY"]
        guard let name = names.first(where: { environment[$0]?.isEmpty == false }), let value = environment[name] else {
            return nil
        }
        return (name, value.lastIndex(of: "@").map { "…" + value[$0...] } ?? value)
    }

    private var isExempt: Bool {
        let list = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        let host = profile.authority.host.lowercased()
        return list.split(whereSeparator: { $0 == "," || $0 == " " }).contains { entry in
            let name = entry.lowercased().drop { $0 == "." }
            return name == "*" || host == name || host.hasSuffix("." + name)
        }
    }

    private var usesProxy: Bool { proxyVariable != nil && !isExempt && !isLoopback }

    private var isLoopback: Bool {
        let host = profile.authority.host
        return host == "localhost" || host == "::1" || host == "[::1]" || host.hasPrefix("127.")
    }

    private func proxy() -> [Finding] {
        guard let (name, address) = proxyVariable else { return [.ok("proxy", "None is set.")] }
        if isLoopback { return [.ok("proxy", "\(name) is not used for this machine.")] }
        if isExempt { return [.ok("proxy", "\(name) is set, and NO_PROXY exempts \(profile.authority.host).")] }
        return [.note("proxy", "Requests go through \(address), by \(name).")]
    }

    // MARK: The name and the server

    private func name() async -> Finding {
        let host = profile.authority.host
        let code = await Task.detached { Self.resolve(host) }.value
        if code == 0 { return .ok("DNS", "\(host) is known.") }
        return .problem(
            "DNS", "\(host) is not known: \(String(cString: gai_strerror(code))).",
            "Check --authority, the network, and /etc/resolv.conf.")
    }

    private static func resolve(_ host: String) -> Int32 {
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host, nil, nil, &list)
        freeaddrinfo(list)
        return code
    }

    private func request() async -> [Finding] {
        let configuration = Configuration(
            authority: profile.authority, clientID: profile.clientID, connectTimeout: .seconds(5),
            timeout: .seconds(10),
            caFile: profile.caFile)
        let url = profile.authority.selfDescription
        let start = time.now()
        do throws(TransportFailure) {
            let response = try await CurlTransport(configuration).send(HTTPRequest(method: "GET", url: url))
            let middle = start.addingTimeInterval(time.now().timeIntervalSince(start) / 2)
            return [answer(response.status)] + clock(response.headers["date"], at: middle)
        } catch {
            let failure = CommandFailure(AuthError(.network(error.problem), message: error.message))
            return [.problem("tenant", failure.message, failure.hint ?? "Try again later.")]
        }
    }

    private func answer(_ status: Int) -> Finding {
        if status == 200 { return .ok("tenant", "\(profile.authority) answers.") }
        return .problem(
            "tenant", "\(profile.authority) answers HTTP \(status), and does not describe itself.",
            "Check --authority: the tenant's name or id may be wrong.")
    }

    private func clock(_ date: String?, at now: Date) -> [Finding] {
        guard let date, let theirs = HTTPDate.parse(date) else { return [] }
        let ahead = Int(now.timeIntervalSince(theirs).rounded())
        // The header has whole seconds, and was written before it came.
        if abs(ahead) <= 2 { return [.ok("clock", "This machine's clock agrees with the tenant's.")] }
        let text = "This machine's clock is \(abs(ahead)) seconds \(ahead > 0 ? "ahead of" : "behind") the tenant's."
        if TimeInterval(abs(ahead)) <= Self.tolerance { return [.note("clock", text)] }
        return [.problem("clock", text, "Set the clock: sudo timedatectl set-ntp true")]
    }
}
