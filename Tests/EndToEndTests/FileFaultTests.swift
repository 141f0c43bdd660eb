// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

/// What a file system says no to, and what stands beside the cache.
@Suite("Faults of the file system", .inTurns)
struct FileFaultTests {
    let home: Home

    init() throws { home = try Home() }

    private var accounts: String { home.configFolder + "/accounts" }

    /// Each call that a change of the cache makes, the error, the exit code and the words for it.
    static let faults: [(name: String, call: String, error: Int32, status: Int32, words: String)] = [
        ("T67: fsync that fails with EIO", "fsync", EIO, 74, "Input/output error"),
        ("T66: a quota that is used up", "fsync", EDQUOT, 74, "Disk quota exceeded"),
        ("T68: rename across devices", "renameat", EXDEV, 74, "Invalid cross-device link"),
        ("T68: rename that is not permitted", "renameat", EPERM, 74, "Operation not permitted"),
        ("T71: a file system without locks", "flock", ENOLCK, 74, "No locks available"),
    ]

    @Test(
        "T67, T68, T71: a change that cannot be made durable is not reported as made, and the old cache stays",
        arguments: faults.indices)
    func fault(index: Int) async throws {
        let fault = Self.faults[index]
        try await home.signUp("ada@example.com")
        let before = home.read(home.cache)
        let faulty = try FaultyCall(fault.call, failingWith: fault.error, below: accounts, in: home)
        let password = try home.passwordFile()
        for arguments in [
            ["token", "--force-refresh"], ["signin", "-u", "ada@example.com", "--password-file", password],
            ["signout"],
        ] {
            let outcome = try await home.run(arguments, environment: faulty.environment)()
            #expect(outcome.ending == .exit(fault.status), "\(fault.name), \(arguments): \(outcome)")
            #expect(outcome.errors.contains(fault.words) && outcome.output.isEmpty, "\(fault.name): \(outcome)")
            // A rename that was made and is not known to be durable is in place; nothing else is.
            if fault.call != "fsync" { #expect(home.read(home.cache) == before, "\(fault.name)") }
            // Who signs out is rid of the tokens, also where there is no room to say so in a new file.
            let isGone = arguments == ["signout"] && fault.error == EDQUOT
            #expect(home.names(in: accounts) == (isGone ? [] : ["local.json"]) + ["local.lock"], "\(fault.name)")
        }
        try await home.succeed("signin", "-u", "ada@example.com", "--password-file", password)
        try await home.succeed("token", "--force-refresh")
    }

    @Test(
        "T66: no file can be made any more", .enabled(if: Mounts.areAllowed, "mounting a small disk needs privileges"))
    func noInodes() async throws {
        try await home.signUp("ada@example.com")
        let disk = home.path + "/disk"
        let outcome = try await Run(
            "/usr/bin/unshare",
            [
                "-m", "/bin/sh", "-c",
                """
                mkdir '\(disk)' && mount -t tmpfs -o nr_inodes=8,mode=700 tmpfs '\(disk)' || exit 99
                cp -p '\(accounts)'/* '\(disk)' || exit 98
                export NATIVEAUTH_CACHE_DIR='\(disk)'
                i=0; while touch '\(disk)'/$i 2>/dev/null; do i=$((i + 1)); done
                before=$(nativeauth token)
                nativeauth token --force-refresh
                echo "status $?"
                [ "$(nativeauth token)" = "$before" ] && echo kept
                """,
            ], environment: home.environment)()
        #expect(outcome.output == "status 74\nkept\n", "\(outcome)")
        #expect(outcome.errors.contains("No space left on device"), "\(outcome)")
    }

    @Test("T69: what died in the middle of a change is cleared away: only ours, and only old")
    func leftovers() async throws {
        try await home.signUp("ada@example.com")
        let script = """
            cd '\(accounts)' && touch -d '2 hours ago' .local.json.old .other.json.old local.json.corrupt-old
            touch .local.json.young && mkdir .local.json.folder && touch -d '2 hours ago' .local.json.folder
            ln -s /etc/passwd .local.json.link && touch -h -d '2 hours ago' .local.json.link
            """
        #expect(try await home.shell(script).ending == .exit(0))
        try await home.succeed("token", "--force-refresh")
        #expect(
            home.names(in: accounts) == [
                ".local.json.folder", ".local.json.link", ".local.json.young", ".other.json.old", "local.json",
                "local.json.corrupt-old", "local.lock",
            ])
    }

    /// What stands in the cache's place, and the exit code of reading it.
    static let strangers: [(name: String, script: String, status: Int32)] = [
        ("a link to another's file", "rm \"$C\"; ln -s /etc/passwd \"$C\"", 78),
        ("a link to nowhere", "rm \"$C\"; ln -s nowhere \"$C\"", 78),
        ("a device", "rm \"$C\"; mknod \"$C\" c 1 5", 78),
        (
            "a socket",
            "rm \"$C\"; python3 -c 'import os, socket; socket.socket(socket.AF_UNIX).bind(os.environ[\"C\"])'", 74
        ),
        ("another user's file", "chown 65534 \"$C\"", 78),
    ]

    @Test(
        "T63, T64: what stands in the cache's place is neither followed, nor waited for, nor changed",
        .enabled(if: Mounts.areAllowed, "making these needs privileges"), arguments: strangers.indices)
    func stranger(index: Int) async throws {
        let stranger = Self.strangers[index]
        try await home.signUp("ada@example.com")
        let made = try await home.shell(stranger.script, environment: ["C": home.cache])
        try #require(made.ending == .exit(0), "\(stranger.name): \(made)")
        let passwd = home.read("/etc/passwd")
        for command in ["token", "whoami", "signout"] {
            let outcome = try await home.nativeauth(command)
            #expect(outcome.ending == .exit(stranger.status), "\(stranger.name), \(command): \(outcome)")
            #expect(outcome.errors.contains(home.cache) && outcome.output.isEmpty, "\(stranger.name): \(outcome)")
        }
        #expect(home.read("/etc/passwd") == passwd)
    }

    /// Backups make hard links of whole trees. Such a name shows what was kept then, and nothing that came later.
    @Test("T64: a second name of the cache keeps the old tokens, and gets no new ones")
    func hardLink() async throws {
        try await home.signUp("ada@example.com")
        let before = home.read(home.cache)
        #expect(try await home.shell("ln '\(home.cache)' '\(home.path)/backup'").ending == .exit(0))
        try await home.succeed("token", "--force-refresh")
        #expect(home.read(home.path + "/backup") == before && home.read(home.cache) != before)
    }

    @Test(
        "a cache in a place where others could put another one is not used",
        arguments: [("accounts", "770"), ("accounts", "777"), (".", "777")])
    func openFolder(folder: String, mode: String) async throws {
        try await home.signUp("ada@example.com")
        _ = try await home.shell("chmod \(mode) '\(home.configFolder)/\(folder)'")
        for command in ["token", "whoami", "claims", "status", "signout", "accounts"] {
            let outcome = try await home.nativeauth(command)
            #expect(outcome.ending == .exit(78) && outcome.output.isEmpty, "\(command): \(outcome)")
            #expect(outcome.errors.contains("is not safe for tokens: "), "\(outcome)")
        }
    }

    @Test("root does not make files in the home of the one who called sudo", .enabled(if: geteuid() == 0))
    func sudo() async throws {
        let home = try Home(.fresh)
        _ = try await home.shell("chown 1000 '\(home.path)'")
        let sudo = ["SUDO_UID": "1000", "SUDO_USER": "ada"]
        for command in ["status", "token", "doctor"] {
            let outcome = try await home.nativeauth(command, environment: sudo)
            #expect(outcome.ending == .exit(command == "doctor" ? 1 : 78), "\(outcome)")
            #expect((outcome.errors + outcome.output).contains("'sudo -H'"), "\(outcome)")
        }
        #expect(home.names(in: home.path) == [])
        #expect(try await home.nativeauth("status").ending == .exit(4), "a container's root may have such a home")
    }

    @Test("what was put aside of damaged caches goes when everybody signs out")
    func copies() async throws {
        try await home.signUp("ada@example.com")
        try home.write(".config/nativeauth/accounts/local.json", "{\"AccessToken\": \"eyJ")
        #expect(try await home.nativeauth("whoami").ending == .exit(65))
        #expect(home.names(in: home.configFolder + "/accounts").contains { $0.contains(".corrupt-") })
        try await home.succeed("signout", "--all")
        #expect(home.names(in: home.configFolder + "/accounts") == ["local.lock"])
    }

    @Test("T61: a home that is not there yet is made, and the root folder is a home like any other")
    func homes() async throws {
        let fresh = ["HOME": home.path + "/a/b"]
        let outcome = try await home.run(try home.signUpFlags("ada@example.com"), environment: fresh)()
        #expect(outcome.ending == .exit(0), "\(outcome)")
        #expect(home.read(home.path + "/a/b/.config/nativeauth/accounts/local.json") != nil)
        let root = try await home.nativeauth("config", "path", environment: ["HOME": "/"])
        #expect(root.output == "/.config/nativeauth/config.json\n", "\(root)")
    }

    @Test("T70: time zones and languages change nothing in what is valid, and until when")
    func zones() async throws {
        try await home.signUp("ada@example.com")
        let plain = try object(await home.succeed("token", "--json"))
        for variables in [
            ["TZ": "Pacific/Kiritimati"], ["TZ": "nonsense"], ["LC_ALL": "fa_IR.UTF-8", "TZ": "Asia/Tehran"],
        ] {
            let outcome = try await home.nativeauth("token", "--json", environment: variables)
            let other = try object(outcome.output)
            #expect(other.string("expires_at") == plain.string("expires_at") && other.string("source") == "cache")
        }
        #expect(plain.string("expires_at")?.hasSuffix("Z") == true)
    }
}
