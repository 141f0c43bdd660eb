// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Why a file or stream holds no usable secret.
package enum SecretError: Error, Equatable, Sendable {
    case empty
    case tooLong
    case containsNUL
    case notUTF8
    case unreadable(errno: Int32)

    /// A sentence for people.
    package var message: String {
        switch self {
        case .empty: "The secret is empty."
        case .tooLong: "The secret is longer than \(Secret.longest) bytes."
        case .containsNUL: "The secret contains a NUL character."
        case .notUTF8: "The secret is not UTF-8 text."
        case .unreadable(let code): "The secret cannot be read: \(systemMessage(code))."
        }
    }
}

extension Secret {
    /// Reads a file to its end.
    package static func read(path: String) throws(SecretError) -> Secret {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        if descriptor < 0 { throw .unreadable(errno: errno) }
        defer { close(descriptor) }
        return try read(descriptor: descriptor)
    }

    /// Reads a descriptor to its end.
    ///
    /// One line end at the end is not part of the secret, for editors and `echo` add it. Everything else is, blanks
    /// and inner line ends included.
    package static func read(descriptor: Int32) throws(SecretError) -> Secret {
        // One more than the longest secret with CRLF, so that what is too long shows as such.
        try Secret(capacity: longest + 3) { memory throws(SecretError) in
            let filled = try fill(memory, from: descriptor)
            let text = UnsafeRawBufferPointer(rebasing: memory.prefix(withoutLineEnd(memory.prefix(filled))))
            if text.isEmpty { throw .empty }
            if text.count > longest { throw .tooLong }
            if text.contains(0) { throw .containsNUL }
            if !isUTF8(text) { throw .notUTF8 }
            return text.count
        }
    }

    /// Decodes without building a `String`, which would be a copy that cannot be wiped.
    static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue: continue
            case .emptyInput: return true
            case .error: return false
            }
        }
    }

    private static func fill(
        _ memory: UnsafeMutableRawBufferPointer, from descriptor: Int32
    ) throws(SecretError) -> Int {
        var filled = 0
        while filled < memory.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: memory[filled...])
            let count: Int
            do throws(InputError) { count = try Input(descriptor: descriptor).read(into: rest) } catch {
                throw .unreadable(errno: error.code)
            }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    private static func withoutLineEnd(_ bytes: Slice<UnsafeMutableRawBufferPointer>) -> Int {
        guard bytes.last == UInt8(ascii: "\n") else { return bytes.count }
        return bytes.dropLast().last == UInt8(ascii: "\r") ? bytes.count - 2 : bytes.count - 1
    }
}
