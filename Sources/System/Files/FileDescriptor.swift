// SPDX-License-Identifier: Apache-2.0

import CFiles
package import FoundationEssentials
import Glibc

/// A file operation that failed.
package struct FileError: Error, Sendable, Equatable {
    /// A verb: "open", "write", "rename".
    package let operation: String
    package let path: String
    package let errno: Int32

    package init(_ operation: String, _ path: String, errno: Int32) {
        self.operation = operation
        self.path = path
        self.errno = errno
    }
}

/// An open file that is closed when it goes out of scope. Every failure names the operation and the path.
package struct FileDescriptor: ~Copyable, Sendable {
    private let number: Int32
    private let path: String

    /// Opens a file; creates it with mode 0600 if the flags say so. It is never passed on to a child process.
    package init(_ path: String, _ flags: Int32) throws(FileError) {
        number = open(path, flags | O_CLOEXEC, 0o600)
        self.path = path
        guard number >= 0 else { throw FileError("open", path, errno: errno) }
    }

    /// Opens a file inside a folder, without following a link in its last component.
    package init(_ name: String, in folder: borrowing FileDescriptor, _ flags: Int32) throws(FileError) {
        number = openat(folder.number, name, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
        path = folder.path + "/" + name
        guard number >= 0 else { throw FileError("open", path, errno: errno) }
    }

    deinit {
        guard number >= 0 else { return }
        // A program that is just being started has all files until it runs; a lock would last as long: flock(2).
        flock(number, LOCK_UN)
        close(number)
    }

    /// What is worth knowing before a file is trusted.
    package struct Facts: Sendable {
        package let isRegularFile: Bool
        package let owner: UInt32
        package let mode: UInt32
        package let size: Int
        /// How many names the file has.
        package let links: Int
    }

    package func facts() throws(FileError) -> Facts {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw failure("examine") }
        return Facts(
            isRegularFile: status.st_mode & S_IFMT == S_IFREG, owner: status.st_uid, mode: status.st_mode & 0o7777,
            size: status.st_size, links: Int(status.st_nlink))
    }

    package func setMode(_ mode: UInt32) throws(FileError) {
        guard fchmod(number, mode) == 0 else { throw failure("set the mode of") }
    }

    /// Reads what is next; nothing at the end.
    package func read(atMost length: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: length)
        while true {
            let count = Glibc.read(number, &bytes, length)
            if count >= 0 { return Array(bytes[..<count]) }
            guard errno == EINTR else { throw failure("read") }
        }
    }

    /// Reads to the end; a file longer than `limit` fails with `EFBIG`.
    package func readToEnd(limit: Int) throws(FileError) -> Data {
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        var data = Data()
        while data.count <= limit {
            let count = Glibc.read(number, &bytes, bytes.count)
            if count == 0 { return data }
            if count > 0 {
                data.append(contentsOf: bytes[..<count])
            } else if errno != EINTR {
                throw failure("read")
            }
        }
        throw FileError("read", path, errno: EFBIG)
    }

    package func write(_ data: some Collection<UInt8>) throws(FileError) {
        let bytes = Array(data)
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if count >= 0 {
                done += count
            } else if errno != EINTR {
                throw failure("write")
            }
        }
    }

    package func truncate() throws(FileError) {
        guard ftruncate(number, 0) == 0, lseek(number, 0, SEEK_SET) == 0 else { throw failure("truncate") }
    }

    /// Once this returns, the content survives a power failure.
    package func sync() throws(FileError) {
        guard fsync(number) == 0 else { throw failure("sync") }
    }

    /// Locks the whole file for this descriptor, if nobody else has it locked. The kernel releases the lock when the
    /// descriptor is closed, however the process ends.
    package func tryLock() throws(FileError) -> Bool {
        if flock(number, LOCK_EX | LOCK_NB) == 0 { return true }
        if errno == EWOULDBLOCK || errno == EINTR { return false }
        throw failure("lock")
    }

    /// Whether this path leads to this very file.
    package func isStill(at path: String) throws(FileError) -> Bool {
        var own = stat()
        var found = stat()
        guard fstat(number, &own) == 0 else { throw failure("examine") }
        return stat(path, &found) == 0 && own.st_ino == found.st_ino && own.st_dev == found.st_dev
    }

    private func failure(_ operation: String) -> FileError {
        FileError(operation, path, errno: errno)
    }
}

// MARK: - Folders

extension FileDescriptor {
    /// Opens a folder.
    package init(folder path: String) throws(FileError) {
        try self.init(path, O_RDONLY | O_DIRECTORY)
    }

    /// Makes a folder and those above it, each with mode 0700; their names survive a power failure.
    package static func createFolders(_ path: String) throws(FileError) {
        var part = ""
        for segment in path.split(separator: "/") {
            part += (part.isEmpty && !path.hasPrefix("/") ? "" : "/") + segment
            if mkdir(part, 0o700) == 0 {
                syncFolder(above: part)
                continue
            }
            guard errno != EEXIST else { continue }
            // A folder that is there answers EROFS or EACCES where its parent cannot be written to.
            let reason = errno
            var status = stat()
            guard stat(part, &status) == 0 else { throw FileError("create", part, errno: reason) }
        }
    }

    /// Lets two paths change places at once: at no moment is either of them missing.
    package static func exchange(_ one: String, _ other: String) throws(FileError) {
        guard na_exchange(one, other) == 0 else { throw FileError("replace", other, errno: errno) }
    }

    /// A folder that may not be opened for reading, as `/home` is for some, is left to the system.
    private static func syncFolder(above path: String) {
        let above = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        guard let folder = try? FileDescriptor(folder: above.isEmpty ? "/" : above) else { return }
        try? folder.sync()
    }

    /// Replaces a file in this folder as a whole: readers see the old content or the new, and so does a machine that
    /// starts again after a power failure at any moment. The file has mode 0600.
    ///
    /// - Parameter isDurable: Whether the file has to be on the disk when this returns. If not, a power failure may leave
    ///   an empty one.
    package func replace(
        _ name: String, with data: some Collection<UInt8>, isDurable: Bool = true
    ) throws(FileError) {
        let temporary = ".\(name).\(UUID().uuidString.lowercased())"
        do throws(FileError) {
            let file = try FileDescriptor(temporary, in: self, O_WRONLY | O_CREAT | O_EXCL)
            try file.setMode(0o600)  // the umask may have taken the owner's bits
            try file.write(data)
            if isDurable { try file.sync() }
            try rename(temporary, to: name, isDurable: isDurable)
        } catch {
            unlinkat(number, temporary, 0)
            throw error
        }
    }

    /// Removes what became of changes to a file whose processes died in the middle: this user's, and an hour old or more,
    /// so that nobody is at it any more.
    package func removeLeftovers(of name: String, at now: Date) {
        for found in names() where found.hasPrefix(".\(name).") {
            var status = stat()
            guard fstatat(number, found, &status, AT_SYMLINK_NOFOLLOW) == 0,
                status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
                now.timeIntervalSince1970 - Double(status.st_mtim.tv_sec) >= 3600
            else { continue }
            unlinkat(number, found, 0)
        }
    }

    /// Removes files in this folder by their names, durably; those of nobody else.
    package func removeFiles(where isMeant: (String) -> Bool) throws(FileError) {
        for name in names() where isMeant(name) {
            guard unlinkat(number, name, 0) == 0 || errno == ENOENT else {
                throw FileError("remove", path + "/" + name, errno: errno)
            }
        }
        try sync()
    }

    /// The names in this folder, `.` and `..` among them; none where it cannot be read.
    package func names() -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names
    }

    /// Returns when everything is on the disk that was written to the file system of this file.
    package func syncFileSystem() throws(FileError) {
        guard na_sync_file_system(number) == 0 else { throw FileError("sync", path, errno: errno) }
    }

    /// Renames a file in this folder, durably unless that does not matter.
    package func rename(_ old: String, to new: String, isDurable: Bool = true) throws(FileError) {
        guard renameat(number, old, number, new) == 0 else { throw FileError("rename", path + "/" + old, errno: errno) }
        if isDurable { try sync() }
    }
}
