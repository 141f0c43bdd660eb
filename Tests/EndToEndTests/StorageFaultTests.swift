// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeyringTesting
import ProgramTesting
import TerminalTesting
import Testing

/// Places for tokens that cannot be used. Nothing takes their place, and nothing is begun.
@Suite("Places for tokens that cannot be used", .inTurns) struct StorageFaultTests {
    private let home: Home

    init() throws { home = try Home() }

    private func refused(
        _ environment: [String: String?], _ status: Int32, _ words: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for arguments in [["token"], try home.signUpFlags("ada@example.com")] {
            let outcome = try await home.run(arguments, environment: environment)()
            #expect(outcome.ending == .exit(status), "\(outcome)", sourceLocation: sourceLocation)
            #expect(outcome.errors.contains(words), "\(outcome)", sourceLocation: sourceLocation)
            #expect(outcome.output.isEmpty, sourceLocation: sourceLocation)
        }
        let accounts = home.names(in: home.configFolder + "/accounts").filter { $0 != "local.lock" }
        #expect(accounts.isEmpty, "no file in the place of it", sourceLocation: sourceLocation)
        let users = try await home.succeed("tenant", "user", "list", "--json")
        #expect(!users.contains("ada@example.com"), "no account without a place", sourceLocation: sourceLocation)
    }

    @Test("a word that names no storage: 64 in the environment, 78 in config.json")
    func unknownWord() async throws {
        let list =
            "file, encrypted-file+kernel-keyring, encrypted-file+secret-service, kernel-keyring, secret-service."
        try await refused(
            ["NATIVEAUTH_STORAGE": "vault"], 64, "NATIVEAUTH_STORAGE is 'vault'; it has to be one of: \(list)")
        for (members, word) in [
            (#""storage":"vault""#, "vault"), (#""storage":"encrypted-file""#, "encrypted-file"),
            (#""key":"kernel-keyring""#, "file+kernel-keyring"),
            (#""storage":"encrypted-file","key":"file""#, "encrypted-file+file"),
        ] {
            try home.write(".config/nativeauth/config.json", #"{"profiles":{"local":{\#(members)}}}"#)
            try await refused([:], 78, "in config.json is '\(word)'; it has to be one of: \(list)")
        }
    }

    @Test("no D-Bus session: 78", arguments: ["secret-service", "encrypted-file+secret-service"])
    func noSession(_ word: String) async throws {
        let outcome = try await home.run(
            try home.signUpFlags("ada@example.com"), environment: ["NATIVEAUTH_STORAGE": word])()
        #expect(outcome.ending == .exit(78), "\(outcome)")
        #expect(outcome.errors.contains("There is no D-Bus session"), "\(outcome)")
    }

    @Test("nobody who keeps secrets, or nothing to keep them in: 69")
    func noService() async throws {
        for (keeper, words) in [
            (SessionBus.Keeper.nobody, "Nobody in this D-Bus session keeps secrets"),
            (.empty, "The Secret Service has no default keyring yet"),
        ] {
            let bus = try SessionBus(keeper)
            let outcome = try await home.run(
                try home.signUpFlags("ada@example.com"),
                environment: ["NATIVEAUTH_STORAGE": "secret-service", "DBUS_SESSION_BUS_ADDRESS": bus.address])()
            #expect(outcome.ending == .exit(69), "\(outcome)")
            #expect(outcome.errors.contains(words), "\(outcome)")
        }
    }

    @Test("a locked keyring: 69, and all is there again when it is unlocked")
    func locked() async throws {
        let bus = try SessionBus()
        let environment = ["NATIVEAUTH_STORAGE": "secret-service", "DBUS_SESSION_BUS_ADDRESS": bus.address]
        let signUp = try await home.run(try home.signUpFlags("ada@example.com"), environment: environment)()
        #expect(signUp.ending == .exit(0), "\(signUp)")
        try bus.lock()
        for command in ["token", "whoami", "signout", "status"] {
            let outcome = try await home.nativeauth(command, environment: environment)
            #expect(outcome.ending == .exit(69), "\(outcome)")
            #expect(outcome.errors.contains("The keyring of the Secret Service is locked."), "\(outcome)")
        }
        let doctor = try await home.nativeauth("doctor", environment: environment)
        #expect(doctor.ending == .exit(1) && doctor.output.contains("is locked"), "\(doctor)")
    }

    /// Docker forbids the calls by EPERM, and a kernel without keyrings has none of them.
    @Test("a kernel that keeps its keyring to itself: 78", arguments: [EPERM, ENOSYS])
    func forbiddenKeyring(_ code: Int32) async throws {
        let fault = try ForbiddenCalls(failingWith: code, in: home)
        for word in ["kernel-keyring", "encrypted-file+kernel-keyring"] {
            let environment = fault.environment.merging(["NATIVEAUTH_STORAGE": word]) { $1 }
            let outcome = try await home.run(try home.signUpFlags("ada@example.com"), environment: environment)()
            #expect(outcome.ending == .exit(78), "\(outcome)")
            #expect(outcome.errors.contains("The kernel's keyring cannot be used here"), "\(outcome)")
        }
    }

    /// A share that is used up is told before anything of the old content is touched.
    @Test("no room in the kernel's keyring: 74")
    func fullKeyring() async throws {
        let fault = try ForbiddenCalls("SYS_add_key", failingWith: EDQUOT, in: home)
        let environment = fault.environment.merging(["NATIVEAUTH_STORAGE": "kernel-keyring"]) { $1 }
        let outcome = try await home.run(try home.signUpFlags("ada@example.com"), environment: environment)()
        #expect(outcome.ending == .exit(74), "\(outcome)")
        #expect(outcome.errors.contains("Your share of the kernel's keyring is used up."), "\(outcome)")
    }

    /// Most programs never need them: the plain file is as quick as if there were no others.
    @Test("the plain file loads no library of another storage, and asks no keyring")
    func plainFile() async throws {
        try await home.signUp("ada@example.com")
        let fault = try ForbiddenCalls(failingWith: EPERM, in: home)
        let loader = fault.environment.merging(["LD_DEBUG": "files"]) { $1 }
        let outcome = try await home.nativeauth("token", environment: loader)
        #expect(outcome.ending == .exit(0), "\(outcome)")
        #expect(outcome.errors.contains("libc.so.6"), "the loader tells what it loads")
        for library in ["libsecret", "libglib", "libgio", "libcurl"] { #expect(!outcome.errors.contains(library)) }
    }
}
