// SPDX-License-Identifier: Apache-2.0

import Glibc
import Processes
import Testing

/// Commands that a person configured: what they read, what they print, and how they end.
final class ShellCommandTests {
    private let file = "/tmp/nativeauth-shell-\(getpid())-\(UInt64.random(in: 0 ... .max))"

    /// As the programs do: a command that does not read its input is no reason to die.
    init() { signal(SIGPIPE, SIG_IGN) }

    deinit { unlink(file) }

    private func failure(_ line: String, timeout: Duration? = nil, outputLimit: Int = 65536) -> ShellCommand.Failure? {
        do throws(ShellCommand.Failure) {
            _ = try ShellCommand(line, timeout: timeout).run(outputLimit: outputLimit)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        arguments: [
            ("printf hello", "hello"), ("echo abc | tr a-z A-Z | rev", "CBA\n"), ("true", ""), ("cat", ""),
            ("echo one; echo two >&2", "one\n"), ("kill -9 $$ & wait; echo on", nil),
        ] as [(String, String?)])
    func printed(_ line: String, _ output: String?) throws {
        guard let output else { return #expect(failure(line) == .signal(9)) }
        #expect(String(decoding: try ShellCommand(line).run(), as: UTF8.self) == output)
    }

    /// What the command read, as it wrote it down.
    private func read(by line: String, _ input: [UInt8]) throws -> [UInt8] {
        try ShellCommand("\(line) >'\(file)'", timeout: .seconds(60)).run(feeding: input)
        return try ShellCommand("cat '\(file)'").run(outputLimit: 1 << 20)
    }

    @Test(
        arguments: [
            ("cat", "salmon", "salmon"), ("tr a-z A-Z", "abc", "ABC"), ("true", "nobody reads this", ""),
            ("exec <&-; echo late", "nobody reads this", "late\n"),
        ])
    func fed(_ line: String, _ input: String, _ output: String) throws {
        #expect(String(decoding: try read(by: line, Array(input.utf8)), as: UTF8.self) == output)
    }

    @Test func failureOfWhatIsFedIsTold() {
        #expect(throws: ShellCommand.Failure.exit(code: 3)) { try ShellCommand("exit 3").run(feeding: []) }
        #expect(throws: ShellCommand.Failure.timedOut) {
            try ShellCommand("sleep 60", timeout: .milliseconds(200)).run(feeding: [])
        }
    }

    /// A sender that goes into the background has taken the message.
    @Test func whatIsLeftInTheBackgroundIsNotWaitedFor() throws {
        let start = ContinuousClock.now
        try ShellCommand("cat >/dev/null; sleep 60 &", timeout: .seconds(50)).run(feeding: Array("salmon".utf8))
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test(
        arguments: [
            ("exit 3", .exit(code: 3)), ("false", .exit(code: 1)),
            ("no-such-command-here 2>/dev/null", .exit(code: 127)),
            ("kill -TERM $$", .signal(15)), ("printf lost; exit 255", .exit(code: 255)),
        ] as [(String, ShellCommand.Failure)])
    func ended(_ line: String, _ expected: ShellCommand.Failure) {
        #expect(failure(line) == expected)
        #expect(failure(line, timeout: .seconds(60)) == expected)
    }

    /// As much as a pipe holds goes in without a reader, and comes back.
    @Test func muchInputComesBack() throws {
        let input = (0..<65536).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        #expect(try read(by: "cat", input) == input)
        #expect(try read(by: "true", input) == [])
    }

    @Test func outputHasALimit() throws {
        #expect(try ShellCommand("printf 12345").run(outputLimit: 5) == Array("12345".utf8))
        #expect(failure("printf 123456", outputLimit: 5) == .tooMuchOutput(limit: 5))
    }

    /// A command that never stops printing is no reason to wait for it.
    @Test func endlessOutputIsTooMuch() {
        #expect(failure("yes", timeout: .seconds(60)) == .tooMuchOutput(limit: 65536))
        #expect(failure("yes") == .tooMuchOutput(limit: 65536))
        #expect(failure("trap '' PIPE; yes 2>/dev/null; sleep 60") == .tooMuchOutput(limit: 65536))
    }

    /// Pipelines rely on SIGPIPE, which this program ignores and the command does not.
    @Test func pipelineEndsWithItsReader() throws {
        let output = try ShellCommand("yes | head -n 1").run()
        #expect(String(decoding: output, as: UTF8.self) == "y\n")
    }

    @Test(arguments: [
        "sleep 60", "sleep 60; true", "exec >&-; sleep 60", "trap '' TERM INT HUP; sleep 60", "sleep 60 &",
    ])
    func timeIsUp(_ line: String) {
        let start = ContinuousClock.now
        #expect(failure(line, timeout: .milliseconds(200)) == .timedOut)
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    /// What the command has started ends with it: the lock that such a process holds comes free.
    @Test func everythingThatItStartedEnds() {
        let start = ContinuousClock.now
        #expect(failure("( flock 9; sleep 60 ) 9>\(file) & wait", timeout: .seconds(1)) == .timedOut)
        let descriptor = open(file, O_RDWR | O_CLOEXEC)
        #expect(descriptor >= 0)
        #expect(flock(descriptor, LOCK_EX) == 0)
        close(descriptor)
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test func commandsDoNotInheritEachOthersPipes() async throws {
        let outputs = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for number in 0..<16 {
                group.addTask { try ShellCommand("printf \(number)").run() }
            }
            return try await group.reduce(into: [String]()) { $0.append(String(decoding: $1, as: UTF8.self)) }
        }
        #expect(Set(outputs) == Set((0..<16).map(String.init)))
    }
}
