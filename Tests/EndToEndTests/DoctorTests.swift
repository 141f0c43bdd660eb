// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

@Suite("Doctor", .inTurns)
struct DoctorTests {
    let home: Home

    init() throws { home = try Home(.fresh) }

    /// What `doctor --json` says.
    private struct Diagnosis {
        let healthy: Bool
        let settings: [[String: Any]]
        let findings: [[String: Any]]

        func findings(_ check: String, _ level: String? = nil) -> [String] {
            findings.filter { $0.string("check") == check && (level == nil || $0.string("level") == level) }
                .compactMap { $0.string("message") }
        }

        var problems: [String] {
            findings.filter { $0.string("level") == "problem" }.compactMap { $0.string("message") }
        }

        func source(_ name: String) -> String? {
            settings.first { $0.string("name") == name }?.string("source")
        }
    }

    /// Runs it in both forms, which have to agree on what matters.
    private func diagnose(
        _ flags: [String] = [], environment: [String: String?] = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Diagnosis {
        let plain = try await home.run(["doctor"] + flags, environment: environment)()
        let json = try await home.run(["doctor", "--json"] + flags, environment: environment)()
        let value = try object(json.output, sourceLocation: sourceLocation)
        let diagnosis = Diagnosis(
            healthy: try #require(value["healthy"] as? Bool), settings: value["settings"] as? [[String: Any]] ?? [],
            findings: value["findings"] as? [[String: Any]] ?? [])
        for outcome in [plain, json] {
            #expect(outcome.ending == .exit(diagnosis.healthy ? 0 : 1), "\(outcome)", sourceLocation: sourceLocation)
            #expect(outcome.errors.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
        }
        for finding in diagnosis.findings where finding.string("level") == "problem" {
            let message = try #require(finding.string("message")).withoutTimes
            let text = plain.output.withoutTimes
            #expect(text.contains("PROBLEM") && text.contains(message), "\(text)", sourceLocation: sourceLocation)
            #expect(plain.output.contains("-> " + (try #require(finding.string("advice")))))
        }
        return diagnosis
    }

    @Test("on a fresh machine nothing is wrong, and nothing is made")
    func fresh() async throws {
        let diagnosis = try await diagnose()
        #expect(diagnosis.healthy && diagnosis.problems.isEmpty)
        #expect(diagnosis.findings("local tenant").first?.hasPrefix("It will be made in") == true)
        #expect(home.names(in: home.path) == [])
    }

    @Test("with an account nothing is wrong, and no secret is shown")
    func healthy() async throws {
        try await home.signUp("ada@example.com")
        let diagnosis = try await diagnose()
        #expect(diagnosis.healthy, "\(diagnosis.problems)")
        #expect(diagnosis.findings("session") == ["Signed in as ada@example.com."])
        #expect(diagnosis.findings("lock") == ["Locks work in \(home.configFolder)/accounts."])
        #expect(diagnosis.findings("local tenant").contains("Nobody has it open."))
        let token = try object(try await home.succeed("token", "--json")).string("access_token") ?? "none"
        #expect(!(try await home.nativeauth("doctor").output.contains(token)))
    }

    static let damages: [(script: String, words: String)] = [
        ("chmod 644 \"$C\"", "has mode 0644"), ("chmod 770 \"$(dirname \"$C\")\"", "has mode 0770"),
        ("ln \"$C\" other", "has another name"), ("mv \"$C\" other && ln -s \"$PWD/other\" \"$C\"", "is no plain file"),
        ("rm \"$C\" && mkfifo \"$C\"", "is no plain file"), ("echo { >\"$C\"", "is no token cache"),
        ("chmod 755 .local/share/nativeauth/tenants/local", "has mode 0755"),
        ("chmod 640 .local/share/nativeauth/tenants/local/sealing.key", "has mode 0640"),
        ("rm .local/share/nativeauth/tenants/local/sealing.key", "sealing.key is missing"),
        ("chmod 777 .config", "Anybody may replace what is in"),
        ("echo '{}' >.config/nativeauth/config.json && chmod 666 .config/nativeauth/config.json", "can be changed by"),
        ("echo nonsense >.config/nativeauth/config.json", "is no configuration"),
        (
            #"echo '{"profiles": {"a;b": {}, "fine": {}}}' >.config/nativeauth/config.json; chmod 600 .config/nativeauth/config.json"#,
            "has a profile 'a;b', which no command can name"
        ),
        (
            #"python3 -c 'import json, sys; p = sys.argv[1]; c = json.load(open(p)); c["nativeauth"]["schema"] = 99; json.dump(c, open(p, "w"))' "$C""#,
            "A newer version of this program wrote the token cache."
        ),
        (
            "mkdir -m 700 -p .local/state/nativeauth/flows; echo >.local/state/nativeauth/flows/local.json; chmod 644 .local/state/nativeauth/flows/local.json",
            "flows/local.json has mode 0644"
        ),
    ]

    @Test("each of these matters, is said with what to do, and is left as it is", arguments: damages)
    func damaged(damage: (script: String, words: String)) async throws {
        try await home.signUp("ada@example.com")
        let script = try await home.shell("cd '\(home.path)'; C='\(home.cache)'; \(damage.script)")
        #expect(script.ending == .exit(0), "\(script)")
        let listing = "cd '\(home.path)' && find . ! -name 'tenant.db-*' -printf '%p %m %y %s\\n' | sort"
        let before = try await home.shell(listing)
        let diagnosis = try await diagnose()
        #expect(
            !diagnosis.healthy && diagnosis.problems.contains { $0.contains(damage.words) }, "\(diagnosis.problems)")
        #expect(try await home.shell(listing).output == before.output)
    }

    @Test("files of another user matter", .enabled(if: geteuid() == 0, "only root gives files away"))
    func owner() async throws {
        try await home.signUp("ada@example.com")
        #expect(try await home.shell("chown 65534 '\(home.cache)'").ending == .exit(0))
        #expect(try await diagnose().problems.contains("\(home.cache) belongs to user 65534."))
    }

    @Test("what was put aside, and who holds a lock, is a note")
    func notes() async throws {
        try await home.signUp("ada@example.com")
        try home.write(".config/nativeauth/accounts/local.json.corrupt-x", "")
        let lock = home.configFolder + "/accounts/local.lock"
        let held = try await home.shell("flock '\(lock)' nativeauth doctor --json")
        #expect(held.ending == .exit(0), "\(held)")
        #expect(held.output.contains("Another process holds \(lock) now."))
        #expect(held.output.contains("is a damaged token cache that was put aside."))
    }

    @Test("where each setting comes from")
    func origins() async throws {
        try home.write(
            ".config/nativeauth/config.json",
            #"{"profiles": {"here": {"authority": "http://127.0.0.1:1/t", "client_id": "from-file"}}}"#)
        #expect(try await home.shell("chmod 600 '\(home.configFolder)/config.json'").ending == .exit(0))
        let built = try await diagnose()
        for name in ["profile", "authority", "client id", "CA file"] { #expect(built.source(name) == "built in") }
        #expect(built.source("configuration") == "environment, HOME")
        let file = try await diagnose(["--profile", "here"])
        #expect(file.source("profile") == "flag" && file.source("client id") == "config.json")
        let variables = [
            "NATIVEAUTH_PROFILE": "here", "NATIVEAUTH_CLIENT_ID": "x", "NATIVEAUTH_NO_INPUT": "1",
            "NATIVEAUTH_CACHE_DIR": home.path + "/cache",
        ]
        let environment = try await diagnose(environment: variables)
        #expect(environment.source("profile") == "environment, NATIVEAUTH_PROFILE")
        #expect(environment.source("client id") == "environment, NATIVEAUTH_CLIENT_ID")
        #expect(environment.source("questions") == "environment, NATIVEAUTH_NO_INPUT")
        #expect(try await diagnose(environment: ["CI": "true"]).source("questions") == "environment, CI")
        #expect(environment.source("accounts") == "environment, NATIVEAUTH_CACHE_DIR")
        #expect(environment.source("authority") == "config.json")
        #expect(try await diagnose(["--timeout", "20s"]).source("time-out") == "flag")
        #expect(try await diagnose(environment: ["NATIVEAUTH_DEBUG": "0"]).source("NATIVEAUTH_DEBUG") == "environment")
    }

    @Test("a part of a built-in profile can be changed, and it stays the local tenant's")
    func partOfBuiltIn() async throws {
        try home.write(".config/nativeauth/config.json", #"{"profiles": {"local": {"scopes": ["openid"]}}}"#)
        #expect(try await home.shell("chmod 600 '\(home.configFolder)/config.json'").ending == .exit(0))
        try await home.signUp("ada@example.com")
        let scopes = try await diagnose()
        #expect(scopes.healthy && scopes.source("client id") == "built in", "\(scopes.problems)")
        try home.write(".config/nativeauth/config.json", #"{"profiles": {"local": {"client_id": "x"}}}"#)
        let app = try await diagnose()
        #expect(app.source("client id") == "config.json" && app.source("authority") == "built in")
        try home.write(
            ".config/nativeauth/config.json", #"{"profiles": {"local": {"authority": "https://x.invalid/t"}}}"#)
        #expect(try await diagnose().problems.contains("The profile 'local' has no client id."))
    }

    @Test("folders that cannot be made matter")
    func notMakeable() async throws {
        let diagnosis = try await diagnose(environment: ["HOME": "/proc"])
        #expect(diagnosis.problems.contains { $0.hasPrefix("/proc cannot be written to:") }, "\(diagnosis.problems)")
    }

    @Test(
        "a password in an address is never repeated",
        arguments: ["https://user:s3cret@example.com/t", "user:s3c/r@et@x", "http://u:s3cret@127.0.0.1/t"])
    func addressPassword(address: String) async throws {
        let password = address.contains("s3cret") ? "s3cret" : "s3c"
        for command in ["doctor", "token", "status"] {
            for flags in [["--authority", address], ["--authority", address, "--json"]] {
                let outcome = try await home.run([command] + flags)()
                #expect(!"\(outcome)".contains(password), "\(outcome)")
                #expect("\(outcome)".contains("…@"), "\(outcome)")
            }
        }
        try home.write(".config/nativeauth/config.json", #"{"profiles": {"local": {"authority": "\#(address)"}}}"#)
        let outcome = try await home.nativeauth("doctor", environment: ["NATIVEAUTH_CLIENT_ID": "x"])
        #expect(!outcome.output.contains(password) && outcome.output.contains("…@"), "\(outcome)")
    }

    @Test("a variable that nothing reads is mostly a typing mistake; its value is not shown")
    func misspelled() async throws {
        let diagnosis = try await diagnose(environment: ["NATIVEAUTH_PROFIL": "hidden-value"])
        #expect(diagnosis.problems == ["NATIVEAUTH_PROFIL is set, and nothing reads it."])
        #expect(!"\(diagnosis.findings) \(diagnosis.settings)".contains("hidden-value"))
    }

    @Test("an unknown profile, and no HOME, are findings and not the end of it")
    func configuration() async throws {
        #expect(try await diagnose(["--profile", "nope"]).problems == ["There is no profile 'nope'."])
        let homeless = try await diagnose(environment: ["HOME": nil])
        #expect(homeless.problems.contains { $0.contains("HOME") })
    }

    @Test("a terminal that shows nothing is told, as one that a killed program left", arguments: [true, false])
    func terminal(isOdd: Bool) async throws {
        let session = try TerminalSession.spawn(
            executable: "/bin/sh", arguments: ["-c", (isOdd ? "stty -echo; " : "") + "nativeauth doctor"],
            environment: home.environment, directory: home.path)
        if isOdd {
            try await session.expect("The terminal does not show what is typed (-echo).")
            try await session.expect("stty sane")
        } else {
            try await session.expect("The terminal is in its usual state.")
        }
        #expect(try await session.finish(terminalMayChange: isOdd) == .exit(isOdd ? 1 : 0))
    }

    @Test("T32: after a kill at the password prompt a new run works, and the terminal is told")
    func killed() async throws {
        try await home.signUp("ada@example.com")
        let session = try TerminalSession.spawn(
            executable: "/bin/sh",
            arguments: ["-c", "nativeauth signin -u ada@example.com; nativeauth doctor; stty sane; nativeauth signin"],
            environment: home.environment, directory: home.path)
        try await session.expect("Password")
        let shell = await session.program
        let child = try String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
        kill(try #require(pid_t(child.split(separator: " ").first ?? "")), SIGKILL)
        try await session.expect("The terminal does not show what is typed")
        try await session.expect("Email")
        try await session.send("ada@example.com\r")
        try await session.expect("Password")
        try await session.send(Home.password + "\r")
        try await session.expect("Signed in as ada@example.com.")
        #expect(try await session.finish(terminalMayChange: true) == .exit(0))
        #expect(await session.modes.echoIsOn)
    }

    @Test("a locale without UTF-8 is a note", arguments: ["C", "POSIX", "xx_XX.UTF-8", ""])
    func locale(name: String) async throws {
        let diagnosis = try await diagnose(environment: ["LC_ALL": name, "LANG": nil])
        #expect(diagnosis.healthy && diagnosis.findings("locale", "note").count == 1, "\(diagnosis.findings)")
    }
}

@Suite("Doctor and the network", .inTurns)
struct DoctorNetworkTests {
    let home: Home

    init() throws { home = try Home() }

    private func diagnose(_ address: String, environment: [String: String?] = [:]) async throws -> Run.Outcome {
        try await home.run(["doctor", "--authority", address, "--client-id", "x"], environment: environment)()
    }

    @Test("a tenant that answers, with a clock that agrees")
    func served() async throws {
        let tenant = try await home.serve()
        let remote = try await diagnose(tenant.url)
        #expect(remote.ending == .exit(0), "\(remote)")
        #expect(remote.output.contains("tenant: \(tenant.url) answers."))
        #expect(remote.output.contains("clock: This machine's clock agrees with the tenant's."))
        let local = try await home.succeed("doctor")
        #expect(local.contains("local tenant: It is being served at "))
        #expect(!local.contains("DNS"), "the local tenant is looked at without a network")
        try await tenant.stop()
    }

    private func reply(_ date: Date) -> String {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return "HTTP/1.1 200 OK\r\nDate: \(format.string(from: date))\r\nContent-Length: 2\r\n\r\n{}"
    }

    @Test("a clock that is an hour off matters, one that is a minute off is a note")
    func clock() async throws {
        for (offset, exit, words) in [
            (-3600, Int32(1), "seconds ahead of the tenant's"), (3600, 1, "seconds behind the tenant's"),
            (-60, 0, "seconds ahead of the tenant's"),
        ] {
            let server = try LyingServer(answer: reply(Date(timeIntervalSinceNow: TimeInterval(offset))))
            let outcome = try await diagnose(server.address)
            #expect(outcome.ending == .exit(exit) && outcome.output.contains(words), "\(outcome)")
            withExtendedLifetime(server) {}
        }
    }

    @Test("nobody answers, another name, another path")
    func unreachable() async throws {
        let port = try ClosedPort()
        let closed = try await diagnose("http://127.0.0.1:\(port.number)/t")
        #expect(closed.ending == .exit(1) && closed.output.contains("Nobody answers at the tenant's address"))
        withExtendedLifetime(port) {}
        let unknown = try await diagnose("https://nonexistent.invalid/t")
        #expect(unknown.ending == .exit(1) && unknown.output.contains("DNS: nonexistent.invalid is not known"))
        let server = try LyingServer(answer: "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        let absent = try await diagnose(server.address)
        #expect(absent.ending == .exit(1) && absent.output.contains("answers HTTP 404"), "\(absent)")
        withExtendedLifetime(server) {}
    }

    @Test("the proxy is named without its password, and who is exempt from it")
    func proxy() async throws {
        let variables = ["https_proxy": "http://ada:secret@127.0.0.1:1"]
        let used = try await diagnose("https://nonexistent.invalid/t", environment: variables)
        #expect(used.ending == .exit(1))
        #expect(used.output.contains("Requests go through …@127.0.0.1:1, by https_proxy."), "\(used)")
        #expect(!used.output.contains("secret") && !used.output.contains("DNS:"))
        let exempt = try await diagnose(
            "https://nonexistent.invalid/t", environment: variables.merging(["NO_PROXY": "a.b,.invalid"]) { $1 })
        #expect(exempt.output.contains("NO_PROXY exempts nonexistent.invalid"), "\(exempt)")
    }

    @Test("a CA file that is missing, or none")
    func certificates() async throws {
        for (name, words) in [("/nonexistent", "cannot be read"), (try home.write("ca", "x"), "no certificate in PEM")]
        {
            let outcome = try await diagnose(
                "https://nonexistent.invalid/t", environment: ["NATIVEAUTH_CA_FILE": name])
            #expect(outcome.output.contains("\(name) ") && outcome.output.contains(words), "\(outcome)")
        }
    }
}

extension String {
    /// libcurl says how long it tried, which differs from run to run.
    fileprivate var withoutTimes: String { replacing(/after \d+ ms/, with: "") }
}
