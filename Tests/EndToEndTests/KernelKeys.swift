// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting

/// The keys of a test in the kernel's keyring, which is the machine's: looked at by `keyctl`, and removed in the end.
final class KernelKeys: Sendable {
    private let home: Home

    init(_ home: Home) { self.home = home }

    deinit { remove() }

    /// The name of the key of an encrypted file, as its header has it.
    private var fileKey: String? {
        guard let data = try? Data(contentsOf: URL(filePath: home.encryptedCache)), data.count > 27 else { return nil }
        return "nativeauth:key " + data[11..<27].map { String(format: "%02x", $0) }.joined()
    }

    private var names: [String] { ["nativeauth:\(home.cache)"] + [fileKey].compactMap { $0 } }

    /// The content of the file's key, in hexadecimal digits; nil where there is none.
    var content: String? {
        guard let name = fileKey else { return nil }
        let script = Self.search(name) + "keyctl link @u @s; keyctl pipe $id | od -An -v -tx1 | tr -d ' \\n'"
        guard let outcome = try? shell(script), outcome.ending == .exit(0) else { return nil }
        return outcome.output
    }

    /// Takes every key away, as a restart does.
    func remove() {
        for name in names { _ = try? shell(Self.search(name) + "keyctl unlink $id @u") }
    }

    private static func search(_ name: String) -> String {
        "id=$(keyctl search @u big_key '\(name)' || keyctl search @u user '\(name)') || exit 9\n"
    }

    private func shell(_ script: String) throws -> Run.Outcome {
        try Run("/usr/bin/keyctl", ["session", "-", "/bin/sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"])
            .wait()
    }
}

extension Home {
    var encryptedCache: String { configFolder + "/accounts/local.encrypted" }
}
