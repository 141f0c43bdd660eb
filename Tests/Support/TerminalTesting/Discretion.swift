// SPDX-License-Identifier: Apache-2.0

internal import CPty
internal import Glibc

/// What a program must keep to itself, whatever a test is about: it is looked for on its streams, in the argument lists and
/// environments of the program and of those that it starts, and in the files that it leaves.
package struct Discretion: Sendable {
    private let secrets: [[UInt8]]
    private let folder: String?
    private let isOurs: @Sendable (String) -> Bool

    /// Nothing to hide.
    package static let none = Discretion(secrets: [])

    /// - Parameters:
    ///   - folder: Where the program may leave files.
    ///   - isOurs: Whether the test wrote a file itself, by its path.
    package init(
        secrets: [String], folder: String? = nil, isOurs: @escaping @Sendable (String) -> Bool = { _ in false }
    ) {
        self.secrets = secrets.map { Array($0.utf8) }
        self.folder = folder
        self.isOurs = isOurs
    }

    func isKept(in text: String) -> Bool { isKept(in: Array(text.utf8)) }

    /// Where a running program or one of its children shows a secret; nil where none does.
    func leak(ofProcess process: pid_t) -> String? {
        guard !secrets.isEmpty else { return nil }
        for name in ["cmdline", "environ"] where !isKept(in: read("/proc/\(process)/\(name)")) {
            return "\(name) of process \(process)"
        }
        let tasks = names(in: "/proc/\(process)/task")
        let children = tasks.flatMap { task in
            String(decoding: read("/proc/\(process)/task/\(task)/children"), as: UTF8.self).split(separator: " ")
        }
        return children.lazy.compactMap { pid_t($0) }.compactMap { leak(ofProcess: $0) }.first
    }

    /// The file that has a secret in it; nil where none has.
    func leakedFile() -> String? {
        guard let folder, !secrets.isEmpty else { return nil }
        return leakedFile(in: folder)
    }

    private func leakedFile(in folder: String) -> String? {
        for name in names(in: folder) {
            let path = folder + "/" + name
            var facts = stat()
            guard lstat(path, &facts) == 0 else { continue }
            if facts.st_mode & S_IFMT == S_IFDIR, let found = leakedFile(in: path) { return found }
            if facts.st_mode & S_IFMT == S_IFREG, !isOurs(path), !isKept(in: read(path)) { return path }
        }
        return nil
    }

    private func isKept(in bytes: [UInt8]) -> Bool {
        secrets.allSatisfy { na_pty_find(bytes, bytes.count, $0, $0.count) < 0 }
    }

    /// What is gone meanwhile, or may not be read, is empty.
    private func read(_ path: String) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
        }
    }

    private func names(in folder: String) -> [String] {
        guard let listing = opendir(folder) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
