// SPDX-License-Identifier: Apache-2.0

import Console
import Testing

@Suite("Completions")
struct CompletionTests {
    /// A tool with commands of one word and of two.
    private static let tool = ProgramOutline(
        name: "tool", summary: "a tool", commands: [Register.outline, Copy.outline, Run.outline, Nested.outline],
        aliases: ["register": "signup"])

    private struct Nested: Command {
        var value: String?
        static let name = "config get"
        static let summary = "Show a setting"
        static var parameters: [Parameter<Nested>] { [.positional("NAME", to: \.value, help: "Its name.")] }
    }

    private static let rows: [(words: [String], expected: [String])] = [
        ([""], ["signup", "copy", "exec", "config"]), (["c"], ["copy", "config"]), (["-"], ["--help", "--version"]),
        (["config", ""], ["get"]), (["nope", ""], []),
        (["signup", "--p"], ["--password", "--profile"]),
        (["register", "--p"], ["--password", "--profile"]),
        // An option that was given is not offered again, unless it may be repeated.
        (["signup", "--password", "--p"], ["--profile"]), (["signup", "-p", "--p"], ["--profile"]),
        (["signup", "--attribute", "a=b", "--at"], ["--attribute"]),
        // A value is completed from its choices, after a blank or '='; other values are the person's own.
        (["signup", "--method", ""], ["otp", "password"]), (["signup", "--method", "o"], ["otp"]),
        (["signup", "--method=p"], ["--method=password"]), (["signup", "--profile", ""], ["here", "there"]),
        (["signup", "--profile=t"], ["--profile=there"]), (["signup", "--username", ""], []),
        // What follows an option's value is no value.
        (["signup", "--username", "--method", "--me"], ["--method"]),
        (["signup", "--nope=x"], []), (["copy", "a", "--re"], ["--reason"]), (["copy", "--", "--re"], []),
        // Flags are the answer to an empty word where nothing else can stand.
        (["config", "get", "name", ""], ["--help"]),
        // The words of another program are left alone.
        (["exec", "curl", "--e"], ["<files>"]), (["exec", "--e"], ["--env"]), (["signup", ""], ["<files>"]),
    ]

    private static func words(_ answer: Completion.Answer) -> [String] {
        guard case .words(let candidates) = answer else { return ["<files>"] }
        return candidates.map(\.word)
    }

    @Test("follow from the table", arguments: rows)
    func table(row: (words: [String], expected: [String])) {
        let completion = Completion(Self.tool) { _, row in
            row.names.contains("--profile") ? ["here", "there"].map { Completion.Candidate($0) } : nil
        }
        #expect(Self.words(completion.answer(row.words)) == row.expected, "\(row.words)")
    }

    @Test("say what each word does, on a line with a tab")
    func lines() {
        let answer = Completion(Self.tool).answer(["signup", "--me"])
        #expect(CompletionShell.lines(answer) == "--method\tHow to prove who you are\n")
        #expect(CompletionShell.lines(.files) == ":files\n")
    }

    @Test("offer every flag of every command")
    func allFlags() {
        for command in Self.tool.commands {
            let offered = Self.words(Completion(Self.tool).answer(command.words + ["--"]))
            for row in command.rows where row.isOption {
                #expect(offered.contains(row.names[row.names.count - 1]), "\(command.name) \(row.names)")
            }
        }
    }
}
