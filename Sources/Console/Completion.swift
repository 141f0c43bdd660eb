// SPDX-License-Identifier: Apache-2.0

/// What may follow on a command line. Shells ask the program itself, so that nothing in a script of theirs can be older
/// than the command table.
package struct Completion {
    /// A word that may follow.
    package struct Candidate: Equatable, Sendable {
        package let word: String
        /// What it does; empty where the word says it.
        package let text: String

        /// A candidate, with one line about it.
        package init(_ word: String, _ text: String = "") {
            self.word = word
            self.text = text
        }
    }

    /// What may follow: words of ours, or a file's name, which the shell knows best.
    package enum Answer: Equatable, Sendable {
        case words([Candidate])
        case files
    }

    private let program: ProgramOutline
    private let values: (CommandOutline, RowOutline) -> [Candidate]?

    /// Completions for a program.
    ///
    /// - Parameter values: What a row takes, beyond the choices in its table; nil for what the placeholder says.
    package init(
        _ program: ProgramOutline, values: @escaping (CommandOutline, RowOutline) -> [Candidate]? = { _, _ in nil }
    ) {
        self.program = program
        self.values = values
    }

    /// What may stand in the place of the last word, which may be empty; the program's own name is not among the words.
    package func answer(_ words: [String]) -> Answer {
        guard let typed = words.last else { return .words([]) }
        let before = Array(words.dropLast())
        guard let (command, count) = program.command(in: before) else { return .words(names(after: before, typed)) }
        let place = Place(command, before.dropFirst(count))
        if let row = place.waiting { return answer(of: row, in: command, typed) }
        if typed.hasPrefix("-"), !place.isPastOptions {
            guard let equals = typed.firstIndex(of: "=") else { return .words(options(command, place, typed)) }
            guard let row = command.rows.first(where: { $0.names.contains(String(typed[..<equals])) }) else {
                return .words([])
            }
            let after = typed.index(after: equals)
            return answer(of: row, in: command, String(typed[after...]), behind: String(typed[..<after]))
        }
        guard let row = place.next else { return .words(typed.isEmpty ? options(command, place, "-") : []) }
        return answer(of: row, in: command, typed)
    }

    /// The next words of the commands that begin with these.
    private func names(after before: [String], _ typed: String) -> [Candidate] {
        var found: [Candidate] = []
        for command in program.commands where command.words.starts(with: before) {
            let rest = command.words.dropFirst(before.count)
            guard let word = rest.first, !found.contains(where: { $0.word == word }) else { continue }
            found.append(Candidate(word, rest.count == 1 ? command.summary : ""))
        }
        if before.isEmpty, typed.hasPrefix("-") {
            found = [Candidate("--help", "Show the help text"), Candidate("--version", "Show the version")]
        }
        return found.filter { $0.word.hasPrefix(typed) }
    }

    private func options(_ command: CommandOutline, _ place: Place, _ typed: String) -> [Candidate] {
        let rows = command.rows.filter { $0.isOption && ($0.repeats || !place.given.contains($0.names)) }
        let candidates = rows.compactMap { row in
            row.names.last.map { Candidate($0, row.help.withoutFullStop) }
        }
        return (candidates + [Candidate("--help", "Show the help text")]).filter { $0.word.hasPrefix(typed) }
    }

    /// The values of a row; `prefix` is what stands before them in the same word.
    private func answer(
        of row: RowOutline, in command: CommandOutline, _ typed: String, behind prefix: String = ""
    ) -> Answer {
        let known = values(command, row) ?? row.choices.map { Candidate($0) }
        if known.isEmpty, row.placeholder == "FILE" || row.names == ["FILE"] || row.isRemainder { return .files }
        return .words(
            known.filter { $0.word.hasPrefix(typed) }.map { Candidate(prefix + $0.word, $0.text) })
    }
}

/// Where a command line has arrived.
private struct Place {
    /// The option whose value comes next.
    var waiting: RowOutline?
    /// The options that were given, by their names.
    var given: Set<[String]> = []
    /// Whether `--`, or another program's words, have begun.
    var isPastOptions = false
    private var filled = 0
    private let command: CommandOutline

    init(_ command: CommandOutline, _ arguments: some Sequence<String>) {
        self.command = command
        for argument in arguments { take(argument) }
    }

    /// The argument that comes next.
    var next: RowOutline? {
        let places = command.rows.filter { !$0.isOption }
        if filled < places.count { return places[filled] }
        return places.last.flatMap { $0.repeats ? $0 : nil }
    }

    private mutating func take(_ argument: String) {
        if waiting != nil {
            waiting = nil
        } else if isPastOptions || !argument.hasPrefix("-") || argument == "-" {
            if next?.isRemainder == true { isPastOptions = true }
            filled += 1
        } else if argument == "--" {
            isPastOptions = true
        } else {
            let name = argument.prefix { $0 != "=" }
            guard let row = command.rows.first(where: { $0.isOption && $0.names.contains(String(name)) }) else {
                return
            }
            given.insert(row.names)
            if row.placeholder != nil, name.count == argument.count { waiting = row }
        }
    }
}

extension String {
    var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
