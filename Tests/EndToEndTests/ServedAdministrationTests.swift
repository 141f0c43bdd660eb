// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

/// What an owner asks of a tenant while another process serves it.
@Suite("Administration of a served tenant", .inTurns)
struct ServedAdministrationTests {
    let home: Home
    private let ada = "ada@example.com"

    init() throws { home = try Home() }

    @Test("accounts are listed, shown, disabled, enabled and deleted")
    func accounts() async throws {
        let served = try await home.serve()
        try await home.signUp(ada)
        #expect(try await home.succeed("tenant", "user", "list").hasSuffix("\t\(ada)\tpassword\n"))
        let shown = try object(try await home.succeed("tenant", "user", "show", ada, "--json"))
        #expect((shown["attributes"] as? [String: String]) == ["country": "Norway"])
        #expect(shown["sessions"] as? Int == 1)

        try await home.succeed("tenant", "user", "disable", ada)
        #expect(try await home.nativeauth("token", "--force-refresh").ending != .exit(0))
        try await home.succeed("tenant", "user", "enable", ada)
        try await home.succeed("token", "--force-refresh")

        try await home.succeed("tenant", "user", "require-change", ada)
        let due = try await home.run(["signin", "-u", ada, "--password-file", try home.passwordFile()])()
        #expect(due.errors.contains("explain 50142") || due.ending != .exit(0), "\(due)")

        try await home.succeed("tenant", "user", "delete", ada)
        let gone = try await home.nativeauth("tenant", "user", "show", ada)
        #expect(gone.ending == .exit(1))
        #expect(gone.errors == "nativeauth tenant: There is no account '\(ada)'.\n")
        try await served.stop()
    }

    @Test("a new password works, ends the sessions of the old one, and has to keep the rules")
    func password() async throws {
        let served = try await home.serve()
        try await home.signUp(ada)
        let short = try home.write("short", "Ab-1\n")
        let refused = try await home.nativeauth("tenant", "user", "set-password", ada, "--password-file", short)
        #expect(refused.ending == .exit(77))
        #expect(refused.errors.contains("fewer than 8 characters"))
        let new = try home.write("new", "An0ther-passphrase\n")
        try await home.succeed("tenant", "user", "set-password", ada, "--password-file", new)
        #expect(try await home.nativeauth("token", "--force-refresh").ending == .exit(4))
        try await home.succeed("signin", "-u", ada, "--password-file", new)
        try await served.stop()
    }

    @Test("a setting has its effect on the next request, and a definition too")
    func settings() async throws {
        let served = try await home.serve()
        try await home.succeed("tenant", "config", "set", "code_length", "6")
        try await home.signUpWithCode("bo@example.com")
        #expect(try await home.code(for: "bo@example.com").count == 6)
        try await home.setFlow(#"{"name": "email-code", "method": "code", "attributes": []}"#)
        let outcome = try await home.nativeauth(
            "signup", "--profile", "local-code", "--username", "cy@example.com", "--otp-command",
            "nativeauth tenant inbox --code --to cy@example.com")
        #expect(outcome.ending == .exit(0), "\(outcome)")
        try await served.stop()
        // It was not the server's alone.
        #expect(try await home.succeed("tenant", "config", "list").contains("code_length\t6\n"))
    }

    @Test("accounts move from one tenant to another, with their passwords")
    func move() async throws {
        let served = try await home.serve()
        try await home.signUp(ada)
        let lines = try await home.succeed("tenant", "user", "export")
        #expect(lines.contains(#""password_hash":"$argon2id$"#) && !lines.contains(Home.password))
        try await home.succeed("tenant", "reset", "--yes")
        #expect(try await home.succeed("tenant", "user", "list").isEmpty)

        let file = try home.write("accounts.jsonl", lines + "\n{\"username\":\"no address\"}\n{\"user\":1}\n" + lines)
        let outcome = try await home.nativeauth("tenant", "user", "import", file)
        #expect(outcome.ending == .exit(65))
        #expect(
            outcome.errors == """
                Line 4: it is no account: 'username' is missing.
                Line 3: 'no address' is no mail address.
                Accounts: 1 made, 1 there already.
                nativeauth tenant: 2 of 4 lines could not be used.

                """)
        try await home.succeed("signin", "-u", ada, "--password-file", try home.passwordFile())
        try await served.stop()
    }

    @Test("a copy that is made while people sign up opens, and takes the tenant's place")
    func backup() async throws {
        let served = try await home.serve()
        try await home.signUp(ada)
        let copy = home.path + "/copy"
        async let later: Void = home.signUpWithCode("bo@example.com")
        try await home.succeed("tenant", "backup", copy)
        try await later
        #expect(home.names(in: copy).contains("sealing.key"))
        let again = try await home.nativeauth("tenant", "backup", copy)
        #expect(again.ending == .exit(73), "\(again)")

        let busy = try await home.nativeauth("tenant", "restore", copy)
        #expect(busy.ending == .exit(75) && busy.errors.contains("Stop the server first"), "\(busy)")
        try await served.stop()
        try await home.succeed("tenant", "reset", "--yes")
        let restored = try await home.nativeauth("tenant", "restore", copy)
        #expect(restored.ending == .exit(0) && restored.errors.hasPrefix("The former tenant is in "), "\(restored)")
        try await home.succeed("signin", "-u", ada, "--password-file", try home.passwordFile())
    }

    @Test("a copy that is none, or whose key is another's, changes nothing")
    func uselessCopy() async throws {
        try await home.signUp(ada)
        let copy = home.path + "/copy"
        try await home.succeed("tenant", "backup", copy)
        try FileManager.default.removeItem(atPath: copy + "/sealing.key")
        #expect(try await home.nativeauth("tenant", "restore", copy).ending == .exit(65))
        try Data(repeating: 7, count: 32).write(to: URL(filePath: copy + "/sealing.key"))
        #expect(try await home.nativeauth("tenant", "restore", copy).ending == .exit(65))
        #expect(try await home.nativeauth("tenant", "restore", home.path + "/nowhere").ending == .exit(66))
        #expect(try await home.succeed("tenant", "user", "list").contains(ada))
        #expect(home.names(in: home.tenantFolder + "/..") == ["local"])
    }

    @Test(
        "a copy that came through other hands is looked at before it takes anybody's place",
        arguments: ["link", "pipe", "cut", "changed", "open"])
    func foreignCopy(kind: String) async throws {
        try await home.signUp(ada)
        let copy = home.path + "/copy"
        try await home.succeed("tenant", "backup", copy)
        let precious = try home.write("precious", "not the tenant's")
        try #require(chmod(precious, 0o644) == 0)
        let (key, database) = (copy + "/sealing.key", copy + "/tenant.db")
        let script =
            switch kind {
            case "link": "ln -s \(precious) \(copy)/tls-key.pem"
            case "pipe": "rm \(key); mkfifo \(key)"
            case "cut": "truncate -s -4096 \(database)"
            // A page in the middle, which opening the database does not come to.
            case "changed": "yes | dd of=\(database) bs=1 seek=40960 count=4096 conv=notrunc"
            default: "chmod -R go+r \(copy)"
            }
        #expect(try await home.shell(script).ending == .exit(0))
        let outcome = try await home.nativeauth("tenant", "restore", copy)
        if kind == "open" {
            // As a disk for copies may have it; where it goes to, nobody else reads it.
            #expect(outcome.ending == .exit(0), "\(outcome)")
        } else {
            #expect([.exit(65), .exit(74)].contains(outcome.ending), "\(outcome)")
            #expect(outcome.errors.contains(copy + "/") && !outcome.errors.contains(".restored-"), "\(outcome)")
            #expect(home.names(in: home.tenantFolder + "/..") == ["local"])
        }
        try await home.succeed("signin", "-u", ada, "--password-file", try home.passwordFile())
        let mode = try FileManager.default.attributesOfItem(atPath: precious)[.posixPermissions] as? Int
        #expect(mode == 0o644, "what is not the tenant's is left alone")
    }

    @Test("F1: a tenant that was moved aside comes back with all that it had acknowledged when it was killed")
    func aside() async throws {
        try await home.signUpWithCode("bo@example.com")
        let copy = home.path + "/copy"
        try await home.succeed("tenant", "backup", copy)
        let served = try await home.serve()
        try await home.signUp(ada)
        await served.session.signal(SIGKILL)
        _ = try await served.session.finish(timeout: .seconds(60))
        var places: [String] = []
        for _ in 0..<3 {
            let outcome = try await home.nativeauth("tenant", "restore", copy)
            #expect(outcome.ending == .exit(0), "\(outcome)")
            places.append(outcome.errors.split(separator: " ").last.map { String($0.dropLast()) } ?? "")
        }
        #expect(Set(places).count == 3, "two may come within a second: \(places)")
        #expect(try await !home.succeed("tenant", "user", "list").contains(ada))
        try await home.succeed("tenant", "restore", places[0])
        try await home.succeed("signin", "-u", ada, "--password-file", try home.passwordFile())
        try await home.succeed("tenant", "check")
    }

    @Test("F17: a server that had no descriptor left takes calls of its owner again, once it has some")
    func descriptors() async throws {
        let served = try await home.serve()
        let process = await served.session.program
        let python = """
            import os, resource, socket, sys
            process, place = int(sys.argv[1]), sys.argv[2]
            before = resource.prlimit(process, resource.RLIMIT_NOFILE)
            used = [int(name) for name in os.listdir(f'/proc/{process}/fd')]
            # The next call has its descriptor already, and those behind it get none.
            resource.prlimit(process, resource.RLIMIT_NOFILE, (max(used) + 1, before[1]))
            held = []
            for _ in range(2 + max(used) - len(used) + 8):
                s = socket.socket(socket.AF_UNIX); s.connect(place); s.sendall(b'nonsense'); held.append(s)
            while len(os.listdir(f'/proc/{process}/fd')) <= max(used): pass
            for s in held: s.close()
            resource.prlimit(process, resource.RLIMIT_NOFILE, before)
            """
        let outcome = try await Run(
            "/usr/bin/python3", ["-c", python, "\(process)", home.tenantFolder + "/admin.sock"],
            environment: home.environment)()
        #expect(outcome.ending == .exit(0), "\(outcome)")
        let listed = try await home.shell("timeout 60 nativeauth tenant key list")
        #expect(listed.ending == .exit(0), "\(listed)")
        try await served.stop()
    }

    @Test("long lines are imported through the server as well")
    func longLines() async throws {
        let served = try await home.serve()
        let script = """
            import json
            with open('long.jsonl', 'w') as file:
                for i in range(40):
                    line = {'username': f'u{i}@example.com', 'attributes': {'city': 'x' * 600000}}
                    file.write(json.dumps(line) + chr(10))
            """
        _ = try await home.shell("cd \"$HOME\" && python3 '\(try home.write("make.py", script))'")
        let outcome = try await home.nativeauth("tenant", "user", "import", home.path + "/long.jsonl")
        #expect(outcome.ending == .exit(0) && outcome.errors == "Accounts: 40 made.\n", "\(outcome)")
        try await served.stop()
    }

    @Test("nothing is deleted without being asked for")
    func reset() async throws {
        try await home.signUp(ada)
        let outcome = try await home.nativeauth("tenant", "reset")
        #expect(outcome.ending == .exit(64) && outcome.errors.contains("--yes"))
        #expect(try await home.succeed("tenant", "user", "list").contains(ada))
    }

    @Test("Rule 100: administration is a socket of the owner's alone, and no network leads to it")
    func socket() async throws {
        let served = try await home.serve()
        let attributes = try FileManager.default.attributesOfItem(atPath: home.tenantFolder + "/admin.sock")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(attributes[.type] as? FileAttributeType == .typeSocket)
        let folder = try FileManager.default.attributesOfItem(atPath: home.tenantFolder)
        #expect(folder[.posixPermissions] as? Int == 0o700)
        for path in ["admin", "administration", "users"] {
            let outcome = try await home.shell("curl -s -o /dev/null -w '%{http_code}' \(served.url)/\(path)")
            #expect(outcome.output == "404")
        }
        try await served.stop()
        #expect(!home.names(in: home.tenantFolder).contains("admin.sock"))
    }

    @Test("a socket that a killed server has left is replaced, and nonsense on it is answered by silence")
    func leftover() async throws {
        let first = try await home.serve()
        await first.session.signal(SIGKILL)
        _ = try await first.session.finish(timeout: .seconds(60))
        #expect(try await home.succeed("tenant", "user", "list").isEmpty)
        let second = try await home.serve()
        let python = """
            import socket, sys
            for text in (b'', b'nonsense\\n', b'{"call":"Nothing","arguments":{}}\\n', b'{"call":"ReadAccount","arguments":3}\\n'):
                s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.sendall(text); s.shutdown(socket.SHUT_WR)
                print(s.recv(65536).decode().strip()[:60])
            """
        let outcome = try await Run(
            "/usr/bin/python3", ["-c", python, home.tenantFolder + "/admin.sock"], environment: home.environment)()
        let answers = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(answers.prefix(2) == ["", ""], "\(outcome)")
        #expect(answers.dropFirst(2).first?.contains("unknownCall") == true, "\(outcome)")
        #expect(answers.dropFirst(3).first?.contains("refusal") == true, "\(outcome)")
        #expect(try await home.succeed("tenant", "user", "list").isEmpty)
        try await second.stop()
    }

    @Test("mail is shown as it comes, and as codes alone")
    func follow() async throws {
        let session = try home.session("tenant", "inbox", "--follow", "--code", "--to", ada)
        let served = try await home.serve()
        try await home.signUpWithCode("bo@example.com")
        // Whoever follows may begin a moment later than this.
        var isShown = false
        for _ in 0..<5 where !isShown {
            let asked = try await home.nativeauth(
                "signup", "--username", ada, "--password-file", try home.passwordFile(), "--attribute",
                "country=Norway", "--otp-command", "echo 00000000")
            #expect(asked.ending != .exit(0))
            isShown = (try? await session.expect(try await home.code(for: ada), timeout: .seconds(10))) != nil
        }
        #expect(isShown)
        await session.signal(SIGINT)
        #expect(try await session.finish(timeout: .seconds(60)) == .signal(SIGINT))
        try await served.stop()
    }
}
