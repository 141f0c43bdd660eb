// SPDX-License-Identifier: Apache-2.0

import TerminalTesting
import Testing

@Suite("Secret prompts on a real terminal")
struct SecretPromptTests {
    static let entries: [Typed] = [
        Typed("correct horse", "correct horse"),
        Typed(" \"q'$HOME`x` ", " \"q'$HOME`x` "),
        Typed("Zoë👩‍🔬", "Zoë👩‍🔬"),
        Typed("Zoëé" + Key.backspace + Key.backspace + "e", "Zoe"),
        Typed("wrong" + Key.control("U") + "right", "right"),
        Typed(Key.backspace + "a" + Key.control("H") + "b", "b"),
        Typed("ab" + Key.endOfInput + "c", "abc"),
        Typed(String(repeating: "0123456789abcde\"", count: 16), String(repeating: "0123456789abcde\"", count: 16)),
        Typed(Key.paste("pass word"), "pass word"),
        Typed(Key.paste("pass word\n"), "pass word"),
        Typed("x" + Key.paste("y") + "z", "xyz"),
        // What was erased is no part of a paste's mark any more.
        Typed("\u{1B}[200" + String(repeating: Key.backspace, count: 5) + "~x", "~x"),
        Typed("secret1\u{1B}[200" + String(repeating: Key.backspace, count: 5) + "~", "secret1~"),
        Typed(String(repeating: "é", count: 2048), String(repeating: "é", count: 2048)),
    ]

    @Test("T35, T37, T38: take what was typed or pasted, and show nothing of it", arguments: entries)
    func entry(typed: Typed) async throws {
        let session = try probe("secret=Password", capturingOutput: true)
        let before = session.initialModes
        try await session.expect("Password: ")
        #expect(await !session.modes.echoIsOn)
        try await session.send(bytes: typed.bytes + [0x0D])
        #expect(try await session.finishRestored(before) == .exit(0))
        #expect(await session.output == "got <\(typed.outcome)>\n")
        #expect(await session.transcript == "Password: \r\n")
    }

    static let refusals: [Typed] = [
        Typed(Array("a\0b\r".utf8), "control characters"),
        Typed(Array("a\u{1B}[Db\r".utf8), "control characters"),
        Typed(Array("a\tb\r".utf8), "control characters"),
        Typed(Array((Key.paste("one\ntwo") + "\r").utf8), "control characters"),
        Typed([0x61, 0xFF, 0x0D], "not UTF-8"),
        Typed([0xC0, 0x80, 0x0D], "not UTF-8"),
        Typed([UInt8](repeating: 0x78, count: 4097) + [0x0D], "longer than 4096 bytes"),
        Typed(Array((Key.paste(String(repeating: "x\n", count: 512 * 1024)) + "\r").utf8), "longer than 4096 bytes"),
        Typed([0x0D], "Nothing was entered."),
    ]

    @Test("T12 T16 refuse control bytes and what is too long, and ask again", arguments: refusals)
    func refused(typed: Typed) async throws {
        let session = try probe("secret=Password")
        let before = session.initialModes
        try await session.expect("Password: ")
        try await session.send(bytes: typed.bytes)
        try await session.expect(typed.outcome)
        try await session.expect("Password: ")
        try await session.send("hush\r")
        try await session.expect("got <hush>")
        #expect(try await session.finishRestored(before) == .exit(0))
    }

    @Test("T08 never come back at the next prompt")
    func killRing() async throws {
        let session = try probe("secret=Password", "line=Name")
        try await session.expect("Password: ")
        try await session.send("topsecret" + Key.control("U") + "hush\r")
        try await session.expect("Name: ")
        try await session.send(Key.control("Y") + Key.up + "\u{1B}yx\r")
        #expect(try await session.finish() == .exit(0))
        let transcript = await session.transcript
        #expect(transcript.contains("got <x>"), "\(transcript.debugDescription)")
        #expect(!transcript.contains("topsecret"))
    }

    @Test("T39 drop what was typed before they were asked")
    func typeAhead() async throws {
        let session = try probe("line=Name", "secret=Password")
        try await session.expect("Name: ")
        try await session.send("Ada\rearly\r")
        try await session.expect("Password: ")
        try await session.send("late\r")
        try await session.expect("got <late>")
        #expect(try await session.finish() == .exit(0))
    }

    @Test("T36 a new one is asked twice, and again if the two differ")
    func mismatch() async throws {
        let session = try probe("new=Password")
        try await session.expect("Password: ")
        try await session.send("one\r")
        try await session.expect("Password again: ")
        try await session.send("two\r")
        try await session.expect("The two entries differ.")
        try await session.expect("Password: ")
        try await session.send("same\r")
        try await session.expect("Password again: ")
        try await session.send("same\r")
        try await session.expect("got <same>")
        #expect(try await session.finish() == .exit(0))
    }

    @Test("T36 three mismatches end the question")
    func mismatchThrice() async throws {
        let session = try probe("new=Password")
        for _ in 1...3 {
            try await session.expect("Password: ")
            try await session.send("one\r")
            try await session.expect("Password again: ")
            try await session.send("two\r")
            try await session.expect("The two entries differ.")
        }
        try await session.expect("error <The two entries differed three times.>")
        #expect(try await session.finish() == .exit(1))
    }

    @Test("a program that leaves the terminal wrong is found out by these tests")
    func leftWrong() async throws {
        let session = try probe("raw")
        await #expect(throws: SessionError.self) { try await session.finish() }
        #expect(await session.modes != session.initialModes)
        #expect(await !session.modes.echoIsOn)
    }
}
