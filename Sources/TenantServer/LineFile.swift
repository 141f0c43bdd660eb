// SPDX-License-Identifier: Apache-2.0

import Console
import Files
import Glibc

/// A file that is read line by line, however long it is; empty lines are left out.
struct LineFile: ~Copyable {
    struct Line {
        /// From 1.
        let number: Int
        let bytes: [UInt8]
    }

    private static let longest = 1024 * 1024

    private let name: String
    private let file: FileDescriptor
    private var rest: [UInt8] = []
    private var lines: [Line] = []
    private var count = 0
    private var isOver = false

    /// Opens a file; `-` stands for standard input.
    init(_ name: String) throws(CommandFailure) {
        self.name = name
        do throws(FileError) {
            file = try FileDescriptor(name == "-" ? "/dev/stdin" : name, O_RDONLY)
        } catch {
            throw Self.failure(error, name)
        }
    }

    /// The next lines, at most so many, and fewer where they are long; nil at the end.
    mutating func next(_ most: Int) throws(CommandFailure) -> [Line]? {
        while lines.count < most, waiting < Self.longest, !isOver { try read() }
        if lines.isEmpty { return nil }
        var size = 0
        let batch = Array(
            lines.prefix(most).prefix { line in
                defer { size += line.bytes.count }
                return size < Self.longest
            })
        lines.removeFirst(batch.count)
        return batch
    }

    /// How much there is of lines that nobody has taken.
    private var waiting: Int { lines.reduce(0) { $0 + $1.bytes.count } }

    private mutating func read() throws(CommandFailure) {
        let bytes: [UInt8]
        do throws(FileError) { bytes = try file.read(atMost: 256 * 1024) } catch {
            throw Self.failure(error, name)
        }
        isOver = bytes.isEmpty
        rest += bytes
        var start = 0
        while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
            take(rest[start..<end])
            start = end + 1
        }
        rest.removeFirst(start)
        if isOver { take(rest[...]) }
        guard rest.count <= Self.longest else {
            throw CommandFailure(.invalidData, "Line \(count + 1) of '\(name.printable)' is longer than a megabyte.")
        }
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) {
        count += 1
        let isBlank = bytes.allSatisfy {
            $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r")
        }
        if !isBlank { lines.append(Line(number: count, bytes: Array(bytes))) }
    }

    private static func failure(_ error: FileError, _ name: String) -> CommandFailure {
        CommandFailure(
            .missingInput, "Cannot \(error.operation) '\(name.printable)': \(String(cString: strerror(error.errno))).")
    }
}
