// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// A folder of the test's own, which goes when the test ends.
final class TemporaryFolder: Sendable {
    let path: String

    struct Failed: Error {
        let operation: String
    }

    init() throws {
        // A disk takes milliseconds to sync, and no test pulls the plug.
        let place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        path = "\(place)/nativeauth-test-\(UUID().uuidString)"
        guard mkdir(path, 0o700) == 0 else { throw Failed(operation: "mkdir") }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ text: String, to name: String, mode: mode_t = 0o600) throws {
        let target = path + "/" + name
        if let slash = target.lastIndex(of: "/") { mkdir(String(target[..<slash]), 0o700) }
        try Data(text.utf8).write(to: URL(filePath: target))
        chmod(target, mode)
    }

    func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path + "/" + name)), as: UTF8.self)
    }

    func names(_ name: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/" + name).sorted()
    }

    /// The permission bits.
    func mode(_ name: String = "") -> mode_t {
        var status = stat()
        return lstat(path + "/" + name, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    /// Tells one file from another of the same name.
    func inode(_ name: String) -> UInt64 {
        var status = stat()
        return lstat(path + "/" + name, &status) == 0 ? UInt64(status.st_ino) : 0
    }
}
