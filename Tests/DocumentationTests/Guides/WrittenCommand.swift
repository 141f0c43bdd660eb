// SPDX-License-Identifier: Apache-2.0

import Console
import Foundation

@testable import CLI
@testable import TenantServer

/// A call of one of the programs, somewhere in a page.
struct WrittenCommand {
    let text: String
    private let words: [String]
    private let program: ProgramOutline

    /// All of them in a text.
    static func all(in text: String) -> [WrittenCommand] {
        let text = text.replacing("\\\n", with: " ")
        // The folder of that name is none.
        return text.ranges(of: /\bnativeauth [a-z]/).filter { !text[..<$0.lowerBound].hasSuffix("-C ") }.map { range in
            let before = text[..<range.lowerBound].last ?? " "
            return WrittenCommand(text[range.lowerBound...].dropFirst("nativeauth ".count), inside: before)
        }
    }

    /// - Parameter opener: What stands before it; where that is a quote, it ends with the next one.
    private init(_ rest: Substring, inside opener: Character) {
        var words = Self.split(rest, inside: opener)
        let isTenants = words.first == "tenant"
        if isTenants { words.removeFirst() }
        text = "nativeauth " + (isTenants ? "tenant " : "") + words.joined(separator: " ")
        program = isTenants ? TenantTool.outline : HelpText.program
        self.words = words
    }

    /// The words up to the end of the command, as a shell would split them.
    private static func split(_ text: Substring, inside opener: Character) -> [String] {
        var words: [String] = []
        var word = ""
        var quote: Character?
        for character in text {
            if let open = quote {
                if character == open { quote = nil } else { word.append(character) }
            } else if character == opener && "'\"`".contains(opener) {
                break
            } else if "'\"".contains(character) {
                quote = character
            } else if "|;&<>)`#\n".contains(character) {
                break
            } else if character == " " {
                words.append(word)
                word = ""
            } else {
                word.append(character)
            }
        }
        return (words + [word]).filter { !$0.isEmpty }
    }

    /// What is wrong with it; nil where the program would understand it. Words in capitals and `…` stand for others.
    var fault: String? {
        guard let first = words.first, first != "help", !first.contains("…"), first != first.uppercased() else {
            return nil
        }
        guard let (command, count) = program.command(in: words) else {
            // Of several commands with a first word in common, a page may name the word.
            return program.commands.contains { $0.words.first == words[0] } ? nil : "there is no command '\(words[0])'"
        }
        let takesRest = command.rows.contains { $0.isRemainder }
        var rest = words.dropFirst(count)
        while let word = rest.popFirst(), word != "--" {
            guard word.hasPrefix("-"), word.count > 1 else {
                if takesRest { return nil }
                continue
            }
            let name = String(word.prefix { $0 != "=" }).trimmingCharacters(
                in: .punctuationCharacters.subtracting(["-"]))
            if ["--help", "-h"].contains(name) { continue }
            guard let row = command.rows.first(where: { $0.names.contains(name) }) else {
                return "'\(command.name)' has no flag '\(name)'"
            }
            if row.placeholder != nil, !word.contains("=") { _ = rest.popFirst() }
        }
        return nil
    }
}
