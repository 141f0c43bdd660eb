// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KeyringTesting

@testable import NativeAuth

/// A fresh place for token caches, of one of the kinds that there are.
final class Shelf: Sendable {
    enum Kind: CaseIterable, Sendable {
        case file, kernelKeyring, secretService, encryptedFileKernel, encryptedFileService

        /// All of them, but for the kernel's where a machine forbids it: `kernelKeyringIsTested` says so then.
        static let usable = allCases.filter { KernelKeyringAccess.isAllowed || !$0.usesKernel }

        var usesKernel: Bool { self == .kernelKeyring || self == .encryptedFileKernel }
        var isEncrypted: Bool { self == .encryptedFileKernel || self == .encryptedFileService }
        var usesBus: Bool { self == .secretService || self == .encryptedFileService }
    }

    let kind: Kind
    let folder: TemporaryFolder
    let bus: SessionBus?
    private let keys: RecordedItems

    init(_ kind: Kind) throws {
        self.kind = kind
        folder = try TemporaryFolder()
        bus = kind.usesBus ? try SessionBus() : nil
        keys = RecordedItems(kind.usesBus ? SecretService(bus: bus?.address) : KernelKeyring())
    }

    /// The kernel's keyring is the machine's: nothing is left in it.
    deinit {
        for name in keys.names { try? keys.remove(name) }
    }

    var path: String { folder.path + "/accounts/cache" + (kind.isEncrypted ? ".encrypted" : ".json") }

    /// A storage of this kind; each call makes another value, as another process would.
    func storage(time: TimeSource = .system) -> any TokenStorage {
        switch kind {
        case .file: FileStorage(path: path, time: time)
        case .kernelKeyring:
            KernelKeyringStorage(cache: KeyringCache(items: keys, path: path, time: time))
        case .secretService:
            SecretServiceStorage(cache: KeyringCache(items: keys, path: path, time: time))
        case .encryptedFileKernel, .encryptedFileService: encrypted()
        }
    }

    func encrypted(_ name: String = "cache") -> EncryptedFileStorage {
        EncryptedFileStorage(path: folder.path + "/accounts/\(name).encrypted", keys: keys)
    }

    /// Takes everything out of the keyring that was put there.
    func loseKeys() throws {
        for name in keys.names { try keys.remove(name) }
    }

    /// Puts another key in the place of each.
    func changeKeys() throws {
        for name in keys.names { try keys.write(Data(CacheKey().bytes), as: name) }
    }

    var keyNames: [String] { keys.names.sorted() }
}
