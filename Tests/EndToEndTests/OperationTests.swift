// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import ProgramTesting
import TerminalTesting
import Testing

@Suite("A server, as its operator meets it", .inTurns)
struct OperationTests {
    let home: Home

    init() throws { home = try Home() }

    private var tenantProgram: String {
        get throws { try BuiltProgram.path("nativeauth-tenant") }
    }

    private func status(_ url: String) async throws -> String {
        try await Run(
            "/usr/bin/curl", ["-s", "-o", "/dev/null", "--max-time", "60", "-w", "%{http_code}", url],
            environment: home.environment)().output
    }

    private func origin(_ url: String) -> String { url.split(separator: "/").prefix(2).joined(separator: "//") }

    @Test("a service manager hands over the socket, hears of its readiness and its end, and can start it again")
    func socketActivation() async throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().path + "/../Support/service.py"
        let outcome = try await Run(
            "/usr/bin/python3", [script, home.path, tenantProgram, "serve"], environment: home.environment)()
        try #require(outcome.ending == .exit(0), "\(outcome)")
        let seen = try object(outcome.output)
        let port = try #require(seen["port"] as? Int)
        let lives = try #require(seen["lives"] as? [[String: Any]])
        #expect(lives.count == 2)
        for life in lives {
            let said = try #require(life["said"] as? [[String]])
            #expect(said.first?.first == "READY=1" && said.last?.first == "STOPPING=1")
            #expect(said.first?.last?.hasPrefix("STATUS=Serving at http://127.0.0.1:\(port)/") == true)
            #expect(life["answer"] as? String == #"{"status":"ready"}"#)
            #expect(life["status"] as? Int == 0)
        }
    }

    @Test("a socket that cannot be served is refused before anything is made")
    func badSockets() async throws {
        let home = try Home(.fresh)
        let program = try tenantProgram
        for (variables, more, code) in [
            ("LISTEN_FDS=2", "", 78), ("LISTEN_FDS=1", " 3</dev/null", 78), ("LISTEN_FDS=1", " 3<&-", 78),
        ] {
            let outcome = try await home.shell("LISTEN_PID=$$ \(variables) exec \(program) serve\(more)")
            #expect(outcome.ending == .exit(Int32(code)), "\(outcome)")
        }
        #expect(home.names(in: home.path) == [])
    }

    @Test("health, readiness and metrics are there, without a word about people")
    func metrics() async throws {
        let server = try await home.serve()
        try await home.signUp("ada@example.com")
        let origin = origin(server.url)
        #expect(try await home.curl(origin + "/healthz") == #"{"status":"alive"}"#)
        #expect(try await home.curl(origin + "/readyz") == #"{"status":"ready"}"#)
        let text = try await home.curl(origin + "/metrics")
        #expect(text.contains(#"nativeauth_sign_ins_total{result="ok"} 1"#))
        #expect(text.contains("\nnativeauth_connections ") && text.contains("\nprocess_resident_memory_bytes "))
        #expect(!text.contains("ada@") && !text.contains("example"))
        try await server.stop()
    }

    @Test("with an address of their own, metrics are nowhere else; there the end can be watched")
    func ownListener() async throws {
        let session = try TerminalSession.spawn(
            executable: tenantProgram,
            arguments: ["serve", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0"], environment: home.environment,
            directory: home.path)
        try await session.expect("Metrics at ", timeout: .seconds(60))
        let watched = String(try await session.expect("\r\n").dropLast())
        try await session.expect("Serving tenant 'local' at ")
        let url = String(try await session.expect("\r\n").dropLast())
        #expect(try await status(origin(url) + "/metrics") == "404")
        #expect(try await status(origin(url) + "/readyz") == "200")
        #expect(try await status(watched) == "200")
        #expect(try await status(origin(watched) + "/readyz") == "200")
        #expect(try await status(origin(watched) + "/local/discovery/v2.0/keys") == "404")

        // A request that does not come to its end keeps the server for ten seconds, or until it is told twice.
        let port = try #require(UInt16(url.split(separator: ":")[2].prefix { $0.isNumber }))
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(client) }
        let half =
            "POST /local/oauth2/v2.0/token HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n"
        #expect(connectToLoopback(client, port) && send(client, half, half.utf8.count, Int32(MSG_NOSIGNAL)) > 0)
        var piece = [UInt8](repeating: 0, count: 64)
        #expect(recv(client, &piece, piece.count, 0) > 0, "the head has been read")
        await session.signal(SIGTERM)
        var code = ""
        repeat { code = try await status(origin(watched) + "/readyz") } while code == "200"
        #expect(code == "503")
        #expect(try await status(origin(watched) + "/healthz") == "200")
        await session.signal(SIGTERM)
        #expect(try await session.finish(timeout: .seconds(8)) == .signal(SIGTERM))
        // Nothing is left behind that would keep the next one from starting.
        let again = try await home.serve()
        try await again.stop()
    }

    @Test("Rules 14 and 125: the log is JSON, line by line, and holds neither names nor secrets")
    func log() async throws {
        let log = home.path + "/log"
        let outcome = try await home.shell(
            """
            exec 2>/dev/null
            nativeauth-tenant serve --listen 127.0.0.1:0 --log json --log-level debug 2>"\(log)" &
            lock="$HOME/.local/share/nativeauth/tenants/local/tenant.lock"
            until [ -s "$lock" ]; do kill -0 $! || exit 9; done
            nativeauth signup --username ada@example.com --password-file '\(try home.passwordFile())' \
                --attribute country=Norway --otp-command 'nativeauth tenant inbox --code --to ada@example.com | tee -a codes'
            nativeauth token > token
            url=$(nativeauth tenant config get authority)
            curl -s "$url/oauth2/v2.0/logout?id_token_hint=hush" -H "client-request-id: x" -o /dev/null
            kill $!
            wait $!
            """.replacingOccurrences(of: "codes", with: home.path + "/codes").replacingOccurrences(
                of: "> token", with: "> \(home.path)/token"))
        #expect(outcome.ending == .exit(0), "\(outcome)")
        let text = try #require(home.read(log))
        let lines = text.split(separator: "\n")
        let own = lines.filter { !$0.hasPrefix("{") }
        #expect(own.count == 1 && own[0].hasPrefix("Serving tenant "), "\(own)")
        let objects = try lines.filter { $0.hasPrefix("{") }.map { try object(String($0)) }
        let events = objects.compactMap { $0["events"] as? [String] }.flatMap { $0 }
        #expect(events == ["sign_up", "sign_in"])
        #expect(objects.contains { $0.string("endpoint") == "/oauth2/v2.0/logout" && $0["status"] as? Int == 400 })
        let code = try #require(home.read(home.path + "/codes")).trimmingCharacters(in: .whitespacesAndNewlines)
        let token = try #require(home.read(home.path + "/token")).trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(code.count == 8 && token.count > 100)
        for secret in [code, token, Home.password, "ada@", "hush"] { #expect(!text.contains(secret)) }
    }

    @Test("keys, secrets of APIs and the audit trail can be used while the tenant is served, and while it is not")
    func administration() async throws {
        let api = "5a3d1e00-0000-4000-8000-00000000a001"
        let server = try await home.serve()
        try await home.signUp("ada@example.com")
        let access = try await home.succeed("token", "--scope", "api://sample/Orders.Read").trimmingCharacters(
            in: .newlines)
        let secret = try await home.succeed("tenant", "api", "secret", api).trimmingCharacters(in: .newlines)
        let endpoint = try #require(try await home.discovery(server.url).string("introspection_endpoint"))
        let facts = try object(
            try await home.curl(endpoint, "-u", "\(api):\(secret)", "--data-urlencode", "token=\(access)"))
        #expect(facts["active"] as? Bool == true && facts.string("username") == "ada@example.com")

        let before = try object(try await home.succeed("tenant", "key", "list", "--json"))
        let kid = try #require((before["keys"] as? [[String: Any]])?.first?.string("kid"))
        #expect(before["schema"] as? Int == 1)
        let next = try await home.succeed("tenant", "key", "rotate")
        #expect(next.contains("\tnext\tsigns from "))
        let rotated = try object(try await home.succeed("tenant", "key", "rotate", "--now", "--json"))
        let states = try #require(rotated["keys"] as? [[String: Any]]).map { $0.string("state") }
        #expect(states == ["retired", "current"])
        // The client meets a key that it has not seen, and goes on.
        try await home.succeed("token", "--force-refresh")
        #expect(try await home.curl(server.url + "/discovery/v2.0/keys").contains(kid))
        try await server.stop()

        #expect(try await home.succeed("tenant", "key", "list").split(separator: "\n").count == 2)
        let trail = try object(try await home.succeed("tenant", "audit", "--json"))
        let events = try #require(trail["events"] as? [[String: Any]]).compactMap { $0.string("event") }
        #expect(events == ["sign_up", "sign_in", "administration", "key_rotation", "key_rotation"])
        #expect(try await home.succeed("tenant", "audit", "--limit", "1").hasSuffix("\n"))
        #expect(try await home.succeed("tenant", "audit", "--since", "2999-01-01T00:00:00Z").isEmpty)
        #expect(try await home.nativeauth("tenant", "audit", "--since", "yesterday").ending == .exit(64))
        let unknown = try await home.nativeauth("tenant", "api", "secret", "nobody")
        #expect(unknown.ending == .exit(65), "\(unknown)")
    }

    @Test("Rule 130: the unit that comes with it leaves the service little to do harm with")
    func unit() async throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().path + "/../../docs/systemd/"
        let exposure = try await home.shell(
            "systemd-analyze security --offline=yes --threshold=20 '\(folder)nativeauth-tenant.service' | tail -n 1")
        #expect(exposure.output.contains("Overall exposure level for nativeauth-tenant.service: 1."), "\(exposure)")
        let text = try #require(home.read(folder + "nativeauth-tenant.service"))
        for line in ["Type=notify", "DynamicUser=yes", "NoNewPrivileges=yes", "ProtectSystem=strict", "LimitCORE=0"] {
            #expect(text.contains("\n\(line)\n"))
        }
    }

    @Test("Rule 129: the server is built so that it is hard to turn against itself")
    func hardening() async throws {
        let facts = try await Run("/usr/bin/readelf", ["-W", "-h", "-l", "-d", try tenantProgram])().output
        #expect(facts.contains("Position-Independent Executable"))
        #expect(facts.contains("GNU_RELRO") && facts.contains("BIND_NOW"))
        let stack = try #require(facts.split(separator: "\n").first { $0.contains("GNU_STACK") })
        #expect(stack.contains(" RW ") && !stack.contains("RWE"), "\(stack)")
    }

    @Test("the server is made without GNU Readline, whose licence would be its own; the client has it")
    func licence() async throws {
        let server = try await Run("/usr/bin/readelf", ["-W", "-d", try tenantProgram])().output
        let client = try await Run("/usr/bin/readelf", ["-W", "-d", try BuiltProgram.path("nativeauth")])().output
        #expect(!server.contains("libreadline") && client.contains("libreadline"))
    }

    @Test("Rule 121: the server leaves no memory behind when it is killed")
    func noCore() async throws {
        let server = try await home.serve()
        let process = await server.session.program
        let limits = try #require(home.read("/proc/\(process)/limits"))
        let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
        #expect(line.dropFirst("Max core file size".count).split(separator: " ").first == "0", "\(line)")
        try await server.stop()
    }

    @Test("Rule 119: what the tenant keeps is its owner's alone", arguments: ["000", "022", "077"])
    func modes(mask: String) async throws {
        let outcome = try await home.shell("umask \(mask); nativeauth tenant key list >/dev/null")
        #expect(outcome.ending == .exit(0))
        let folder = home.tenantFolder
        for name in home.names(in: folder) {
            var facts = stat()
            #expect(stat("\(folder)/\(name)", &facts) == 0)
            #expect(facts.st_mode & 0o077 == 0, "\(name)")
        }
        #expect(home.names(in: folder).contains("tenant.db") && home.names(in: folder).contains("sealing.key"))
    }

    @Test("Rule 127: a fresh tenant has no account, and no secret that others could know")
    func noDefaults() async throws {
        let (home, other) = (try Home(.fresh), try Home(.fresh))
        #expect(try await home.succeed("tenant", "user", "list").isEmpty)
        var seen: Set<String> = []
        for each in [home, other] {
            try await each.succeed("tenant", "key", "list")
            seen.insert(try await each.succeed("tenant", "key", "list"))
            let key = try #require(try? Data(contentsOf: URL(filePath: each.tenantFolder + "/sealing.key")))
            #expect(key.count == 32 && seen.insert(key.base64EncodedString()).inserted)
        }
        #expect(seen.count == 4)
        let refused = try await home.nativeauth(
            "signin", "-u", "admin@example.com", "--password-file", try home.passwordFile())
        #expect(refused.ending != .exit(0))
    }
}
