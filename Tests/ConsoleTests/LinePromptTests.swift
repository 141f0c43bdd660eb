// SPDX-License-Identifier: Apache-2.0

import Foundation
import TerminalTesting
import Testing

@Suite("Line prompts on a real terminal")
struct LinePromptTests {
    /// Arrow keys, Home and End, and the control keys of Emacs.
    static let editing: [Typed] = [
        Typed("abc" + Key.left + Key.left + "X", "aXbc"),
        Typed("abc" + Key.left + Key.left + Key.right + "X", "abXc"),
        Typed("abc" + Key.home + "X" + Key.end + "Y", "XabcY"),
        Typed("abc" + Key.control("A") + "X" + Key.control("E") + "Y", "XabcY"),
        Typed("one two" + Key.control("W") + "2", "one 2"),
        Typed("one" + Key.control("U") + "two", "two"),
        Typed("  ada@example.com ", "ada@example.com"),
    ]

    /// Tab, and the other keys that Readline completes by.
    static let completing: [Typed] = [
        Typed("a\tb", "ab"),
        Typed("\t\t/e\t\tx", "/ex"),
        Typed("\u{1B}?\u{1B}*a", "a"),
    ]

    static let searching: [Typed] = [
        Typed(Key.control("R") + "x" + Key.control("G") + "a", "a"),
        Typed("b" + Key.control("R") + "x" + Key.control("R") + Key.control("G") + "a", "ba"),
    ]

    static let harmless: [Typed] = [
        Typed("ab" + Key.control("L") + "c", "abc"),
        Typed("a" + Key.control("V") + "b", "ab"),
        Typed("a" + Key.control("Q") + "b", "ab"),
    ]

    static let pastes: [Typed] = [
        Typed(Key.paste("123 456\n"), "123 456"),
        Typed(Key.paste("one\ntwo\r\nthree"), "one two three"),
    ]

    static let scripts: [Typed] = [
        Typed("Zoë", "Zoë"), Typed("Łukasz", "Łukasz"), Typed("李小龍", "李小龍"), Typed("👩‍🔬", "👩‍🔬"), Typed("שלום", "שלום"),
        Typed("Zoëé" + Key.backspace + Key.backspace + "e", "Zoe"),
        Typed("李小龍" + Key.backspace, "李小"),
    ]

    /// As they were typed: nothing is composed or decomposed on the way.
    static let combining: [Typed] = [
        Typed("e\u{301}", "e\u{301}"), Typed("\u{E9}", "\u{E9}"),
        Typed("\u{1112}\u{1161}\u{11AB}", "\u{1112}\u{1161}\u{11AB}"),
    ]

    @Test("T05 edit as people expect", arguments: editing)
    func t05_editing(typed: Typed) async throws { try await expectLine(typed) }

    @Test("T06 Tab inserts nothing and lists no files", arguments: completing)
    func t06_tab(typed: Typed) async throws { try await expectLine(typed) }

    @Test("T07 the arrow up shows no earlier input")
    func t07_noHistory() async throws {
        let session = try probe("line=Name", "line=City")
        try await session.expect("Name: ")
        try await session.send("earlier\r")
        try await session.expect("City: ")
        try await session.send(Key.up + Key.control("P") + "x\r")
        #expect(try await session.finishRestored(session.initialModes) == .exit(0))
        #expect(await session.transcript.hasSuffix("got <x>\r\n"))
    }

    @Test("T09 the search of a history is harmless", arguments: searching)
    func t09_search(typed: Typed) async throws { try await expectLine(typed) }

    @Test("T10 Ctrl-L, Ctrl-V and Ctrl-Q are harmless", arguments: harmless)
    func t10_harmless(typed: Typed) async throws { try await expectLine(typed) }

    @Test("a paste is one line, whatever it holds", arguments: pastes)
    func pasted(typed: Typed) async throws { try await expectLine(typed) }

    @Test("T13 any script; backspace takes one character away", arguments: scripts)
    func t13_scripts(typed: Typed) async throws { try await expectLine(typed) }

    @Test("T15 combining marks stay as they were typed", arguments: combining)
    func t15_combining(typed: Typed) async throws {
        let session = try await expectLine(typed)
        // Swift's == takes canonically equivalent texts for equal; the bytes tell.
        let line = await session.transcript.split(separator: "got <").last.map { Array($0.utf8) } ?? []
        #expect(line == Array("\(typed.outcome)>\r\n".utf8))
    }

    /// Types one answer to a line prompt, which has to take it for what is expected.
    @discardableResult
    private func expectLine(_ typed: Typed) async throws -> TerminalSession {
        let session = try probe("line=Name")
        let before = session.initialModes
        try await session.expect("Name: ")
        try await session.send(bytes: typed.bytes + [0x0D])
        #expect(try await session.finishRestored(before) == .exit(0))
        let transcript = await session.transcript
        #expect(transcript.hasSuffix("got <\(typed.outcome)>\r\n"), "\(transcript.debugDescription)")
        #expect(!transcript.contains("etc"), "Tab lists files")
        return session
    }

    @Test("T14 read UTF-8 in any locale", arguments: ["C", "POSIX", "", "en_US.ISO-8859-1", "C.UTF-8"])
    func locale(_ name: String) async throws {
        let locale = name.isEmpty ? [:] : ["LC_ALL": name]
        let session = try probe("line=Name", environment: locale.merging(["TERM": "xterm"]) { $1 })
        try await session.expect("Name: ")
        try await session.send("Łukasz é李" + Key.backspace + "\r")
        try await session.expect("got <Łukasz é>")
        #expect(try await session.finish() == .exit(0))
    }

    @Test("T18 show no escape sequence on a terminal without them", arguments: ["dumb", "", "no-such-terminal", nil])
    func plain(_ type: String?) async throws {
        let session = try probe("line=Name", "secret=Password", environment: type.map { ["TERM": $0] } ?? [:])
        let before = session.initialModes
        try await session.expect("Name: ")
        try await session.send("Zoe\r")
        try await session.expect("Password: ")
        try await session.send("hush\r")
        #expect(try await session.finishRestored(before) == .exit(0))
        let transcript = await session.transcript
        #expect(!transcript.contains("\u{1B}"))
        #expect(transcript.contains("got <Zoe>") && transcript.contains("got <hush>"))
    }

    @Test("T03 take the default on Enter, and a preset as a start")
    func defaults() async throws {
        let session = try probe("line=Email?ada@example.com", "line=City<Osl")
        try await session.expect("Email [ada@example.com]: ")
        try await session.send("\r")
        try await session.expect("got <ada@example.com>")
        try await session.expect("City: Osl")
        try await session.send("o\r")
        try await session.expect("got <Oslo>")
        #expect(try await session.finish() == .exit(0))
    }

    @Test("ask yes or no until it is one of them")
    func confirm() async throws {
        let session = try probe("confirm=Delete it?", "confirm=Really?")
        try await session.expect("Delete it? [y/n] ")
        try await session.send("maybe\r")
        try await session.expect("Please answer y or n.\r\n")
        try await session.expect("Delete it? [y/n] ")
        try await session.send("YES\r")
        try await session.expect("got <yes>")
        try await session.send("n\r")
        try await session.expect("got <no>")
        #expect(try await session.finish() == .exit(0))
    }

    static let refusals: [Typed] = [
        Typed("a" + Key.control("V") + "\u{1B}\r", "control characters"),
        Typed("a" + Key.control("V") + "\0b\r", "control characters"),
        Typed(String(repeating: "x", count: 4097), "longer than 4096 bytes"),
        Typed(Key.paste(String(repeating: "x\n", count: 512 * 1024)) + "\r", "longer than 4096 bytes"),
    ]

    @Test("T11 T12 refuse control characters and what is too long, and ask again", arguments: refusals)
    func refused(typed: Typed) async throws {
        let session = try probe("line=Name")
        let before = session.initialModes
        try await session.expect("Name: ")
        try await session.send(bytes: typed.bytes)
        try await session.expect(typed.outcome)
        try await session.expect("Name: ")
        try await session.send("Ada\r")
        try await session.expect("got <Ada>")
        #expect(try await session.finishRestored(before) == .exit(0))
    }

    @Test("T12 a paste that is too long is not over because the terminal is quiet for a while")
    func slowPaste() async throws {
        let session = try probe("line=Name")
        let paste = Key.paste(String(repeating: "x\n", count: 64 * 1024))
        try await session.expect("Name: ")
        try await session.send(String(paste.dropLast(100)))
        try await Task.sleep(for: .milliseconds(400))
        try await session.send(String(paste.suffix(100)) + "\r")
        #expect(try await !session.expect("longer than 4096 bytes").contains("x\r\n"), "what is dropped is not echoed")
        try await session.expect("Name: ")
        try await session.send("Ada\r")
        try await session.expect("got <Ada>")
        #expect(try await session.finish() == .exit(0))
    }

    @Test("T11 take the longest answer whole")
    func longest() async throws {
        let session = try probe("line=Name")
        try await session.expect("Name: ")
        try await session.send(String(repeating: "x", count: 4096) + "\r")
        try await session.expect("got <" + String(repeating: "x", count: 4096) + ">")
        #expect(try await session.finish() == .exit(0))
    }

    @Test("T16 refuse what is not UTF-8", arguments: ["dumb", "xterm"])
    func invalidText(type: String) async throws {
        let session = try probe("line=Name", environment: ["TERM": type])
        try await session.expect("Name: ")
        try await session.send(bytes: [0x61, 0xFF, 0x0D])
        try await session.expect("not UTF-8")
        try await session.expect("Name: ")
        try await session.send("Ada\r")
        try await session.expect("got <Ada>")
        #expect(try await session.finish() == .exit(0))
    }

    @Test("T11 a dumb terminal's own line limit is noticed")
    func longDumbLine() async throws {
        let session = try probe("line=Name", environment: ["TERM": "dumb"])
        try await session.expect("Name: ")
        try await session.send(String(repeating: "x", count: 6000) + "\r")
        try await session.expect("longer than 4096 bytes")
        try await session.expect("Name: ")
        try await session.send("Ada\r")
        try await session.expect("got <Ada>")
        #expect(try await session.finish() == .exit(0))
    }

    @Test("T17 a long question wraps and edits well in a narrow window")
    func t17_narrow() async throws {
        let session = try probe("line=A question that is longer than the window", columns: 20)
        try await session.expect("window: ")
        try await session.send("twenty-five characters, x" + Key.home + "X" + Key.end + Key.backspace + "Y\r")
        #expect(try await session.finishRestored(session.initialModes) == .exit(0))
        #expect(await session.transcript.contains("got <Xtwenty-five characters, Y>"))
    }

    @Test("T19 a person's own key bindings hold")
    func t19_viMode() async throws {
        let file = FileManager.default.temporaryDirectory.path + "/inputrc-\(UUID())"
        try Data("set editing-mode vi\n".utf8).write(to: URL(filePath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let session = try probe("line=Name", environment: ["TERM": "xterm", "INPUTRC": file])
        try await session.expect("Name: ")
        // Escape leaves the insert mode; 0 goes to the start, x deletes, A appends.
        try await session.send("abc\u{1B}")
        try await session.send("0xAd\r")
        #expect(try await session.finishRestored(session.initialModes) == .exit(0))
        #expect(await session.transcript.contains("got <bcd>"))
    }

    @Test("T31 survive every window size")
    func resize() async throws {
        let session = try probe("line=A question that is longer than the window", columns: 20)
        try await session.expect("window: ")
        for columns: UInt16 in [1, 7, 40, 200, 1, 80] {
            await session.resize(columns: columns, rows: columns)
            try await session.send("ab")
        }
        try await session.send("\r")
        try await session.expect("got <abababababab>")
        #expect(try await session.finish() == .exit(0))
    }

    @Test("leave standard output to the results")
    func streams() async throws {
        let session = try probe("line=Name", "secret=Password", capturingOutput: true)
        try await session.expect("Name: ")
        try await session.send("Ada\r")
        try await session.expect("Password: ")
        try await session.send("hush\r")
        #expect(try await session.finish() == .exit(0))
        #expect(await session.output == "got <Ada>\ngot <hush>\n")
        #expect(await !session.transcript.contains("got"))
    }

    @Test("a process without a terminal is told so at once")
    func withoutTerminal() async throws {
        let session = try TerminalSession.spawn(
            executable: "/usr/bin/setsid", arguments: ["--wait", BuiltProgram.path("prompt-probe"), "line=Name"])
        #expect(try await session.finish() == .exit(3))
        #expect(await session.transcript == "no terminal\r\n")
    }
}
