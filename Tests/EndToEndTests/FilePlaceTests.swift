// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

@Suite("Files and their places", .inTurns)
struct FilePlaceTests {
    let home: Home

    init() throws { home = try Home() }

    /// The modes of all files and folders below a folder.
    private func modes(below folder: String) throws -> [String: Int] {
        let names = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                let facts = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
                return (name, (facts[.posixPermissions] as? NSNumber)?.intValue ?? 0)
            })
    }

    @Test("T62: files are 0600 and folders 0700, whatever the mask", arguments: ["000", "022", "077", "0777"])
    func modes(mask: String) async throws {
        let password = try home.passwordFile()
        let outcome = try await home.shell(
            """
            umask \(mask)
            nativeauth signup -u ada@example.com --password-file \(password) --attribute country=Norway \\
                --otp-command 'nativeauth tenant inbox --code'
            """)
        #expect(outcome.ending == .exit(0), "\(outcome)")
        for folder in [".config", ".local"] {
            let modes = try modes(below: home.path + "/" + folder)
            #expect(modes.count >= 4)
            for (name, mode) in modes {
                var isFolder: ObjCBool = false
                _ = FileManager.default.fileExists(atPath: home.path + "/\(folder)/\(name)", isDirectory: &isFolder)
                #expect(mode == (isFolder.boolValue ? 0o700 : 0o600), "\(name)")
            }
        }
    }

    @Test("no temporary file is left, and the accounts' folder holds the cache and its lock")
    func tidy() async throws {
        try await home.signUp("ada@example.com")
        try await home.succeed("token", "--force-refresh")
        #expect(home.names(in: home.configFolder) == ["accounts"])
        #expect(home.names(in: home.configFolder + "/accounts") == ["local.json", "local.lock"])
        #expect(
            home.names(in: home.tenantFolder).filter { !$0.hasPrefix("tenant.db-") }
                == ["mail", "sealing.key", "tenant.db", "tenant.json", "tenant.lock"])
    }

    @Test("T63: a cache that others can read is closed to them")
    func repaired() async throws {
        try await home.signUp("ada@example.com")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: home.cache)
        try await home.succeed("token")
        #expect(try modes(below: home.configFolder)["accounts/local.json"] == 0o600)
    }

    @Test("T64: a cache that is no plain file is not used, and does not block", arguments: ["link", "fifo", "folder"])
    func strangeCache(kind: String) async throws {
        try await home.signUp("ada@example.com")
        let script =
            switch kind {
            case "link": "mv '\(home.cache)' '\(home.path)/other' && ln -s '\(home.path)/other' '\(home.cache)'"
            case "fifo": "rm '\(home.cache)' && mkfifo '\(home.cache)'"
            default: "rm '\(home.cache)' && mkdir '\(home.cache)'"
            }
        #expect(try await home.shell(script).ending == .exit(0))
        let outcome = try await home.nativeauth("token")
        #expect(outcome.ending == .exit(78), "\(outcome)")
        #expect(outcome.errors.contains("\(home.cache) is not safe for tokens"))
    }

    @Test("T63: a folder that others may write to is not used")
    func openFolder() async throws {
        try await home.signUp("ada@example.com")
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: home.configFolder + "/accounts")
        let outcome = try await home.nativeauth(
            "signin", "-u", "ada@example.com", "--password-file", try home.passwordFile())
        #expect(outcome.ending == .exit(78), "\(outcome)")
        #expect(outcome.errors.contains("other users may write to it"))
    }

    @Test("T61: the variables that choose the folder, in their order")
    func folders() async throws {
        let flags = try home.signUpFlags("ada@example.com")
        let places: [([String: String?], String)] = [
            (["NATIVEAUTH_CONFIG_DIR": home.path + "/a", "XDG_CONFIG_HOME": home.path + "/b"], "/a/accounts"),
            (["XDG_CONFIG_HOME": home.path + "/b"], "/b/nativeauth/accounts"),
            (["NATIVEAUTH_CACHE_DIR": home.path + "/c"], "/c"),
            // The XDG specification has relative paths ignored, and empty variables are as good as unset.
            (["XDG_CONFIG_HOME": "relative"], "/.config/nativeauth/accounts"),
            (["XDG_CONFIG_HOME": "", "NATIVEAUTH_CONFIG_DIR": ""], "/.config/nativeauth/accounts"),
            (["NATIVEAUTH_CACHE_DIR": ""], "/.config/nativeauth/accounts"),
        ]
        try await home.signUp("ada@example.com")
        for (variables, folder) in places {
            let signIn = ["signin", "-u", "ada@example.com", "--password-file", flags[4]]
            let place = try await home.run(["whoami", "--json"], environment: variables)()
            if place.ending == .exit(4) {
                #expect(folder != "/.config/nativeauth/accounts", "\(variables) does not lead to the account")
                #expect(try await home.run(signIn, environment: variables)().ending == .exit(0))
            }
            #expect(home.read(home.path + folder + "/local.json")?.contains("ada@example.com") == true, "\(variables)")
        }
    }

    @Test("T61: without HOME it says what is missing", arguments: ["token", "signin", "signout"])
    func noHome(command: String) async throws {
        for value in [nil, "", "relative"] as [String?] {
            let outcome = try await home.nativeauth(command, "--json", environment: ["HOME": value])
            #expect(outcome.ending == .exit(78), "\(outcome)")
            #expect(try object(outcome.errors).object("error").string("message")?.contains("HOME") == true)
        }
        let tenant = try await home.nativeauth("tenant", "inbox", environment: ["HOME": nil])
        #expect(tenant.ending == .exit(78), "\(tenant)")
    }

    @Test(
        "a name that is no UTF-8 leads nowhere else: 78, naming the variable",
        arguments: ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "NATIVEAUTH_CACHE_DIR"])
    func notUTF8(name: String) async throws {
        let home = try Home(.fresh)
        let programs =
            name == "HOME" || name == "XDG_DATA_HOME"
            ? ["nativeauth token", "nativeauth-tenant inbox"] : ["nativeauth token"]
        for program in programs {
            let outcome = try await home.shell(#"export \#(name)="$(printf '%s/\377' "$HOME")"; \#(program)"#)
            #expect(outcome.ending == .exit(78), "\(outcome)")
            #expect(outcome.errors.contains("\(name) is not UTF-8 text."), "\(outcome)")
        }
        #expect(home.names(in: home.path) == [])
        // One that nothing is looked up by does not matter.
        let unused = try await home.shell(
            #"export XDG_CONFIG_HOME="$(printf '\377')" NATIVEAUTH_CONFIG_DIR="$HOME/c"; nativeauth token"#)
        #expect(unused.ending == .exit(4), "\(unused)")
    }

    @Test("without HOME the other variables are enough")
    func noHomeNeeded() async throws {
        let home = try Home(.fresh)
        let variables = [
            "HOME": nil, "NATIVEAUTH_CONFIG_DIR": home.path + "/config", "XDG_DATA_HOME": home.path + "/data",
        ]
        let outcome = try await home.run(try home.signUpFlags("ada@example.com"), environment: variables)()
        #expect(outcome.ending == .exit(0), "\(outcome)")
        #expect(home.names(in: home.path) == ["config", "data", "pw"])
    }

    @Test("T61: a folder that cannot be made is said before anything is asked: 73")
    func notMakeable() async throws {
        for folder in ["/dev/null/x", try home.write("file", "")] {
            let outcome = try await home.run(
                try home.signUpFlags("ada@example.com") + ["--json"], environment: ["NATIVEAUTH_CONFIG_DIR": folder])()
            #expect(outcome.ending == .exit(73), "\(outcome)")
            #expect(outcome.output.isEmpty)
            let error = try object(outcome.errors).object("error")
            #expect(error.string("message")?.contains(folder) == true)
            #expect(error.string("hint")?.contains("NATIVEAUTH_CONFIG_DIR") == true)
        }
        #expect(home.names(in: home.tenantFolder + "/mail") == [], "no code is sent for an account that cannot be kept")
    }

    @Test("a tenant's folder that cannot be made: 73")
    func noTenantFolder() async throws {
        let outcome = try await home.run(
            ["signup", "-u", "ada@example.com", "--json", "--otp-command", "true"],
            environment: ["XDG_DATA_HOME": "/dev/null/x"])()
        #expect(outcome.ending == .exit(73), "\(outcome)")
        #expect(try object(outcome.errors).object("error").string("message")?.contains("/dev/null/x") == true)
    }

    @Test("T61: a read-only file system: 73", .enabled(if: Mounts.areAllowed, "mounting needs privileges"))
    func readOnly() async throws {
        try await home.signUp("ada@example.com")
        let password = try home.passwordFile()
        let outcome = try await Run(
            "/usr/bin/unshare",
            [
                "-m", "/bin/sh", "-c",
                """
                mount --bind '\(home.configFolder)' '\(home.configFolder)' || exit 1
                mount -o remount,ro,bind '\(home.configFolder)' || exit 1
                nativeauth token >/dev/null || exit 2
                exec nativeauth signin -u ada@example.com --password-file '\(password)'
                """,
            ], environment: home.environment)()
        #expect(outcome.ending == .exit(73), "\(outcome)")
        #expect(outcome.errors.contains("Read-only file system"))
    }
}

/// Whether this process may mount file systems in a name space of its own.
enum Mounts {
    static let areAllowed: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/unshare")
        process.arguments = ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()
}
