// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The variables that the process was started with. Foundation's way to them costs as much as reading a token.
package enum ProcessEnvironment {
    /// All variables; the first one wins where a name repeats, as with `getenv`.
    ///
    /// The C library finds the sign between name and value: every command runs this, and cutting texts of Swift in pieces
    /// took an eighth of what `nativeauth token` takes.
    package static var all: [String: String] {
        var variables = [String: String](minimumCapacity: 64)
        var entry = environ
        while let text = entry.pointee {
            entry += 1
            guard let sign = strchr(text, Int32(UInt8(ascii: "="))) else { continue }
            let name = String(decoding: UnsafeRawBufferPointer(start: text, count: sign - text), as: UTF8.self)
            if variables[name] == nil { variables[name] = String(cString: sign + 1) }
        }
        return variables
    }

    /// The first of these variables whose value is no UTF-8 text: a path that is repaired leads somewhere else.
    package static func firstUnreadable(of names: [String]) -> String? {
        names.first { name in getenv(name).map { String(validatingCString: $0) == nil } ?? false }
    }
}
