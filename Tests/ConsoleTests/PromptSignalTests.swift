// SPDX-License-Identifier: Apache-2.0

import Glibc
import TerminalTesting
import Testing

/// The prompts that every signal is tried on.
enum PromptKind: String, CaseIterable {
    case line, plain, secret, confirm, second

    func start(ignoring: [Int32] = []) async throws -> (TerminalSession, TerminalModes) {
        let requests: [PromptKind: String] = [
            .line: "line=Ask", .plain: "line=Ask", .secret: "secret=Ask", .confirm: "confirm=Ask", .second: "new=Ask",
        ]
        let type = self == .plain ? "dumb" : "xterm"
        let session = try probe(requests[self] ?? "", environment: ["TERM": type], ignoring: ignoring)
        let before = session.initialModes
        try await session.expect("Ask")
        if self == .second {
            try await session.expect(": ")
            try await session.send("first\r")
            try await session.expect("again")
        }
        try await session.expect(self == .confirm ? "[y/n]: " : ": ")
        return (session, before)
    }
}

@Suite("Signals at a prompt")
struct PromptSignalTests {
    @Test("T21 T26 from the keyboard end the process by themselves", arguments: PromptKind.allCases, [SIGINT, SIGQUIT])
    func keys(kind: PromptKind, signal: Int32) async throws {
        let (session, before) = try await kind.start()
        try await session.send("abc" + (signal == SIGINT ? Key.interrupt : Key.quit))
        #expect(try await session.finishRestored(before) == .signal(signal))
        #expect(await session.transcript.hasSuffix("\r\n"))
    }

    @Test("T27 from outside end the process by themselves", arguments: PromptKind.allCases, [SIGTERM, SIGHUP, SIGINT])
    func sent(kind: PromptKind, signal: Int32) async throws {
        let (session, before) = try await kind.start()
        await session.signal(signal)
        #expect(try await session.finishRestored(before) == .signal(signal))
        #expect(await session.transcript.hasSuffix("\r\n"))
    }

    @Test("T34 that the parent ignores stay ignored", arguments: [PromptKind.line, .plain, .secret])
    func ignored(kind: PromptKind) async throws {
        let (session, before) = try await kind.start(ignoring: [SIGINT, SIGHUP])
        await session.signal(SIGHUP)
        try await session.send(Key.interrupt)
        try await session.send("abc\r")
        try await session.expect("got <abc>")
        #expect(try await session.finishRestored(before) == .exit(0))
    }

    @Test("are noticed by a prompt on any thread", arguments: ["line=Ask", "secret=Ask"], [SIGINT, SIGTERM])
    func otherThread(request: String, signal: Int32) async throws {
        let session = try probe("off-main", request)
        try await session.expect("Ask: ")
        await session.signal(signal)
        #expect(try await session.finishRestored(session.initialModes) == .signal(signal))
    }

    @Test("T24 Ctrl-D on an empty line ends the input", arguments: PromptKind.allCases)
    func endOfInput(kind: PromptKind) async throws {
        let (session, before) = try await kind.start()
        try await session.send(Key.endOfInput)
        #expect(try await session.finishRestored(before) == .exit(66))
        #expect(await session.transcript.hasSuffix("\r\nerror <The input ended.>\r\n"))
    }

    @Test("T25 Ctrl-D after some text does not submit it", arguments: [PromptKind.line, .plain, .secret])
    func endOfInputInside(kind: PromptKind) async throws {
        let (session, before) = try await kind.start()
        try await session.send("abc" + Key.endOfInput + "d\r")
        try await session.expect("got <abcd>")
        #expect(try await session.finishRestored(before) == .exit(0))
    }

    @Test(
        "T30 a closed window ends the process, by SIGHUP or by the end of input, whichever comes first",
        arguments: [PromptKind.line, .plain, .secret], [[], [SIGHUP]])
    func hangUp(kind: PromptKind, ignoring: [Int32]) async throws {
        let (session, _) = try await kind.start(ignoring: ignoring)
        await session.hangUp()
        let ending = try await session.finish()
        #expect(ending == .exit(66) || (ending == .signal(SIGHUP) && ignoring.isEmpty))
    }

    @Test("T26 no core file is written while a secret is known")
    func coreLimit() async throws {
        let session = try TerminalSession.spawn(
            executable: "/bin/sh",
            arguments: [
                "-c", "ulimit -S -c $(ulimit -H -c); exec \"$0\" \"$@\"", BuiltProgram.path("prompt-probe"),
                "line=Name", "secret=Password",
            ], environment: ["TERM": "xterm"])
        try await session.expect("Name: ")
        let limits = "/proc/\(await session.program)/limits"
        let before = try contents(of: limits)
        try await session.send("Ada\r")
        try await session.expect("Password: ")
        let during = try contents(of: limits)
        let coreLimit = try Regex("Max core file size +0 ")
        #expect(during.contains(coreLimit))
        #expect(!before.contains(coreLimit), "the hard limit of this machine makes the test say nothing")
        try await session.send(Key.interrupt)
        #expect(try await session.finish() == .signal(SIGINT))
    }
}

/// A small text file.
func contents(of path: String) throws -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 16384)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
}
