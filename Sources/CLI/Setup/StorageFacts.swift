// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import NativeAuth

/// Where the tokens are, as `status --json` and `whoami --json` print it.
struct StorageFacts: Encodable, Sendable {
    let backend: String
    /// Where the key of an encrypted file is.
    let key: String?
    /// The file; nil where the tokens are in none.
    let path: String?
    /// The keyring's item in words; nil where the tokens are in a file.
    let item: String?
    /// In octal digits, as `chmod` has it; nil while there is no file.
    let mode: String?
    /// Whether what is on a disk is encrypted; nil where the Secret Service decides that.
    let encrypted: Bool?

    init(_ profile: Profile, place: String) {
        let choice = profile.storage
        backend = choice.backend
        key = choice.key.map(StorageChoice.backend(of:))
        path = choice.isFile ? profile.accountFile : nil
        item = choice.isFile ? nil : place
        mode = path.flatMap(StorageFacts.mode(of:))
        encrypted = choice == .secretService ? nil : choice.key != nil
    }

    private static func mode(of path: String) -> String? {
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return nil }
        let digits = String(facts.st_mode & 0o7777, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// The same for a person.
    var text: String {
        guard let path else {
            return (item ?? "") + (backend == "kernel-keyring" ? ", gone when the machine restarts" : "")
        }
        guard let mode else { return path + ", which does not exist" }
        switch key {
        case nil: return "\(path), mode \(mode), not encrypted"
        case "kernel-keyring":
            return
                "\(path), mode \(mode), encrypted; the key is in the kernel's keyring, gone when the machine restarts"
        default: return "\(path), mode \(mode), encrypted; the key is in the Secret Service"
        }
    }
}
