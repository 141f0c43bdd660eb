// SPDX-License-Identifier: Apache-2.0

import Console
import Glibc
import Testing

@Suite("Output")
struct OutputTests {
    @Test("arrives whole, even where the reader takes it in pieces")
    func whole() async throws {
        var ends: [Int32] = [0, 0]
        try #require(Glibc.pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        let text = String(repeating: "é", count: 200_000)
        let reader = Task.detached { everything(from: reading, inPiecesOf: 1000) }
        try Output(descriptor: writing).line(text)
        close(writing)
        #expect(await reader.value == text + "\n")
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
        #expect(Terminal.usesColor(environment: environment, isTerminal: isTerminal) == expected)
    }
}

/// What comes from a descriptor until its end.
private func everything(from descriptor: Int32, inPiecesOf size: Int) -> String {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: size)
    while case let count = read(descriptor, &piece, size), count > 0 { bytes += piece.prefix(count) }
    return String(decoding: bytes, as: UTF8.self)
}
