// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

@Suite("Help", .inTurns)
struct HelpTests {
    let home: Home

    init() throws { home = try Home() }

    /// A program by the words that call it.
    private static let programs = [[], ["tenant"]]

    /// What the program offers after these words.
    private func offered(_ program: [String], _ words: [String]) async throws -> [String] {
        let line = words.isEmpty ? [""] : words
        let run = home.run(program + ["completion", "bash", "--", "program"] + line)
        let outcome = try await run()
        #expect(outcome.ending == .exit(0) && outcome.errors.isEmpty, "\(outcome)")
        return outcome.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }

    /// Every command, as the words of its name.
    private func commands(_ program: [String]) async throws -> [[String]] {
        var found: [[String]] = []
        // What can follow these is a value, and no command.
        let choosing = ["help", "completion", "credential"]
        for word in try await offered(program, []) where word != "tenant" {
            let next = try await offered(program, [word, ""])
            let isGroup = next.allSatisfy { $0.first?.isLetter == true } && !choosing.contains(word)
            found += isGroup && !next.isEmpty ? next.map { [word, $0] } : [[word]]
        }
        return found
    }

    /// The flags at the beginnings of the rows of a help text.
    private func flags(inHelp text: String) -> Set<String> {
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("  -") || $0.hasPrefix("      --") }
        return Set(rows.compactMap { $0.firstMatch(of: #/--[a-z-]+/#).map { String($0.0) } })
    }

    @Test("every flag is in the help text, the manual page, the reference and the completions", arguments: programs)
    func oneTable(program: [String]) async throws {
        let page = try await home.run(program + ["help", "--man"])().output
        let reference = try await home.run(program + ["help", "--markdown"])().output
        let commands = try await commands(program)
        #expect(commands.count >= (program.isEmpty ? 8 : 15))
        for command in commands {
            let help = try await home.run(program + ["help"] + command)().output
            let flags = flags(inHelp: help)
            #expect(flags.union(["--help"]) == Set(try await offered(program, command + ["--"])), "\(command)")
            #expect(page.contains("\n.SS \(command.joined(separator: " ").replacing("-", with: "\\-"))"), "\(command)")
            let heading = (["nativeauth"] + program + command).joined(separator: " ")
            #expect(reference.contains("\n### \(heading)\n"), "\(heading)")
            for flag in flags {
                #expect(page.contains(flag.replacing("-", with: "\\-")), "\(command) \(flag) is not in the page")
                #expect(reference.contains(flag), "\(command) \(flag) is not in the reference")
            }
        }
    }

    @Test("T84: help needs no configuration, no HOME, and nothing that can be waited for")
    func brokenConfiguration() async throws {
        let home = try Home(.fresh)
        // A reader of this file would wait for ever.
        let fifo = home.configFolder + "/config.json"
        #expect(try await home.shell("mkdir -p '\(home.configFolder)' && mkfifo '\(fifo)'").ending == .exit(0))
        for command in try await commands([]) {
            for variables in [[:], ["HOME": nil], ["NATIVEAUTH_PROFILE": "../x", "NATIVEAUTH_AUTHORITY": "nonsense"]]
                as [[String: String?]]
            {
                let long = try await home.run(command + ["--help"], environment: variables)()
                #expect(long.ending == .exit(0) && long.errors.isEmpty, "\(long)")
                #expect(long.output == (try await home.run(["help"] + command)()).output)
            }
        }
        #expect(home.names(in: home.path) == [".config"], "help makes no files")
    }

    static let topics = ["environment", "exit-codes", "files", "scripting", "security", "storage"]

    @Test("each topic begins with an example and is listed", arguments: topics)
    func topic(name: String) async throws {
        let text = try await home.succeed("help", name)
        let lines = text.split(separator: "\n")
        #expect(lines[1] == "Examples:" && lines[2].hasPrefix("  $ "), "\(text)")
        #expect(lines.allSatisfy { $0.count <= 80 || $0.contains("$ ") }, "\(text)")
        #expect(try await home.succeed("help").contains("\n  \(name) "))
        #expect(try await home.succeed("help", "--man").contains("\n.SH "))
    }

    @Test("every variable that stands for a flag is in its topic")
    func variables() async throws {
        let topic = try await home.succeed("help", "environment")
        for command in try await commands([]) {
            let help = try await home.run(["help"] + command)().output
            for match in help.matches(of: #/NATIVEAUTH_[A-Z_]+/#) {
                #expect(topic.contains("  \(match.0) "), "\(match.0) is not in the topic")
            }
        }
    }

    static let guesses: [(arguments: [String], guess: String)] = [
        (["singin"], "signin"), (["logn"], "login"), (["--hlep"], "--help"), (["--verison"], "--version"),
        (["help", "singup"], "signup"), (["help", "enviroment"], "environment"), (["help", "exitcodes"], "exit-codes"),
        (["signin", "--usernme", "a"], "--username"), (["token", "--profil=x"], "--profile"),
        (["tenant", "inbx"], "inbox"), (["tenant", "inbox", "--cod"], "--code"),
    ]

    @Test("a near miss is answered with what was meant: 64", arguments: guesses)
    func nearMiss(row: (arguments: [String], guess: String)) async throws {
        let outcome = try await home.run(row.arguments)()
        #expect(outcome.ending == .exit(64) && outcome.output.isEmpty)
        #expect(outcome.errors.contains("Did you mean '\(row.guess)'?\n"), "\(outcome)")
    }

    @Test("what is like nothing is not guessed at", arguments: [["frobnicate"], ["help", "frobnicate"]])
    func farMiss(arguments: [String]) async throws {
        let outcome = try await home.run(arguments)()
        #expect(outcome.ending == .exit(64) && !outcome.errors.contains("Did you mean"), "\(outcome)")
    }

    @Test("the help of the tenant's commands is theirs")
    func tenant() async throws {
        #expect(try await home.succeed("help", "tenant") == (try await home.succeed("tenant", "--help")))
        #expect(
            try await home.succeed("help", "tenant", "user", "set")
                == (try await home.succeed("tenant", "user", "set", "--help")))
    }
}
