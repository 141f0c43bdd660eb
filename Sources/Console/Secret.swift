// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A password or its like: wiped when nobody holds it any more, and never printed by accident.
package final class Secret: Sendable {
    /// The longest secret, in bytes of UTF-8.
    package static let longest = 4096

    // Written only while `init` runs, read-only after it, and freed when there is one owner left.
    private nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer
    private let count: Int

    /// Lets `fill` write up to `capacity` bytes and return how many there are; the secret is all of them.
    init<Failure: Error>(
        capacity: Int, fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, capacity), alignment: 1)
        do throws(Failure) {
            count = try fill(memory)
        } catch {
            Secret.wipe(memory)
            throw error
        }
        self.memory = memory
    }

    /// A secret that is a text already, as one from a test or a keyring.
    package convenience init(_ text: String) {
        var text = text
        self.init(capacity: text.utf8.count) { memory in
            text.withUTF8 { memory.copyBytes(from: $0) }
            return text.utf8.count
        }
    }

    deinit {
        Secret.wipe(memory)
    }

    /// A copy for the moment of sending. A `String` cannot be wiped: use it there, and do not keep it.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The number of bytes.
    package var byteCount: Int { count }

    /// Gives the bytes to a closure, which must not keep the pointer.
    package func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(bytes)
    }

    private var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory.prefix(count)) }

    private static func wipe(_ memory: UnsafeMutableRawBufferPointer) {
        if let start = memory.baseAddress { explicit_bzero(start, memory.count) }
        memory.deallocate()
    }
}

extension Secret: Equatable {
    /// Takes the same time wherever the two differ; only the lengths show.
    package static func == (first: Secret, second: Secret) -> Bool {
        guard first.count == second.count else { return false }
        return zip(first.bytes, second.bytes).reduce(into: UInt8(0)) { $0 |= $1.0 ^ $1.1 } == 0
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "[secret]" }
    package var debugDescription: String { "[secret]" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
