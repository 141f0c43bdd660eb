// SPDX-License-Identifier: Apache-2.0

internal import CTerminal
internal import Glibc

/// A stream that is read as it comes, whether or not somebody has made its descriptor non-blocking.
package struct Input: Sendable {
    package let descriptor: Int32

    /// What was said to come from there, and nothing else.
    package static let standardInput = Input(descriptor: STDIN_FILENO)

    /// A stream over an open descriptor, which stays the caller's.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Waits for bytes, and puts as many as there are into the memory.
    ///
    /// - Returns: How many; 0 at the end.
    package func read(into memory: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
        let count = na_read_some(descriptor, memory.baseAddress, memory.count)
        if count < 0 { throw InputError(code: errno) }
        return count
    }

    /// The next bytes, at most so many; none at the end.
    package func next(_ most: Int = 4096) throws(InputError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: most)
        let result = bytes.withUnsafeMutableBytes { memory in
            Result { () throws(InputError) in try read(into: memory) }
        }
        return Array(bytes.prefix(try result.get()))
    }
}

/// A read that failed.
package struct InputError: Error, Equatable, Sendable {
    /// The `errno`.
    package let code: Int32

    /// The system's words for it.
    package var message: String { systemMessage(code) }
}
