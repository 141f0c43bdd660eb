// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Where a program is, as POSIX's shell looks for it.
package enum ProgramSearch: Equatable {
    case found(String)
    /// A file of this name is there, and cannot be executed.
    case notExecutable(String)
    case nowhere

    /// - Parameter path: The value of PATH.
    package init(_ name: String, path: String) {
        let isPath = name.contains("/")
        let folders = path.split(separator: ":", omittingEmptySubsequences: false)
        let places = isPath ? [name] : name.isEmpty ? [] : folders.map { $0.isEmpty ? "./\(name)" : "\($0)/\(name)" }
        let files = places.filter(Self.isFile)
        if let program = files.first(where: { access($0, X_OK) == 0 }) {
            self = .found(program)
        } else if let file = files.first {
            self = .notExecutable(file)
        } else {
            // A folder cannot be executed either, but is no program of this name.
            self = .nowhere
        }
    }

    private static func isFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
    }
}
