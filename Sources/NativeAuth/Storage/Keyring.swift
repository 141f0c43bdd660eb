// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Something outside of the file system that keeps secrets for a user.
public enum Keyring: Sendable, Hashable, CaseIterable {
    /// The Linux kernel's: in memory, gone when the machine restarts.
    case kernel
    /// The Secret Service of a desktop session: GNOME Keyring, KWallet, KeePassXC.
    case secretService
}

/// Why a keyring does not give or take what is wanted.
public enum KeyringProblem: Error, Sendable, Equatable {
    /// This machine has none, or keeps programs from it, as sandboxes do.
    case unsupported(String)
    /// There is no D-Bus session, which is the way to the Secret Service.
    case noSession
    /// The session has nobody who keeps secrets.
    case noService(String)
    /// The service has no collection yet to keep secrets in.
    case noCollection
    /// The collection is locked, and to unlock it would ask a person.
    case locked
    /// There was no answer in time.
    case timedOut
    /// More bytes than it takes for one item.
    case tooLarge(Int)
    /// The user's share of it is used up.
    case full
    /// It failed for another reason.
    case failed(String)
}

/// Named bytes in a keyring.
protocol KeyringItems: Sendable {
    var keyring: Keyring { get }

    /// Fails where nothing could be written now, as far as that can be known before.
    func check() throws(KeyringProblem)

    /// Nil where there is nothing of this name.
    func read(_ name: String) throws(KeyringProblem) -> Data?

    /// Sets or replaces the bytes, in one step.
    func write(_ data: Data, as name: String) throws(KeyringProblem)

    /// Removes them, if they are there.
    func remove(_ name: String) throws(KeyringProblem)
}

extension KeyringItems {
    /// Runs `body` if what it will want to save can be kept: a sign-in whose tokens have no place is not begun.
    func checked<Value: Sendable>(
        _ body: () async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        do throws(KeyringProblem) { try check() } catch { throw AuthError(.storage(.keyring(keyring, error))) }
        return try await body()
    }

    /// An item in words for a person, who may look for it in another program.
    func place(of name: String) -> String {
        switch keyring {
        case .kernel: "the key 'nativeauth:\(name)' of the kernel's keyring"
        case .secretService: "the item 'nativeauth: \(name)' of the Secret Service"
        }
    }
}
