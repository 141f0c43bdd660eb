// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The variables that the process was started with. Foundation's way to them costs as much as reading a token.
package enum ProcessEnvironment {
    /// All variables; the first one wins where a name repeats, as with `getenv`.
    package static var all: [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2, variables[String(pair[0])] == nil { variables[String(pair[0])] = String(pair[1]) }
            entry += 1
        }
        return variables
    }

    /// The first of these variables whose value is no UTF-8 text: a path that is repaired leads somewhere else.
    package static func firstUnreadable(of names: [String]) -> String? {
        names.first { name in getenv(name).map { String(validatingCString: $0) == nil } ?? false }
    }
}
