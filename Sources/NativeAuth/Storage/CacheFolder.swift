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
        let problem: String
        do throws(FileError) {
            try FileDescriptor.createFolders(path)
            let directory = try FileDescriptor(folder: path)
            let facts = try directory.facts()
            if facts.owner == geteuid(), facts.mode & 0o022 == 0 { return directory }
            problem = facts.owner == geteuid() ? "other users may write to it" : "it belongs to another user"
        } catch {
            throw StorageProblem(error)
        }
        throw .insecure(path: path, problem: problem)
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
