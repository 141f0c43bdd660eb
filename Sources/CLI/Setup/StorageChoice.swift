// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// Where a profile's tokens are kept. What is chosen is used or fails: nothing else takes its place.
enum StorageChoice: Equatable, Sendable {
    case file
    case encryptedFile(key: Keyring)
    case kernelKeyring
    case secretService

    /// The one spelling for each, as the environment and `config set` have it.
    static let words: [(word: String, choice: StorageChoice)] = [
        ("file", .file),
        ("encrypted-file+kernel-keyring", .encryptedFile(key: .kernel)),
        ("encrypted-file+secret-service", .encryptedFile(key: .secretService)),
        ("kernel-keyring", .kernelKeyring),
        ("secret-service", .secretService),
    ]

    /// Words that name no storage.
    struct Unknown: Error, Equatable {
        let word: String

        var list: String { StorageChoice.words.map(\.word).joined(separator: ", ") }
    }

    /// A choice by its word.
    init(_ word: String) throws(Unknown) {
        guard let row = Self.words.first(where: { $0.word == word }) else { throw Unknown(word: word) }
        self = row.choice
    }

    /// A choice by the members of a profile in `config.json`: `storage`, and for an encrypted file `key`, unless the word of
    /// the first has both.
    init(storage: String?, key: String?) throws(Unknown) {
        let storage = storage ?? "file"
        try self.init(storage + (key.map { "+" + $0 } ?? ""))
    }

    /// The environment's word, or the profile's.
    static func chosen(
        environment: [String: String], stored: StoredProfile?, profile: String
    ) throws(CommandFailure) -> StorageChoice {
        if let word = environment["NATIVEAUTH_STORAGE"], !word.isEmpty {
            do throws(Unknown) {
                return try StorageChoice(word)
            } catch {
                throw CommandFailure(
                    .usage, "NATIVEAUTH_STORAGE is '\(word.printable)'; it has to be one of: \(error.list).")
            }
        }
        do throws(Unknown) {
            return try StorageChoice(storage: stored?.storage, key: stored?.key)
        } catch {
            throw CommandFailure(
                .configuration,
                "The storage of the profile '\(profile)' in config.json is '\(error.word.printable)'; it has to be one of: \(error.list).",
                hint:
                    "Write \"storage\": \"encrypted-file\", \"key\": \"kernel-keyring\" for encrypted-file+kernel-keyring."
            )
        }
    }

    /// The word that chooses it.
    var word: String { key.map { "\(backend)+\(StorageChoice.backend(of: $0))" } ?? backend }

    /// The word without the place of the key.
    var backend: String {
        switch self {
        case .file: "file"
        case .encryptedFile: "encrypted-file"
        case .kernelKeyring: Self.backend(of: .kernel)
        case .secretService: Self.backend(of: .secretService)
        }
    }

    /// Where the key of an encrypted file is.
    var key: Keyring? {
        if case .encryptedFile(let key) = self { key } else { nil }
    }

    static func backend(of keyring: Keyring) -> String {
        switch keyring {
        case .kernel: "kernel-keyring"
        case .secretService: "secret-service"
        }
    }

    /// Whether the tokens are in a file of this program's.
    var isFile: Bool {
        switch self {
        case .file, .encryptedFile: true
        case .kernelKeyring, .secretService: false
        }
    }

    /// The path of a profile's cache: that of its file, or the one that an item of a keyring is named after.
    func path(folder: String, profile: String) -> String {
        "\(folder)/\(profile)\(key == nil ? ".json" : ".encrypted")"
    }

    func storage(path: String, environment: [String: String], time: TimeSource) -> any TokenStorage {
        switch self {
        case .file: FileStorage(path: path, time: time)
        case .encryptedFile(let key):
            EncryptedFileStorage(path: path, keyring: key, environment: environment, time: time)
        case .kernelKeyring: KernelKeyringStorage(path: path, time: time)
        case .secretService: SecretServiceStorage(path: path, environment: environment, time: time)
        }
    }
}
