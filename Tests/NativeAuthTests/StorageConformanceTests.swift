// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import KeyringTesting
import TenantTesting
import TerminalTesting
import Testing

@testable import NativeAuth

/// What every storage has to do, against real files, the real kernel and a real GNOME Keyring.
struct StorageConformanceTests {
    @Test func kernelKeyringIsTested() {
        if KernelKeyringAccess.isAllowed {
            #expect(throws: Never.self) { try KernelKeyring().check() }
        } else {
            withKnownIssue("this machine keeps programs from the kernel's keyring") {
                try KernelKeyring().check()
            }
        }
    }

    @Test(arguments: Shelf.Kind.usable)
    func nothingIsThereAtFirst(_ kind: Shelf.Kind) throws {
        let shelf = try Shelf(kind)
        #expect(try shelf.storage().load() == nil)
        #expect(try shelf.folder.names().isEmpty, "a look makes nothing")
        #expect(shelf.keyNames.isEmpty)
    }

    @Test(arguments: Shelf.Kind.usable)
    func contentComesBackAndIsReplaced(_ kind: Shelf.Kind) throws {
        let shelf = try Shelf(kind)
        for content in ["one", "a longer second one \u{0}\u{1F511}", "3"] {
            try shelf.storage().save(Data(content.utf8))
            #expect(try shelf.storage().load() == Data(content.utf8))
        }
    }

    /// The one limit that is known: a kernel without keys of the type `big_key` takes 32,767 bytes.
    @Test(arguments: Shelf.Kind.usable)
    func manyBytesComeBack(_ kind: Shelf.Kind) throws {
        let shelf = try Shelf(kind)
        let storage = shelf.storage()
        try storage.save(Data("before".utf8))
        let many = Data((0..<200 * 1024).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        do throws(StorageProblem) {
            try storage.save(many)
            #expect(try shelf.storage().load() == many)
        } catch {
            #expect(kind == .kernelKeyring)
            #expect(error == .keyring(.kernel, .tooLarge(many.count)))
            #expect(try shelf.storage().load() == Data("before".utf8))
        }
    }

    @Test(arguments: Shelf.Kind.usable)
    func namesDoNotMix(_ kind: Shelf.Kind) throws {
        let shelf = try Shelf(kind)
        let other = try Shelf(kind)
        try shelf.storage().save(Data("one".utf8))
        #expect(try other.storage().load() == nil)
        try other.storage().save(Data("two".utf8))
        #expect(try shelf.storage().load() == Data("one".utf8))
    }

    /// A link to the folder leads to the same cache.
    @Test(arguments: Shelf.Kind.usable.filter { !$0.isEncrypted })
    func folderHasOneNameOnly(_ kind: Shelf.Kind) throws {
        let shelf = try Shelf(kind)
        try shelf.storage().save(Data("one".utf8))
        symlink(shelf.folder.path + "/accounts", shelf.folder.path + "/link")
        let path = shelf.folder.path + "/link/cache.json"
        switch kind {
        case .kernelKeyring: #expect(try KernelKeyringStorage(path: path).load() == Data("one".utf8))
        case .secretService:
            let environment = ["DBUS_SESSION_BUS_ADDRESS": shelf.bus?.address ?? ""]
            let storage = SecretServiceStorage(path: path, environment: environment)
            #expect(try storage.load() == Data("one".utf8))
        default: #expect(try FileStorage(path: path).load() == Data("one".utf8))
        }
    }

    @Test(arguments: Shelf.Kind.usable)
    func bytesThatAreNoCacheArePutAside(_ kind: Shelf.Kind) async throws {
        let shelf = try Shelf(kind)
        let client = try Fjordshop.client(ScriptedTransport([]), storage: shelf.storage())
        for _ in 0..<2 {
            try shelf.storage().save(Data("garbage".utf8))
            let reason = await authFailure { try client.account() }?.reason
            #expect(reason == .storage(.corrupt(path: shelf.storage().place)))
            let place = try #require(try await client.setAsideDamagedCache())
            #expect(place.contains(".corrupt-"))
            #expect(try shelf.storage().load() == nil)
        }
        #expect(try await client.setAsideDamagedCache() == nil)
        let inFiles = try shelf.folder.names("accounts").filter { $0.contains(".corrupt-") }
        let inKeyring = shelf.keyNames.filter { $0.contains(".corrupt-") }
        #expect(inFiles.count + inKeyring.count == 2, "both are kept")
    }

    @Test(arguments: Shelf.Kind.usable)
    func nothingCannotBePutAside(_ kind: Shelf.Kind) throws {
        let shelf = try Shelf(kind)
        #expect(throws: StorageProblem.self) { try shelf.storage().setAside() }
    }

    /// `flock(1)` stands for another process.
    @Test(arguments: Shelf.Kind.usable)
    func lockKeepsOtherProcessesOut(_ kind: Shelf.Kind) async throws {
        let shelf = try Shelf(kind)
        let lock = shelf.folder.path + "/accounts/cache.lock"
        let inside = try await shelf.storage().locked { () async throws(AuthError) in
            try? await Run("/usr/bin/flock", ["-n", lock, "true"])().ending
        }
        #expect(inside == .exit(1))
        // A process that another test starts has the lock for a moment, between its fork and its exec.
        #expect(try await Run("/usr/bin/flock", ["-w", "30", lock, "true"])().ending == .exit(0))
        #expect(shelf.folder.mode("accounts/cache.lock") == 0o600)
    }

    @Test(arguments: Shelf.Kind.usable)
    func lockKeepsOtherTasksOut(_ kind: Shelf.Kind) async throws {
        let shelf = try Shelf(kind)
        try shelf.storage().save(Data("0".utf8))
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    let storage = shelf.storage()
                    try await storage.locked { () async throws(AuthError) in
                        do throws(StorageProblem) {
                            let text = String(decoding: try storage.load() ?? Data(), as: UTF8.self)
                            await Task.yield()
                            try storage.save(Data(String((Int(text) ?? -100) + 1).utf8))
                        } catch {
                            throw AuthError(.storage(error))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try shelf.storage().load() == Data("4".utf8))
    }

    /// A session by way of the whole client, and its end.
    @Test(arguments: Shelf.Kind.usable)
    func sessionIsKept(_ kind: Shelf.Kind) async throws {
        let shelf = try Shelf(kind)
        let server = ScriptedTransport([
            .ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")), .ok(Issuer.shared.tokens()),
        ])
        let client = try Fjordshop.client(server, storage: shelf.storage())
        _ = try await client.signIn(username: Fjordshop.mira, password: "p")
        let other = try Fjordshop.client(ScriptedTransport([]), storage: shelf.storage())
        #expect(try other.account()?.username == Fjordshop.mira)
        try await other.account()?.signOut()
        #expect(try client.account() == nil)
    }
}
