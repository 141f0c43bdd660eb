// SPDX-License-Identifier: Apache-2.0

/// One row of a command's table: an option, a flag or an argument, and the property that it fills.
package struct Parameter<Root> {
    let kind: ParameterKind
    /// `--username`, `-u`; for an argument its name in the help text.
    let names: [String]
    package let help: String
    var isRequired = false
    var repeats = false
    /// The heading in the help text; `nil` for the command's own rows.
    var section: String?
    /// The values that an enumerated option takes, for help and shell completion.
    package var choices: [String] = []
    let store: (String, inout Root) throws(Misfit) -> Void

    /// Whether the row is given by name, as `--json` is, and not by place.
    package var isOption: Bool { kind == .flag || takesValue }

    /// The spellings of an option; empty for arguments.
    var optionNames: [String] { isOption ? names : [] }

    /// Whether a value follows the option's name.
    var takesValue: Bool { placeholder != nil }

    /// What the help text shows in the value's place.
    package var placeholder: String? {
        if case .option(let value) = kind { value } else { nil }
    }

    /// The spelling for messages: the long name where there is one.
    var title: String { names.first { $0.hasPrefix("--") } ?? names.first ?? "" }
}

/// How a row is given on the command line.
enum ParameterKind: Equatable {
    case flag
    case option(value: String)
    case positional
    case remainder
}

/// A value that does not fit its property; the text completes "'x' is not …".
struct Misfit: Error {
    let expected: String
}

extension Parameter {
    /// The same row for a value that holds a `Root`: how commands share rows such as `--json`.
    package func within<Outer>(
        _ path: WritableKeyPath<Outer, Root>, section: String? = nil
    ) -> Parameter<Outer> {
        Parameter<Outer>(
            kind: kind, names: names, help: help, isRequired: isRequired, repeats: repeats,
            section: section ?? self.section, choices: choices,
            store: { text, outer throws(Misfit) in try store(text, &outer[keyPath: path]) })
    }
}

extension Array {
    /// The same rows for a value that holds a `Root`, under a heading of their own.
    package func within<Root, Outer>(
        _ path: WritableKeyPath<Outer, Root>, section: String? = nil
    ) -> [Parameter<Outer>] where Element == Parameter<Root> {
        map { $0.within(path, section: section) }
    }
}
