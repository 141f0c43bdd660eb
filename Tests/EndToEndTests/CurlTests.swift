// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import Synchronization
import TenantTesting
import TerminalTesting
import Testing

@Suite("nativeauth curl", .inTurns)
struct CurlTests {
    let home: Home

    init() throws { home = try Home() }

    @Test("the token reaches the server, and is in no argument list, environment or file while curl waits")
    func discreet() async throws {
        try await home.signUp("ada@example.com")
        let token = try await home.token()
        let seen = Mutex<[String]?>(nil)
        let server = try ReceiverSocket { peer in
            guard peer.request() != nil else { return }
            // curl waits for the answer now.
            let places = TokenSight.places(of: token)
            seen.withLock { $0 = places }
            peer.send(ReceiverSocket.answer("200 OK", "orders"))
        }
        var run = home.run(["curl", "\(server.origin)/orders", "-sS", "--data-binary", "@-"])
        run.input = .text("a body\0 from standard input")
        let outcome = try await run()
        #expect(outcome.ending == .exit(0) && outcome.output == "orders" && outcome.errors.isEmpty, "\(outcome)")
        #expect(seen.withLock { $0 } == [])
        #expect(server.authorizations == ["Bearer \(token)"])
        #expect(server.requests.first?.hasSuffix("\r\n\r\na body\0 from standard input") == true)
        #expect(TokenSight.files(with: token, below: home.path) == [".config/nativeauth/accounts/local.json"])
    }

    @Test("the search finds what curl's own flag shows")
    func searchWorks() async throws {
        let token = "seen-\(UUID().uuidString)"
        let seen = Mutex<[String]>([])
        let server = try ReceiverSocket { peer in
            guard peer.request() != nil else { return }
            let places = TokenSight.places(of: token)
            seen.withLock { $0 = places }
            peer.send(ReceiverSocket.answer("200 OK"))
        }
        _ = try await home.curl(server.origin, "-H", "Authorization: Bearer \(token)")
        #expect(seen.withLock { $0 }.contains { $0.hasSuffix("/cmdline") })
    }

    @Test("the exit code is curl's, its options are untouched, and --json is curl's after the URL")
    func options() async throws {
        try await home.signUp("ada@example.com")
        let server = try ReceiverSocket.answering(ReceiverSocket.answer("404 Not Found", "no"))
        let failed = try await home.nativeauth(
            "curl", "--min-validity", "1m", server.origin, "-sf", "--json", "{\"a\": 1}")
        #expect(failed.ending == .exit(22) && failed.output.isEmpty && failed.errors.isEmpty, "\(failed)")
        #expect(server.requests.first?.hasSuffix("{\"a\": 1}") == true)
        let port = try ClosedPort()
        let refused = try await home.nativeauth("curl", "http://127.0.0.1:\(port.number)/", "-s")
        #expect(refused.ending == .exit(7), "\(refused)")
        withExtendedLifetime(port) {}
        let code = try await home.nativeauth(
            "curl", server.origin, "-q", "-sS", "-o", "/dev/null", "-w", "%{http_code}")
        #expect(code.output == "404", "\(code)")
    }

    @Test("a signal to the command is one to curl")
    func signals() async throws {
        try await home.signUp("ada@example.com")
        let (requests, arrival) = AsyncStream<Void>.makeStream()
        let (ends, end) = AsyncStream<Void>.makeStream()
        let server = try ReceiverSocket { peer in
            guard peer.request() != nil else { return }
            arrival.yield()
            peer.waitForEnd()
            end.yield()
        }
        let session = try home.session("curl", server.origin, "-sS")
        for await _ in requests { break }
        await session.signal(15)
        #expect(try await session.finish() == .signal(15))
        for await _ in ends { break }
    }

    @Test(
        "files of curl's have the modes they always have, ~/.curlrc holds unless -q says otherwise, --next has no token"
    )
    func customs() async throws {
        try await home.signUp("ada@example.com")
        let token = try await home.token()
        let server = try ReceiverSocket.answering(ReceiverSocket.answer("200 OK", "x"))
        let mode = try await home.shell(
            "umask 022; cd \"$HOME\"; nativeauth curl \(server.origin)/ -sS -o public; stat -c %a public")
        #expect(mode.output == "644\n", "\(mode)")
        try home.write(".curlrc", "header = \"X-From: curlrc\"\n")
        for options in [["-sS"], ["-sS", "-q"], ["-sS", "--next", "-sS", server.origin]] {
            let outcome = try await home.run(["curl", server.origin] + options)()
            #expect(outcome.ending == .exit(0), "\(outcome)")
        }
        let bearer = "Bearer \(token)"
        #expect(server.authorizations == [bearer, bearer, bearer, bearer, "none"])
        let marked = server.requests.map { $0.contains("X-From: curlrc") }
        #expect(marked == [false, true, false, true, false])
    }

    /// A server with a certificate of its own that sends everybody on to plain http.
    private static let redirector = """
        import http.server, ssl, sys
        class Door(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(302)
                self.send_header("Location", sys.argv[2])
                self.end_headers()
            def log_message(self, *words):
                print("token", "Bearer" in self.headers.get("Authorization", ""), flush=True)
        door = http.server.HTTPServer(("127.0.0.1", 0), Door)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1])
        door.socket = context.wrap_socket(door.socket, server_side=True)
        print("port", door.server_port, flush=True)
        door.serve_forever()
        """

    @Test("a redirect from https to plain http is not followed: 1")
    func downgrade() async throws {
        try await home.signUp("ada@example.com")
        let server = try ReceiverSocket.answering(ReceiverSocket.answer("200 OK"))
        let made = try await home.shell(
            """
            cd "$HOME" && openssl req -x509 -newkey rsa:2048 -nodes -keyout key -out cert -days 2 -subj /CN=localhost \
                -addext subjectAltName=DNS:localhost 2>/dev/null && cat key cert >both
            """)
        #expect(made.ending == .exit(0), "\(made)")
        let door = try TerminalSession.spawn(
            executable: "/usr/bin/python3", arguments: ["-c", Self.redirector, home.path + "/both", server.origin],
            environment: home.environment, directory: home.path)
        try await door.expect("port ", timeout: .seconds(60))
        let port = try await door.expect("\r\n").dropLast()
        let outcome = try await home.nativeauth(
            "curl", "localhost:\(port)", "-sSL", "--cacert", home.path + "/cert")
        #expect(outcome.ending == .exit(1) && outcome.errors.contains("Protocol \"http\" not supported"), "\(outcome)")
        try await door.expect("token True")
        #expect(server.accepted == 0)
        await door.signal(9)
        _ = try await door.finish()
    }

    @Test("a redirect to another host, port or protocol does not get the token; on the same host it does")
    func redirects() async throws {
        try await home.signUp("ada@example.com")
        let other = try ReceiverSocket.answering(ReceiverSocket.answer("200 OK", "other"))
        let server = try ReceiverSocket { [port = other.port] peer in
            let targets = [
                "/away": "http://127.0.0.1:\(port)/", "/name": "http://localhost:\(port)/", "/same": "/end",
            ]
            guard let path = peer.request()?.split(separator: " ").dropFirst().first else { return }
            guard let target = targets[String(path)] else {
                return _ = peer.send(ReceiverSocket.answer("200 OK", "end"))
            }
            peer.send(ReceiverSocket.answer("302 Found", header: "Location: \(target)\r\n"))
        }
        let token = try await home.token()
        for path in ["/away", "/name"] {
            let outcome = try await home.nativeauth("curl", server.origin + path, "-sSL")
            #expect(outcome.ending == .exit(0) && outcome.output == "other", "\(outcome)")
        }
        #expect(other.authorizations == ["none", "none"])
        #expect(try await home.nativeauth("curl", server.origin + "/same", "-sSL").output == "end")
        #expect(server.authorizations == Array(repeating: "Bearer \(token)", count: 4))
        try home.write(".curlrc", "location-trusted\n")
        #expect(try await home.nativeauth("curl", server.origin + "/away", "-sSL").output == "other")
        #expect(other.authorizations.last == "none", "what ~/.curlrc says does not hand it on")
        let trusted = try await home.nativeauth("curl", server.origin + "/away", "--location-trusted")
        #expect(trusted.ending == .exit(64) && trusted.errors.contains("would hand the token to whatever host"))
    }

    @Test("a proxy of the environment does not see what is for this machine")
    func proxy() async throws {
        try await home.signUp("ada@example.com")
        let proxy = try ReceiverSocket.answering(ReceiverSocket.answer("200 OK", "proxy"))
        let server = try ReceiverSocket.answering(ReceiverSocket.answer("200 OK", "server"))
        let outcome = try await home.nativeauth(
            "curl", server.origin, "-sS", environment: ["http_proxy": proxy.origin, "all_proxy": proxy.origin])
        #expect(outcome.output == "server" && proxy.accepted == 0, "\(outcome)")
    }

    @Test("plain http gets no token, however it comes; --allow-http allows it")
    func plainHTTP() async throws {
        try await home.signUp("ada@example.com")
        for words in [["http://example.invalid/"], ["http://localhost/", "http://example.invalid/"]] {
            let outcome = try await home.run(["curl"] + words)()
            #expect(
                outcome.ending == .exit(64) && outcome.errors.contains("plain http would show the token"), "\(outcome)")
        }
        // A URL that only curl sees.
        let server = try ReceiverSocket.answering(ReceiverSocket.answer("200 OK"))
        let hidden = try home.write("curl.conf", "url = \"\(server.origin)/\"\n")
        let outcome = try await home.nativeauth("curl", "https://127.0.0.1:1/", "-sS", "-K", hidden)
        #expect(outcome.errors.contains("Protocol \"http\" not supported or disabled"), "\(outcome)")
        #expect(server.accepted == 0)
        let allowed = try await home.nativeauth(
            "curl", "--allow-http", "http://api.example.com/", "-sS", "--connect-to", "::127.0.0.1:\(server.port)")
        #expect(allowed.ending == .exit(0), "\(allowed)")
        let token = try await home.token()
        #expect(server.authorizations == ["Bearer \(token)"])
    }

    @Test("127 without curl, 4 without an account, and nothing is sent then")
    func endings() async throws {
        let server = try ReceiverSocket.answering(ReceiverSocket.answer("200 OK"))
        let nobody = try await home.nativeauth("curl", server.origin)
        #expect(nobody.ending == .exit(4) && nobody.errors.contains("Nobody is signed in"), "\(nobody)")
        let json = try await home.nativeauth("curl", server.origin, "--json", "{}")
        #expect(json.errors == nobody.errors, "--json is curl's there")
        let program = try BuiltProgram.path("nativeauth")
        let absent = try await Run(
            program, ["curl", server.origin], environment: home.environment(["PATH": "/nonexistent"]))()
        #expect(
            absent.ending == .exit(127) && absent.errors.contains("The program 'curl' is not on PATH."), "\(absent)")
        #expect(server.accepted == 0)
    }
}
