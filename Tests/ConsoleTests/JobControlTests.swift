// SPDX-License-Identifier: Apache-2.0

import Glibc
import TerminalTesting
import Testing

@Suite("Job control at a prompt")
struct JobControlTests {
    static let shells = [["/bin/bash", "--norc", "--noprofile", "-i"], ["/bin/dash", "-i"]]

    /// Prints `echo=on` or `echo=off`, in words that the command line itself does not have.
    static let sayEcho = "case $(stty -a) in *' -echo '*) printf 'echo=%s\\n' off;; *) printf 'echo=%s\\n' on;; esac\r"

    private func start(_ words: [String]) async throws -> TerminalSession {
        let session =
            words.count > 2
            ? try shell(words[0], words[1], words[2], words[3]) : try shell(words[0], words[1])
        try await session.expect("ready> ")
        return session
    }

    @Test(
        "T28 a stopped secret prompt gives the shell its echo, and takes it again", arguments: shells,
        ["", "off-main "])
    func secret(words: [String], thread: String) async throws {
        let session = try await start(words)
        try await session.send("$PROBE \(thread)secret=Password\r")
        try await session.expect("Password: ")
        try await session.send("ab" + Key.stop)
        try await session.expect("Stopped")
        try await session.expect("ready> ")
        try await session.send(Self.sayEcho)
        try await session.expect("echo=on")
        try await session.send("fg\r")
        try await session.expect("Password: ")
        #expect(await !session.modes.echoIsOn)
        try await session.send("hush\r")
        try await session.expect("got <hush>")
        try await session.send(Self.sayEcho)
        try await session.expect("echo=on")
        try await session.send("exit\r")
        _ = try await session.finish()
        #expect(await session.transcript.components(of: "hush") == 1)
    }

    @Test("T29 a stopped line prompt keeps its text", arguments: shells, ["", "off-main "])
    func line(words: [String], thread: String) async throws {
        let session = try await start(words)
        try await session.send("$PROBE \(thread)line=Name\r")
        try await session.expect("Name: ")
        try await session.send("ab")
        try await session.expect("ab")
        try await session.send(Key.stop)
        try await session.expect("Stopped")
        try await session.expect("ready> ")
        try await session.send("fg\r")
        try await session.expect("Name: ab")
        try await session.send("cd\r")
        try await session.expect("got <abcd>")
        try await session.send("exit\r")
        _ = try await session.finish()
    }

    @Test("T29 a stopped prompt on a dumb terminal starts again", arguments: shells)
    func plainLine(words: [String]) async throws {
        let session = try await start(words)
        try await session.send("TERM=dumb $PROBE line=Name\r")
        try await session.expect("Name: ")
        try await session.send("ab" + Key.stop)
        try await session.expect("Stopped")
        try await session.expect("ready> ")
        try await session.send("fg\r")
        try await session.expect("Name: ")
        try await session.send("cd\r")
        try await session.expect("got <cd>")
        try await session.send("exit\r")
        _ = try await session.finish()
    }

    @Test(
        "T33 a prompt in the background waits for the foreground", arguments: shells,
        ["line", "secret", "off-main line", "off-main secret"])
    func background(words: [String], kind: String) async throws {
        let session = try await start(words)
        try await session.send("$PROBE \(kind)=Question &\r")
        try await session.expect("ready> ")
        try await session.send("until grep -q ') T ' /proc/$!/stat; do :; done; printf 'job=%s\\n' stopped\r")
        try await session.expect("job=stopped")
        try await session.send("fg\r")
        try await session.expect("Question: ")
        try await session.send("hush\r")
        try await session.expect("got <hush>")
        try await session.send("exit\r")
        _ = try await session.finish()
    }

    @Test("a secret prompt that was stopped from outside is drawn again, without echo")
    func stoppedFromOutside() async throws {
        let session = try probe("secret=Password")
        let before = session.initialModes
        try await session.expect("Password: ")
        await session.signal(SIGSTOP)
        await session.signal(SIGCONT)
        try await session.expect("Password: ")
        #expect(await !session.modes.echoIsOn)
        try await session.send("hush\r")
        try await session.expect("got <hush>")
        #expect(try await session.finishRestored(before) == .exit(0))
    }
}

extension String {
    /// How often a text occurs in this one.
    fileprivate func components(of text: String) -> Int {
        ranges(of: text).count
    }
}
