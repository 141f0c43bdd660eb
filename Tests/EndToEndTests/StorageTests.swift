// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeyringTesting
import ProgramTesting
import TerminalTesting
import Testing

/// Every place for tokens, from the sign-up to the sign-out.
@Suite("Places for tokens", .inTurns) struct StorageTests {
    private let home: Home
    private let keys: KernelKeys

    init() throws {
        home = try Home()
        keys = KernelKeys(home)
    }

    private func signUp(_ environment: [String: String?]) async throws {
        let outcome = try await home.run(try home.signUpFlags("ada@example.com"), environment: environment)()
        try #require(outcome.ending == .exit(0), "\(outcome)")
    }

    private func signIn(_ environment: [String: String?]) async throws -> Run.Outcome {
        let password = try home.passwordFile()
        return try await home.nativeauth(
            "signin", "--username", "ada@example.com", "--password-file", password, environment: environment)
    }

    /// The files below the home that have a text in them.
    private func files(with text: String) throws -> [String] {
        let all = FileManager.default.enumerator(atPath: home.path)?.compactMap { $0 as? String } ?? []
        return try all.filter { name in
            let url = URL(filePath: home.path + "/" + name)
            guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { return false }
            return try Data(contentsOf: url).range(of: Data(text.utf8)) != nil
        }
    }

    @Test(
        "a session lives in the chosen place and nowhere else",
        arguments: [
            "file", "encrypted-file+kernel-keyring", "encrypted-file+secret-service", "kernel-keyring",
            "secret-service",
        ].filter { KernelKeyringAccess.isAllowed || !$0.contains("kernel") })
    func session(_ word: String) async throws {
        let bus = word.contains("secret-service") ? try SessionBus() : nil
        let environment = ["NATIVEAUTH_STORAGE": word, "DBUS_SESSION_BUS_ADDRESS": bus?.address]
        try await signUp(environment)
        let token = try await home.nativeauth("token", environment: environment)
        let text = token.output.trimmingCharacters(in: .newlines)
        #expect(token.ending == .exit(0) && text.count > 100 && token.errors.isEmpty)
        #expect(try files(with: text) == (word == "file" ? [".config/nativeauth/accounts/local.json"] : []))
        try await checkStatus(word, environment)
        let doctor = try await home.nativeauth("doctor", environment: environment)
        #expect(doctor.ending == .exit(0) && doctor.output.contains("storage: Tokens are"), "\(doctor)")
        #expect(try await home.nativeauth("signout", environment: environment).ending == .exit(0))
        #expect(try await home.nativeauth("token", environment: environment).ending == .exit(4))
    }

    private func checkStatus(_ word: String, _ environment: [String: String?]) async throws {
        for command in ["status", "whoami"] {
            let outcome = try await home.nativeauth(command, "--json", environment: environment)
            let storage = try object(outcome.output).object("storage")
            let words = word.split(separator: "+").map(String.init)
            #expect(storage.string("backend") == words[0])
            #expect(storage.string("key") == (words.count == 2 ? words[1] : nil))
            #expect(storage["encrypted"] as? Bool == (word == "secret-service" ? nil : words.count == 2))
            let path = words.count == 2 ? home.encryptedCache : word == "file" ? home.cache : nil
            #expect(storage.string("path") == path)
            #expect(storage.string("mode") == (path == nil ? nil : "0600"))
            #expect((storage.string("item") == nil) == (path != nil))
        }
        let text = try await home.nativeauth("status", environment: environment).output
        #expect(text.contains("not encrypted") == (word == "file"))
        #expect(text.contains("gone when the machine restarts") == word.contains("kernel"))
    }

    @Test("a key that is gone is told, and the next sign-in starts anew", .kernelKeyring)
    func lostKey() async throws {
        let environment = ["NATIVEAUTH_STORAGE": "encrypted-file+kernel-keyring"]
        try await signUp(environment)
        keys.remove()
        let token = try await home.nativeauth("token", environment: environment)
        #expect(token.ending == .exit(4) && token.output.isEmpty)
        #expect(token.errors.contains("The key of \(home.encryptedCache) is gone"), "\(token)")
        #expect(token.errors.contains("Sign in again: 'nativeauth signin'."))
        let status = try await home.nativeauth("status", "--json", environment: environment)
        #expect(status.ending == .exit(4))
        #expect(try object(status.output).string("reason") == "key_missing")
        let again = try await signIn(environment)
        #expect(again.ending == .exit(0) && again.errors.contains("\(home.encryptedCache).without-key"), "\(again)")
        #expect(try await home.nativeauth("token", environment: environment).ending == .exit(0))
        let doctor = try await home.nativeauth("doctor", environment: environment)
        #expect(doctor.output.contains("is an encrypted token cache whose key is gone"))
        keys.remove()
        let out = try await home.nativeauth("signout", environment: environment)
        #expect(out.ending == .exit(0) && out.errors.contains("Nobody was signed in."), "\(out)")
    }

    @Test("the file is what the documentation says: another program opens it with the key", .kernelKeyring)
    func otherProgram() async throws {
        try await signUp(["NATIVEAUTH_STORAGE": "encrypted-file+kernel-keyring"])
        let script = try home.write(
            "open.py",
            """
            import json, sys
            from cryptography.hazmat.primitives.ciphers.aead import AESGCM
            data = open(sys.argv[1], "rb").read()
            header, nonce, rest = data[:27], data[27:39], data[39:]
            assert header[:11] == b"NATIVEAUTH\\x01"
            name = sys.argv[1].rsplit("/", 1)[1].encode()
            cache = json.loads(AESGCM(bytes.fromhex(sys.argv[2])).decrypt(nonce, rest, header + name))
            print(*sorted(cache))

            """)
        let key = try #require(keys.content)
        let outcome = try await home.shell("python3 \(script) '\(home.encryptedCache)' \(key)")
        #expect(outcome.output == "AccessToken Account AppMetadata IdToken RefreshToken nativeauth\n", "\(outcome)")
    }

    @Test(
        "a profile chooses in config.json, also one that is built in; the environment comes before it", .kernelKeyring)
    func profileChoice() async throws {
        try home.write(
            ".config/nativeauth/config.json",
            #"{"profiles":{"local":{"storage":"encrypted-file","key":"kernel-keyring"}}}"#)
        try await signUp([:])
        #expect(home.names(in: home.configFolder + "/accounts") == ["local.encrypted", "local.lock"])
        #expect(try await home.nativeauth("token").ending == .exit(0))
        let other = ["NATIVEAUTH_STORAGE": "file"]
        #expect(try await home.nativeauth("token", environment: other).ending == .exit(4))
        let doctor = try await home.nativeauth("doctor", environment: other)
        #expect(doctor.output.contains("\(home.encryptedCache) is of another storage than the one that is chosen."))
    }

    @Test("'config set storage' takes the words of the environment, and no others")
    func configSet() async throws {
        let wrong = try await home.nativeauth("config", "set", "storage", "keyring")
        #expect(
            wrong.ending == .exit(64) && wrong.errors.contains("'keyring' is none of file, encrypted-file+"), "\(wrong)"
        )
        try await home.succeed("config", "set", "storage", "encrypted-file+secret-service")
        #expect(try await home.succeed("config", "get", "storage") == "encrypted-file+secret-service\n")
        let token = try await home.nativeauth("token")
        #expect(token.ending == .exit(4), "nobody is signed in, and no key is needed to see it: \(token)")
        let signUp = try await home.run(try home.signUpFlags("ada@example.com"))()
        #expect(signUp.ending == .exit(78), "no session, so no key: \(signUp)")
    }
}

extension Trait where Self == ConditionTrait {
    /// For tests that need the kernel's keyring.
    fileprivate static var kernelKeyring: Self {
        .enabled(if: KernelKeyringAccess.isAllowed, "this machine keeps programs from the kernel's keyring")
    }
}
