// SPDX-License-Identifier: Apache-2.0

extension Command {
    /// The command that these arguments describe; they do not include its name.
    package static func parse(_ arguments: [String]) throws(UsageError) -> Self {
        if arguments.isEmpty, isCompleteAlone {
            let command = Self()
            try command.check()
            return command
        }
        var parsing = Parsing<Self>(arguments)
        try parsing.run()
        return parsing.command
    }

    /// Whether `--help` or `-h` stands among the command's own arguments, however wrong the others are.
    package static func asksForHelp(_ arguments: [String]) -> Bool {
        if arguments.isEmpty { return false }
        var parsing = Parsing<Self>(arguments)
        while let argument = parsing.next() {
            if argument == "--help" || argument == "-h" { return true }
            if argument == "--" || parsing.startsRemainder(argument) { return false }
            parsing.skipValue(of: argument)
        }
        return false
    }
}

extension Command {
    /// The arguments that are not handed on to another program.
    package static func ownArguments(_ arguments: [String]) -> [String] {
        guard !arguments.isEmpty, parameters.contains(where: { $0.kind == .remainder }) else { return arguments }
        var parsing = Parsing<Self>(arguments)
        var own: [String] = []
        while let argument = parsing.next(), argument != "--", !parsing.startsRemainder(argument) {
            own.append(argument)
            parsing.skipValue(of: argument)
        }
        return own
    }
}

/// One walk over the arguments of a command.
private struct Parsing<Root: Command> {
    var command = Root()
    private let table = Root.parameters
    private let arguments: [String]
    private var position = 0
    /// The rows that were filled, by their place in the table.
    private var filled: Set<Int> = []

    init(_ arguments: [String]) {
        self.arguments = arguments
    }

    mutating func run() throws(UsageError) {
        while let argument = next() {
            if argument == "--" {
                while let rest = next() { try place(rest) }
            } else if startsRemainder(argument) {
                try place(argument)
                while let rest = next() { try place(rest) }
            } else if Self.looksLikeOption(argument) {
                try option(argument)
            } else {
                try place(argument)
            }
        }
        try requireAll()
        try command.check()
    }

    mutating func next() -> String? {
        guard position < arguments.count else { return nil }
        defer { position += 1 }
        return arguments[position]
    }

    /// `-` alone is a value: it stands for standard input.
    private static func looksLikeOption(_ argument: String) -> Bool {
        argument.hasPrefix("-") && argument != "-"
    }

    func startsRemainder(_ argument: String) -> Bool {
        !Self.looksLikeOption(argument) && nextPlace.map { table[$0].kind == .remainder } ?? false
    }

    mutating func skipValue(of argument: String) {
        guard let row = row(named: argument), table[row].takesValue, position < arguments.count else { return }
        if !Self.looksLikeOption(arguments[position]) { position += 1 }
    }
}

extension Parsing {
    private mutating func option(_ argument: String) throws(UsageError) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts[0]
        guard let row = row(named: name) else { throw unknown(name) }
        guard table[row].takesValue else {
            if parts.count > 1 { throw error("'\(name)' takes no value") }
            return try store("", in: row)
        }
        if filled.contains(row), !table[row].repeats { throw error("'\(name)' is given twice") }
        if parts.count > 1 { return try store(parts[1], in: row) }
        guard position < arguments.count else { throw error("'\(name)' needs a value") }
        let value = arguments[position]
        // A value with a dash is more often a forgotten value. A negative number is none of our options.
        if Self.looksLikeOption(value), Int(value) == nil {
            throw error("'\(name)' needs a value; one that starts with a dash is given as '\(name)=\(value)'")
        }
        position += 1
        try store(value, in: row)
    }

    private mutating func place(_ argument: String) throws(UsageError) {
        guard let row = nextPlace else { throw error("unexpected argument '\(argument)'") }
        try store(argument, in: row)
    }

    private mutating func store(_ text: String, in row: Int) throws(UsageError) {
        do throws(Misfit) {
            try table[row].store(text, &command)
        } catch {
            throw self.error("'\(text)' is not \(error.expected) for '\(table[row].title)'")
        }
        filled.insert(row)
    }

    private func requireAll() throws(UsageError) {
        guard let row = table.indices.first(where: { table[$0].isRequired && !filled.contains($0) }) else { return }
        throw error(table[row].isOption ? "'\(table[row].title)' is required" : "\(table[row].title) is missing")
    }

    private var nextPlace: Int? {
        table.indices.first { !table[$0].isOption && (table[$0].repeats || !filled.contains($0)) }
    }

    private func row(named name: String) -> Int? {
        table.firstIndex { $0.optionNames.contains(name) }
    }

    private func unknown(_ name: String) -> UsageError {
        let known = table.flatMap(\.optionNames).filter { $0.hasPrefix("--") } + ["--help"]
        let guess = name.hasPrefix("--") ? suggestion(for: name, among: known) : nil
        return UsageError(command: Root.name, "unknown flag '\(name)'", suggestion: guess)
    }

    private func error(_ message: String) -> UsageError {
        UsageError(command: Root.name, message)
    }
}
