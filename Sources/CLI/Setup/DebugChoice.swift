// SPDX-License-Identifier: Apache-2.0

import Console

/// Whether the requests of a command are written down, and where.
struct DebugChoice: Equatable {
    var isOn = false
    var file: String?

    static func rows<Root>(within path: WritableKeyPath<Root, DebugChoice>) -> [Parameter<Root>] {
        let rows: [Parameter<DebugChoice>] = [
            .flag(
                "--debug", "-d", to: \.isOn,
                help: "Show each request on standard error, without its secrets. [NATIVEAUTH_DEBUG]"),
            .option(
                "--debug-file", value: "FILE", to: \.file,
                help: "Append each request to a file that only you can read, without its secrets."),
        ]
        return rows.within(path, section: "Log")
    }

    /// The log; nil where none is wanted.
    func log(_ context: Context) throws(CommandFailure) -> DebugLog? {
        let variable = context.environment["NATIVEAUTH_DEBUG"] ?? ""
        let isOn = isOn || !["", "0", "false"].contains(variable)
        guard isOn || file != nil else { return nil }
        return DebugLog(
            errors: context.errors, showing: isOn,
            file: try file.map { path throws(CommandFailure) in try LogFile(path) },
            time: context.time)
    }
}
