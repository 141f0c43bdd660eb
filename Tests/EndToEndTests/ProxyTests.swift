// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

/// A tenant behind a company's proxy and certificates. Every request ends in the tenant's refusal, which shows that it got
/// there.
@Suite("Proxies and certificates", .inTurns)
struct ProxyTests {
    let home: Home

    init() throws { home = try Home() }

    /// A tenant with a certificate of one's own making, and a proxy that wants a name and a password.
    private static let servers = """
        import base64, datetime, http.server, socket, ssl, sys, threading
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec

        folder, name, days = sys.argv[1], sys.argv[2], int(sys.argv[3])
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        now = datetime.datetime.utcnow()
        certificate = (x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key())
            .serial_number(1).not_valid_before(now - datetime.timedelta(days=9))
            .not_valid_after(now + datetime.timedelta(days=days))
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), False)
            .add_extension(x509.BasicConstraints(True, None), True).sign(key, hashes.SHA256()))
        with open(folder + "/ca.pem", "wb") as file:
            file.write(certificate.public_bytes(serialization.Encoding.PEM))
        with open(folder + "/key.pem", "wb") as file:
            file.write(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption()))

        class Quiet(http.server.BaseHTTPRequestHandler):
            def log_message(self, *words): pass
            def answer(self, status, body=b"", **fields):
                self.send_response(status)
                for field, value in fields.items(): self.send_header(field.replace("_", "-"), value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        class Tenant(Quiet):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                self.answer(400, b'{"error": "user_not_found", "error_codes": [50034]}', Content_Type="application/json")

        class Proxy(Quiet):
            def do_CONNECT(self):
                wanted = "Basic " + base64.b64encode(b"ada:s3cret").decode()
                if self.headers.get("Proxy-Authorization") != wanted:
                    return self.answer(407, Proxy_Authenticate='Basic realm="company"')
                print("CONNECT", self.path, flush=True)
                upstream = socket.create_connection(tenant.server_address)
                self.send_response(200)
                self.end_headers()
                threading.Thread(target=self.pump, args=(upstream, self.connection), daemon=True).start()
                self.pump(self.connection, upstream)
            def pump(self, source, target):
                try:
                    while data := source.recv(65536): target.sendall(data)
                    target.shutdown(socket.SHUT_WR)
                except OSError: pass

        tenant = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Tenant)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder + "/ca.pem", folder + "/key.pem")
        tenant.socket = context.wrap_socket(tenant.socket, server_side=True)
        threading.Thread(target=tenant.serve_forever, daemon=True).start()
        proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
        print("ports", proxy.server_port, tenant.server_port, "ready", flush=True)
        proxy.serve_forever()
        """

    private struct Company {
        let session: TerminalSession
        let proxy: String
        let tenant: String
    }

    private func company(certificateFor name: String, days: Int) async throws -> Company {
        let session = try TerminalSession.spawn(
            executable: "/usr/bin/python3",
            arguments: ["-W", "ignore", "-c", Self.servers, home.path, name, "\(days)"],
            environment: home.environment)
        try await session.expect("ports ", timeout: .seconds(60))
        let ports = try await session.expect(" ready").split(separator: " ").map(String.init)
        return Company(session: session, proxy: ports[0], tenant: ports[1])
    }

    private func signIn(
        at authority: String, _ flags: [String] = [], environment: [String: String?] = [:]
    ) async throws -> Run.Outcome {
        try await home.run(
            ["signin", "-u", "ada@example.com", "--authority", authority, "--client-id", "c"] + flags,
            environment: environment)()
    }

    private var authorities: [String] { ["--ca-file", home.path + "/ca.pem"] }

    @Test(
        "T85: a proxy with a name and a password is gone through, by CONNECT alone",
        arguments: ["HTTPS_PROXY", "ALL_PROXY"])
    func proxy(variable: String) async throws {
        let company = try await company(certificateFor: "tenant.example", days: 2)
        let right = "http://ada:s3cret@127.0.0.1:\(company.proxy)"
        let through = try await signIn(at: "https://tenant.example/t", authorities, environment: [variable: right])
        #expect(through.ending == .exit(77) && through.errors.contains("No account has this address."), "\(through)")
        try await company.session.expect("CONNECT tenant.example:443")
        let wrong = "http://ada:wrong-s3cret@127.0.0.1:\(company.proxy)"
        let refused = try await signIn(at: "https://tenant.example/t", authorities, environment: [variable: wrong])
        #expect(refused.ending == .exit(69) && refused.errors.contains("The proxy does not cooperate"), "\(refused)")
        #expect(!refused.errors.contains("s3cret"))
    }

    @Test("T85: this machine is never asked for through a proxy, and neither is a host that NO_PROXY names")
    func noProxy() async throws {
        let company = try await company(certificateFor: "localhost", days: 2)
        let port = try ClosedPort()
        let dead = ["HTTPS_PROXY": "http://127.0.0.1:\(port.number)"]
        let local = try await signIn(at: "https://localhost:\(company.tenant)/t", authorities, environment: dead)
        #expect(local.ending == .exit(77), "\(local)")
        let far = try await signIn(at: "https://tenant.invalid/t", authorities, environment: dead)
        #expect(far.ending == .exit(69), "\(far)")
        let direct = try await signIn(
            at: "https://tenant.invalid/t", authorities,
            environment: dead.merging(["NO_PROXY": "tenant.invalid"]) { $1 })
        #expect(direct.ending == .exit(68), "it is looked for in the network itself: \(direct)")
        withExtendedLifetime(port) {}
    }

    @Test(
        "T85: a certificate that is unknown, expired or another host's is refused, and no flag passes over that",
        arguments: [
            ("localhost", 2, false, 69), ("localhost", -1, true, 69), ("other.example", 2, true, 69),
            ("localhost", 2, true, 77),
        ])
    func certificate(name: String, days: Int, isKnown: Bool, status: Int32) async throws {
        let company = try await company(certificateFor: name, days: days)
        let outcome = try await signIn(at: "https://localhost:\(company.tenant)/t", isKnown ? authorities : [])
        #expect(outcome.ending == .exit(status), "\(outcome)")
        if status == 69 {
            #expect(outcome.errors.contains("certificate cannot be trusted") && outcome.errors.contains("--ca-file"))
        }
        let variable = try await signIn(
            at: "https://localhost:\(company.tenant)/t",
            environment: ["NATIVEAUTH_CA_FILE": isKnown ? authorities[1] : nil])
        #expect(variable.ending == outcome.ending, "\(variable)")
    }
}
