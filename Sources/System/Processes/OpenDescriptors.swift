// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Which descriptors were open at a moment. What a library opens later, without keeping it from other programs, is none of
/// theirs; what this process was started with is.
package struct OpenDescriptors: Sendable {
    /// Nil where the system does not say.
    private let numbers: Set<Int32>?

    /// Those that are open now.
    package static var now: OpenDescriptors { OpenDescriptors(numbers: list()) }

    /// Keeps those that were opened since from every program that this process becomes or starts.
    package func keepLaterOnes() {
        guard let numbers, let open = Self.list() else { return }
        for number in open.subtracting(numbers) where number > STDERR_FILENO {
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        }
    }

    private static func list() -> Set<Int32>? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var numbers: Set<Int32> = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let number = Int32(name), number != dirfd(folder) { numbers.insert(number) }
        }
        return numbers
    }
}
