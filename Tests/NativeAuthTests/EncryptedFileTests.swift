// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import FoundationEssentials
import KeyringTesting
import TenantTesting
import Testing

@testable import NativeAuth

/// The encrypted cache file, and everything that can be wrong with it.
@Suite(.enabled(if: KernelKeyringAccess.isAllowed, "this machine keeps programs from the kernel's keyring"))
struct EncryptedFileTests {
    private let shelf: Shelf
    private let storage: EncryptedFileStorage
    private let content = Data("the secret of the cache".utf8)

    init() throws {
        shelf = try Shelf(.encryptedFileKernel)
        storage = shelf.encrypted()
    }

    private func problem(_ storage: EncryptedFileStorage) -> StorageProblem? {
        do throws(StorageProblem) { _ = try storage.load() } catch { return error }
        return nil
    }

    private func bytes(_ name: String = "cache") throws -> Data {
        try Data(contentsOf: URL(filePath: shelf.folder.path + "/accounts/\(name).encrypted"))
    }

    private func write(_ data: Data, _ name: String = "cache") throws {
        try data.write(to: URL(filePath: shelf.folder.path + "/accounts/\(name).encrypted"))
    }

    @Test func contentIsNotInTheFile() throws {
        try storage.save(content)
        #expect(try bytes().firstRange(of: content) == nil)
        #expect(try bytes().count == content.count + SealedCache.overhead)
        #expect(shelf.folder.mode("accounts/cache.encrypted") == 0o600)
        #expect(shelf.keyNames.count == 1)
    }

    @Test func everyWriteHasANonceOfItsOwn() throws {
        var nonces: Set<[UInt8]> = []
        for number in 0..<20 {
            try storage.save(Data("\(number)".utf8))
            nonces.insert(try SealedCache(try bytes()).nonce)
        }
        #expect(nonces.count == 20)
        #expect(shelf.keyNames.count == 1, "one key for the file")
    }

    @Test func equalContentIsNotWrittenAgain() throws {
        try storage.save(content)
        let before = try bytes()
        try storage.save(content)
        #expect(try bytes() == before)
    }

    @Test func everyShorterFileIsRefused() throws {
        try storage.save(content)
        let whole = try bytes()
        for end in 0..<whole.count {
            try write(whole.prefix(end))
            #expect(problem(storage) == .corrupt(path: storage.path), "\(end) bytes")
        }
    }

    @Test func everyChangedByteIsNoticed() throws {
        try storage.save(content)
        let whole = try bytes()
        for index in whole.indices {
            var changed = whole
            changed[index] ^= 0x81
            try write(changed)
            let expected: StorageProblem =
                switch index {
                case 10: .newerSchema(Int(1 ^ 0x81))
                case 11..<27: .keyMissing(path: storage.path, in: .kernel)
                default: .corrupt(path: storage.path)
                }
            #expect(problem(storage) == expected, "byte \(index)")
        }
    }

    @Test func fileOfAnotherProfileIsNotTaken() throws {
        let other = shelf.encrypted("other")
        try storage.save(content)
        try other.save(Data("another account".utf8))
        let mine = try bytes()
        try write(try bytes("other"))
        try write(mine, "other")
        #expect(problem(storage) == .corrupt(path: storage.path))
        #expect(problem(other) == .corrupt(path: other.path))
    }

    @Test func lostKeyIsToldFromDamage() throws {
        try storage.save(content)
        try shelf.loseKeys()
        #expect(problem(storage) == .keyMissing(path: storage.path, in: .kernel))
    }

    @Test func otherKeyIsToldFromDamage() throws {
        try storage.save(content)
        try shelf.changeKeys()
        #expect(problem(storage) == .keyChanged(path: storage.path, in: .kernel))
    }

    /// After a restart, say: what cannot be read is put aside, once, and the next session has a key of its own.
    @Test func signInAfterALostKey() async throws {
        for _ in 0..<2 {
            try storage.save(content)
            try shelf.loseKeys()
            let client = try Fjordshop.client(
                ScriptedTransport([
                    .ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")), .ok(Issuer.shared.tokens()),
                ]), storage: storage)
            let place = try #require(try await client.setAsideDamagedCache())
            #expect(place == storage.path + ".without-key")
            _ = try await client.signIn(username: Fjordshop.mira, password: "p")
            #expect(try client.account()?.username == Fjordshop.mira)
        }
        #expect(
            try shelf.folder.names("accounts").sorted()
                == ["cache.encrypted", "cache.encrypted.without-key", "cache.lock"])
    }

    /// A keyring that fails is no reason to start anew, or to write anything.
    @Test func failingKeyringKeepsTheFile() async throws {
        try storage.save(content)
        let before = try bytes()
        let failing = EncryptedFileStorage(path: storage.path, keys: SecretService(bus: nil))
        #expect(throws: StorageProblem.keyring(.secretService, .noSession)) { try failing.load() }
        #expect(throws: StorageProblem.keyring(.secretService, .noSession)) { try failing.save(Data("new".utf8)) }
        let client = try Fjordshop.client(ScriptedTransport([]), storage: failing)
        let reason = await authFailure { try await client.setAsideDamagedCache() }?.reason
        #expect(reason == .storage(.keyring(.secretService, .noSession)))
        #expect(try bytes() == before)
    }

    /// Test cases 14 and 16 of the specification of GCM that NIST's SP 800-38D comes from.
    @Test(arguments: [
        (
            key: String(repeating: "00", count: 32), nonce: String(repeating: "00", count: 12), header: "",
            message: String(repeating: "00", count: 16),
            sealed: "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"
        ),
        (
            key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888", header: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            message:
                "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
            sealed:
                "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b"
        ),
    ])
    func cipherIsTheStandardOne(
        _ vector: (key: String, nonce: String, header: String, message: String, sealed: String)
    ) {
        let (key, nonce, header) = (hex(vector.key), hex(vector.nonce), hex(vector.header))
        let (message, sealed) = (hex(vector.message), hex(vector.sealed))
        var made = [UInt8](repeating: 0, count: sealed.count)
        #expect(na_aes256gcm_seal(key, nonce, header, header.count, message, message.count, &made) == 1)
        #expect(made == sealed)
        var opened = [UInt8](repeating: 0, count: message.count)
        #expect(na_aes256gcm_open(key, nonce, header, header.count, sealed, sealed.count, &opened) == 1)
        #expect(opened == message)
        #expect(na_aes256gcm_open(key, nonce, header + [0], header.count + 1, sealed, sealed.count, &opened) == 0)
        #expect(opened.allSatisfy { $0 == 0 }, "nothing unchecked is handed out")
    }

    private func hex(_ text: String) -> [UInt8] {
        stride(from: 0, to: text.count, by: 2).compactMap { index in
            UInt8(text.dropFirst(index).prefix(2), radix: 16)
        }
    }
}
