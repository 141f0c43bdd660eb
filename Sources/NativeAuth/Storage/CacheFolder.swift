// SPDX-License-Identifier: Apache-2.0

import Files
import FoundationEssentials
import Glibc

/// The folder of a token cache, and the cache's name in it.
struct CacheFolder: Sendable {
    let path: String
    /// The last component of the cache's path.
    let name: String

    init(of file: String) {
        let slash = file.lastIndex(of: "/")
        path = slash.map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
        name = slash.map { String(file[file.index(after: $0)...]) } ?? file
    }

    /// Opens the folder, which is made if it is missing, after a look at who else could put files there.
    func open() throws(StorageProblem) -> FileDescriptor {
        do { try FileDescriptor.createFolders(path) } catch { throw StorageProblem(error) }
        guard let directory = try openIfThere() else {
            throw .failed(operation: "open", path: path, errno: ENOENT)
        }
        return directory
    }

    /// Opens the folder after the same look; nil where it does not exist.
    func openIfThere() throws(StorageProblem) -> FileDescriptor? {
        guard let directory = try opened() else { return nil }
        try check(directory)
        try checkParents()
        return directory
    }

    private func opened() throws(StorageProblem) -> FileDescriptor? {
        do throws(FileError) { return try FileDescriptor(folder: path) } catch {
            if error.errno == ENOENT || error.errno == ENOTDIR { return nil }
            throw StorageProblem(error)
        }
    }

    private func check(_ directory: borrowing FileDescriptor) throws(StorageProblem) {
        let facts: FileDescriptor.Facts
        do throws(FileError) { facts = try directory.facts() } catch { throw StorageProblem(error) }
        guard facts.owner == geteuid() else { throw .insecure(path: path, problem: "it belongs to another user") }
        guard facts.mode & 0o022 == 0 else { throw .insecure(path: path, problem: "other users may write to it") }
    }

    /// Who may rename a folder on the way can put another one in its place. Only a folder with the sticky bit, as /tmp, keeps
    /// everybody from what is not theirs (inode(7)).
    private func checkParents() throws(StorageProblem) {
        var parent = path[...]
        while let slash = parent.lastIndex(of: "/"), slash > parent.startIndex {
            parent = parent[..<slash]
            var facts = stat()
            guard stat(String(parent), &facts) == 0 else { continue }
            if facts.st_mode & 0o002 != 0, facts.st_mode & UInt32(S_ISVTX) == 0 {
                throw .insecure(path: String(parent), problem: "everybody may write to it")
            }
        }
    }

    /// The cache's absolute path without links, the same from wherever a program is started; nil where the folder does
    /// not exist.
    var absolutePath: String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        let folder = String(cString: resolved)
        return (folder == "/" ? "" : folder) + "/" + name
    }

    /// An ending for what is put aside: the time for people, and a part that differs, so that nothing that was put aside
    /// before is written over.
    static func stamp(at now: Date) -> String {
        let time = now.formatted(.iso8601).replacing(":", with: "").replacing("-", with: "")
        return "corrupt-\(time)-\(UUID().uuidString.prefix(8).lowercased())"
    }
}

extension StorageProblem {
    init(_ error: FileError) {
        self = .failed(operation: error.operation, path: error.path, errno: error.errno)
    }
}
