// SPDX-License-Identifier: Apache-2.0

import Console
import Files
import FoundationEssentials
import Glibc

/// Where `config.json` is. It holds no secret and may be a link, as in a folder of dotfiles: the link stays, and what it
/// leads to is replaced.
struct ConfigurationPlace: Sendable {
    let path: String

    init(_ environment: [String: String]) throws(CommandFailure) {
        path = try Profile.configurationFolder(environment) + "/config.json"
    }

    func read() throws -> ConfigurationFile {
        guard let data = try Self.content(of: path) else { return ConfigurationFile() }
        return try ConfigurationFile(data, at: path)
    }

    /// The bytes of the file; nil where there is none.
    static func content(of path: String) throws(CommandFailure) -> Data? {
        do throws(FileError) {
            return try FileDescriptor(path, O_RDONLY | O_NONBLOCK).readToEnd(limit: ConfigurationFile.sizeLimit)
        } catch {
            if error.errno == ENOENT || error.errno == ENOTDIR { return nil }
            throw CommandFailure(.configuration, error.sentence)
        }
    }

    /// Changes the file, alone; what cannot be read is not written over.
    func change(_ body: (inout ConfigurationFile) throws -> Void) throws {
        do {
            let target = target
            let slash = target.lastIndex(of: "/") ?? target.startIndex
            let name = String(target[target.index(after: slash)...])
            try FileDescriptor.createFolders(String(target[..<slash]))
            let folder = try FileDescriptor(folder: String(target[..<slash]))
            let lock = try FileDescriptor("\(name).lock", in: folder, O_RDWR | O_CREAT)
            try wait(for: lock)
            var file = try read()
            let before = file
            try body(&file)
            if file != before { try folder.replace(name, with: file.data) }
        } catch let error as FileError {
            throw CommandFailure(
                .cannotCreate, error.sentence, hint: "Choose another folder with NATIVEAUTH_CONFIG_DIR.")
        }
    }

    /// Ten seconds at most: nobody holds this lock for longer than a file takes to be written.
    private func wait(for lock: borrowing FileDescriptor) throws {
        for _ in 0..<200 {
            if try lock.tryLock() { return }
            usleep(50_000)
        }
        throw CommandFailure(.tryAgain, "Another process is changing \(path.printable).", hint: "Try again.")
    }

    /// Where a link leads; the path itself where there is none, or nothing yet.
    private var target: String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
