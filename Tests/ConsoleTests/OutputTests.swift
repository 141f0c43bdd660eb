// SPDX-License-Identifier: Apache-2.0

import Console
import Foundation
import Glibc
import Testing

@Suite("Output")
struct OutputTests {
    @Test(
        "arrives whole, even where the reader takes it in pieces, or the stream does not block",
        arguments: [0, O_NONBLOCK])
    func whole(flags: Int32) async throws {
        var ends: [Int32] = [0, 0]
        try #require(Glibc.pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        try #require(fcntl(writing, F_SETFL, flags) == 0)
        let text = String(repeating: "é", count: 200_000)
        async let read = onThread { everything(from: reading, inPiecesOf: 1000) }
        let written = await onThread {
            defer { close(writing) }
            return Result { () throws(OutputError) in try Output(descriptor: writing).line(text) }
        }
        try written.get()
        #expect(await read == text + "\n")
        close(reading)
    }

    @Test("to a full device is an error")
    func full() throws {
        let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let error = try #require(throws: OutputError.self) { try Output(descriptor: descriptor).write("x") }
        #expect(error.code == ENOSPC)
        #expect(!error.isBrokenPipe)
        #expect(error.message == "No space left on device")
    }

    @Test("to a closed descriptor is an error")
    func closed() {
        #expect(throws: OutputError(code: EBADF)) { try Output(descriptor: -1).line("x") }
    }

    @Test("knows a reader that went away")
    func brokenPipe() {
        #expect(OutputError(code: EPIPE).isBrokenPipe)
    }

    static let colours: [([String: String], Bool, Bool)] = [
        (["TERM": "xterm"], true, true),
        (["TERM": "xterm"], false, false),
        (["TERM": "dumb"], true, false),
        (["TERM": "no-such-terminal"], true, false),
        (["TERM": "vt100"], true, false),
        (["TERM": "xterm", "ACCESSIBLE": "1"], true, false),
        (["TERM": "xterm", "ACCESSIBLE": "1", "CLICOLOR_FORCE": "1"], true, false),
        (["TERM": "xterm", "ACCESSIBLE": "0"], true, true),
        ([:], true, false),
        (["TERM": "xterm", "NO_COLOR": "1"], true, false),
        (["TERM": "xterm", "NO_COLOR": ""], true, true),
        (["TERM": "xterm", "CLICOLOR": "0"], true, false),
        (["TERM": "xterm", "CLICOLOR_FORCE": "1"], false, true),
        (["TERM": "xterm", "CLICOLOR_FORCE": "0"], false, false),
        (["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], true, false),
    ]

    @Test("is coloured where that is wanted", arguments: colours)
    func colour(environment: [String: String], isTerminal: Bool, expected: Bool) {
        #expect(Style().usesColor(environment, terminal: isTerminal ? 0 : nil) == expected)
    }

    @Test("is coloured as the flag says, whatever else is said", arguments: colours)
    func colourByFlag(environment: [String: String], isTerminal: Bool, expected: Bool) {
        var style = Style()
        style.color = .always
        #expect(style.usesColor(environment, terminal: isTerminal ? 0 : nil))
        style.color = .never
        #expect(!style.usesColor(environment, terminal: isTerminal ? 0 : nil))
    }

    @Test("moves where a line can be taken away again")
    func motion() {
        var style = Style()
        #expect(style.moves(["TERM": "xterm"], terminal: 0))
        #expect(!style.moves(["TERM": "xterm", "ACCESSIBLE": "1"], terminal: 0))
        for type in ["dumb", "no-such-terminal", ""] { #expect(!style.moves(["TERM": type], terminal: 0)) }
        #expect(!style.moves([:], terminal: 0))
        style.plain = true
        #expect(!style.moves(["TERM": "xterm"], terminal: 0))
    }

    static let durations: [(String, Duration?)] = [
        ("30s", .seconds(30)), ("30", .seconds(30)), ("2m", .seconds(120)), ("1h", .seconds(3600)),
        ("500ms", .milliseconds(500)), ("0s", nil), ("-1s", nil), ("", nil), ("s", nil), ("1d", nil), ("1.5s", nil),
        ("٣s", nil), ("99999999999999999999s", nil),
    ]

    @Test("a length of time is a number and a letter", arguments: durations)
    func duration(text: String, expected: Duration?) {
        #expect(Duration(spelled: text) == expected)
    }
}

/// Runs what blocks on a thread of its own: Swift's pool has only as many as the machine has cores.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}

/// What comes from a descriptor until its end.
private func everything(from descriptor: Int32, inPiecesOf size: Int) -> String {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: size)
    while case let count = read(descriptor, &piece, size), count > 0 { bytes += piece.prefix(count) }
    return String(decoding: bytes, as: UTF8.self)
}
