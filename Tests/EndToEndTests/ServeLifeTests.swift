// SPDX-License-Identifier: Apache-2.0

import Glibc
import ProgramTesting
import TerminalTesting
import Testing

@Suite("The life of a server", .inTurns)
struct ServeLifeTests {
    let home: Home

    init() throws { home = try Home() }

    private var lock: String? { home.read(home.tenantFolder + "/tenant.lock") }

    @Test("it ends cleanly when told to, and the commands go on without it", arguments: [SIGTERM, SIGINT, SIGHUP])
    func stop(signal: Int32) async throws {
        let server = try await home.serve()
        #expect(lock == server.url + "\n")
        try await home.signUp("ada@example.com")
        await server.session.signal(signal)
        #expect(try await server.session.finish(timeout: .seconds(60)) == .exit(0))
        #expect(lock == "")
        try await home.succeed("signin", "-u", "ada@example.com", "--password-file", try home.passwordFile())
        let again = try await home.serve()
        try await again.stop()
    }

    @Test("a service that is asked to read its certificate again goes on, whether it has one or not")
    func reload() async throws {
        let script = """
            import signal, subprocess, sys, urllib.request
            words = ['nativeauth-tenant', 'serve', '--listen', '127.0.0.1:0']
            server = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, start_new_session=True)
            url = server.stderr.readline().split()[-1]
            server.send_signal(signal.SIGHUP)
            print(server.stderr.readline().strip())
            print(urllib.request.urlopen(url + '/discovery/v2.0/keys').status)
            server.terminate()
            print(server.wait())
            """
        let outcome = try await home.shell("timeout 60 python3 '\(try home.write("reload.py", script))'")
        #expect(outcome.output == "There is no certificate to read again.\n200\n0\n", "\(outcome)")
    }

    @Test("F1: killed, it leaves no announcement that anyone believes")
    func kill() async throws {
        let server = try await home.serve()
        try await home.signUp("ada@example.com")
        await server.session.signal(SIGKILL)
        #expect(try await server.session.finish(timeout: .seconds(60)) == .signal(SIGKILL))
        #expect(try await home.succeed("tenant", "config", "get", "authority").hasPrefix("http://127.0.0.1:8400/"))
        try await home.succeed("signin", "-u", "ada@example.com", "--password-file", try home.passwordFile())
        #expect(lock == "")
        let again = try await home.serve()
        try await home.succeed("token", "--force-refresh")
        try await again.stop()
    }

    @Test("F6: a second one says where the first is")
    func second() async throws {
        let server = try await home.serve()
        let outcome = try await home.nativeauth("tenant", "serve", "--listen", "127.0.0.1:0")
        #expect(outcome.ending == .exit(75))
        #expect(
            outcome.errors
                == "nativeauth tenant: The tenant is being served at \(server.url).\nStop the server first.\n")
        try await server.stop()
    }

    @Test("a port that is taken is said plainly, and the tenant stays usable")
    func portInUse() async throws {
        let other = try LyingServer(answer: "")
        let outcome = try await home.nativeauth("tenant", "serve", "--listen", "127.0.0.1:\(other.port)")
        #expect(outcome.ending == .exit(69), "\(outcome)")
        #expect(outcome.errors.contains("127.0.0.1:\(other.port)") && outcome.errors.contains("--listen"))
        #expect(lock == "")
        withExtendedLifetime(other) {}
        try await home.signUp("ada@example.com")
    }

    @Test(
        "Rule 90: an address that other machines reach is refused, and so is what is none",
        arguments: [
            "0.0.0.0:0", "[::]:0", "192.0.2.1:8400", "example.com:80", "127.0.0.1", "127.0.0.1:99999", ":0", "",
        ])
    func refused(address: String) async throws {
        let home = try Home(.fresh)
        let outcome = try await home.nativeauth("tenant", "serve", "--listen", address)
        #expect(outcome.ending == .exit(64), "\(outcome)")
        #expect(outcome.output.isEmpty && outcome.errors.hasPrefix("nativeauth tenant"))
        #expect(home.names(in: home.path) == [], "nothing is made for a mistake")
    }

    @Test("a closed stream does not end up in its announcement", arguments: ["2>&-", "1>&-", "0<&-", "0<&- 1>&- 2>&-"])
    func closedStreams(streams: String) async throws {
        let outcome = try await home.shell(
            """
            (exec \(streams); exec nativeauth tenant serve --listen 127.0.0.1:0) >/dev/null 2>&1 </dev/null &
            process=$!
            lock="$HOME/.local/share/nativeauth/tenants/local/tenant.lock"
            until [ -s "$lock" ]; do kill -0 $process || exit 9; done
            nativeauth tenant config get authority
            cat "$lock"
            nativeauth signin -u nobody@example.com
            echo $?
            kill $process
            wait $process
            """)
        let lines = outcome.output.split(separator: "\n")
        #expect(outcome.ending == .exit(0), "\(outcome)")
        #expect(lines.count == 3 && lines[0] == lines[1] && lines[2] == "77", "\(outcome)")
    }

    @Test("a client that says nothing does not keep it from ending")
    func idleClient() async throws {
        let server = try await home.serve()
        let port = try #require(UInt16(server.url.split(separator: ":")[2].prefix { $0.isNumber }))
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(client) }
        #expect(connectToLoopback(client, port) && send(client, "POST /", 6, Int32(MSG_NOSIGNAL)) == 6)
        try await server.stop()
    }

    @Test("commands of many processes find the tenant while servers come and go")
    func comingAndGoing() async throws {
        try await home.signUp("ada@example.com")
        try await home.succeed("signout")
        let password = try home.passwordFile()
        let signIns = Task {
            var outcomes: [Run.Outcome] = []
            for _ in 1...30 {
                outcomes.append(
                    try await home.nativeauth("signin", "-u", "ada@example.com", "--password-file", password))
            }
            return outcomes
        }
        for round in 1...6 {
            let server = try await home.serve()
            if round.isMultiple(of: 2) {
                try await server.stop()
            } else {
                await server.session.signal(SIGTERM)
                try await server.session.finish(timeout: .seconds(60))
            }
        }
        for outcome in try await signIns.value { #expect(outcome.ending == .exit(0), "\(outcome)") }
    }
}

/// Connects a socket to a port of this machine.
func connectToLoopback(_ descriptor: Int32, _ port: UInt16) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}
