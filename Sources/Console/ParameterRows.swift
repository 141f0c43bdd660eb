// SPDX-License-Identifier: Apache-2.0

// The ways to write a row. Each takes a key path to the property, so a row of the wrong type does not compile.

extension Parameter {
    /// A switch that is off unless it is given.
    package static func flag(
        _ names: String..., to path: WritableKeyPath<Root, Bool>, help: String
    ) -> Self {
        Parameter(kind: .flag, names: names, help: help) { _, root in root[keyPath: path] = true }
    }

    /// An option with a text.
    package static func option(
        _ names: String..., value: String, to path: WritableKeyPath<Root, String?>, required: Bool = false, help: String
    ) -> Self {
        Parameter(kind: .option(value: value), names: names, help: help, isRequired: required) { text, root in
            root[keyPath: path] = text
        }
    }

    /// An option with a text whose property has a default.
    package static func option(
        _ names: String..., value: String, to path: WritableKeyPath<Root, String>, required: Bool = false, help: String
    ) -> Self {
        Parameter(kind: .option(value: value), names: names, help: help, isRequired: required) { text, root in
            root[keyPath: path] = text
        }
    }

    /// An option with a text that may be given several times.
    package static func option(
        _ names: String..., value: String, to path: WritableKeyPath<Root, [String]>, help: String
    ) -> Self {
        Parameter(kind: .option(value: value), names: names, help: help, repeats: true) { text, root in
            root[keyPath: path].append(text)
        }
    }

    /// An option with a whole number.
    package static func option(
        _ names: String..., value: String, to path: WritableKeyPath<Root, Int?>, required: Bool = false, help: String
    ) -> Self {
        Parameter(kind: .option(value: value), names: names, help: help, isRequired: required) {
            text, root throws(Misfit) in
            root[keyPath: path] = try wholeNumber(text)
        }
    }

    /// An option with a whole number whose property has a default.
    package static func option(
        _ names: String..., value: String, to path: WritableKeyPath<Root, Int>, help: String
    ) -> Self {
        Parameter(kind: .option(value: value), names: names, help: help) { text, root throws(Misfit) in
            root[keyPath: path] = try wholeNumber(text)
        }
    }

    /// An option with one of a type's values, as `--format json`.
    package static func option<Value: RawRepresentable & CaseIterable>(
        _ names: String..., value: String, to path: WritableKeyPath<Root, Value?>, required: Bool = false, help: String
    ) -> Self where Value.RawValue == String {
        Parameter(
            kind: .option(value: value), names: names, help: help, isRequired: required,
            choices: Value.allCases.map(\.rawValue)
        ) { text, root throws(Misfit) in
            root[keyPath: path] = try choice(text)
        }
    }

    /// An option with one of a type's values whose property has a default.
    package static func option<Value: RawRepresentable & CaseIterable>(
        _ names: String..., value: String, to path: WritableKeyPath<Root, Value>, help: String
    ) -> Self where Value.RawValue == String {
        Parameter(
            kind: .option(value: value), names: names, help: help, choices: Value.allCases.map(\.rawValue)
        ) { text, root throws(Misfit) in
            root[keyPath: path] = try choice(text)
        }
    }

    /// An argument without a name.
    package static func positional(
        _ name: String, to path: WritableKeyPath<Root, String?>, required: Bool = false, help: String
    ) -> Self {
        Parameter(kind: .positional, names: [name], help: help, isRequired: required) { text, root in
            root[keyPath: path] = text
        }
    }

    /// An argument without a name that has to be given, or whose property has a default.
    package static func positional(
        _ name: String, to path: WritableKeyPath<Root, String>, required: Bool = true, help: String
    ) -> Self {
        Parameter(kind: .positional, names: [name], help: help, isRequired: required) { text, root in
            root[keyPath: path] = text
        }
    }

    /// An argument without a name that is one of a type's values.
    package static func positional<Value: RawRepresentable & CaseIterable>(
        _ name: String, to path: WritableKeyPath<Root, Value?>, required: Bool = false, help: String
    ) -> Self where Value.RawValue == String {
        Parameter(
            kind: .positional, names: [name], help: help, isRequired: required,
            choices: Value.allCases.map(\.rawValue)
        ) { text, root throws(Misfit) in
            root[keyPath: path] = try choice(text)
        }
    }

    /// All further arguments without a name.
    package static func positional(
        _ name: String, to path: WritableKeyPath<Root, [String]>, required: Bool = false, help: String
    ) -> Self {
        Parameter(kind: .positional, names: [name], help: help, isRequired: required, repeats: true) { text, root in
            root[keyPath: path].append(text)
        }
    }

    /// Everything from the first argument without a name on, untouched: the command line of another program.
    package static func remainder(
        _ name: String, to path: WritableKeyPath<Root, [String]>, required: Bool = false, help: String
    ) -> Self {
        Parameter(kind: .remainder, names: [name], help: help, isRequired: required, repeats: true) { text, root in
            root[keyPath: path].append(text)
        }
    }

    private static func wholeNumber(_ text: String) throws(Misfit) -> Int {
        guard let number = Int(text) else { throw Misfit(expected: "a whole number") }
        return number
    }

    private static func choice<Value: RawRepresentable & CaseIterable>(
        _ text: String
    ) throws(Misfit) -> Value where Value.RawValue == String {
        if let value = Value(rawValue: text) { return value }
        throw Misfit(expected: "one of " + Value.allCases.map(\.rawValue).joined(separator: ", "))
    }
}
