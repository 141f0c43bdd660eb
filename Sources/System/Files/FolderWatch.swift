// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Tells of files that come into a folder (inotify(7)).
package struct FolderWatch: ~Copyable, Sendable {
    private let number: Int32
    private let path: String

    /// Watches from now on.
    package init(_ path: String) throws(FileError) {
        self.path = path
        number = inotify_init1(Int32(IN_CLOEXEC))
        guard number >= 0, inotify_add_watch(number, path, UInt32(IN_MOVED_TO | IN_CREATE)) >= 0 else {
            throw FileError("watch", path, errno: errno)
        }
    }

    deinit {
        if number >= 0 { close(number) }
    }

    /// Waits until something has come: the names.
    package func next() throws(FileError) -> [String] {
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(number, &bytes, bytes.count)
            if count > 0 { return Self.names(in: bytes[..<count]) }
            guard errno == EINTR else { throw FileError("watch", path, errno: errno) }
        }
    }

    /// Events lie one behind the other: a head that ends with the length of the name, and the name, filled up with NULs.
    private static func names(in bytes: ArraySlice<UInt8>) -> [String] {
        let head = MemoryLayout<inotify_event>.size
        var names: [String] = []
        var rest = bytes
        while rest.count >= head {
            let length = rest[rest.startIndex..<rest.startIndex + head].withUnsafeBytes {
                Int($0.loadUnaligned(fromByteOffset: head - 4, as: UInt32.self))
            }
            rest = rest.dropFirst(head)
            names.append(String(decoding: rest.prefix(length).prefix { $0 != 0 }, as: UTF8.self))
            rest = rest.dropFirst(length)
        }
        return names
    }
}
