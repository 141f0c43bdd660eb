// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A command line for `/bin/sh` that somebody configured or typed. What it needs to know goes to its standard input, since
/// an argument list can be read by every user of the machine; its standard error is ours.
package struct ShellCommand: Sendable {
    package let line: String
    /// How long it may run; nil for as long as it likes. With a limit it has a process group of its own, which is killed
    /// as a whole; without one a Ctrl-C at the terminal ends it, too.
    package var timeout: Duration?

    package init(_ line: String, timeout: Duration? = nil) {
        self.line = line
        self.timeout = timeout
    }

    /// Why there is no output.
    package enum Failure: Error, Equatable {
        case cannotRun(errno: Int32)
        case exit(code: Int32)
        case signal(Int32)
        case timedOut
        case tooMuchOutput(limit: Int)
    }

    /// Runs the command to its end and returns what it printed.
    package func run(outputLimit: Int = 64 * 1024) throws(Failure) -> [UInt8] {
        let stdout = try pipe()
        let child = try start(reading: nil, writing: stdout.writer.number)
        stdout.writer.close()
        let end = deadline
        let output = read(stdout.reader.number, limit: outputLimit, until: end)
        // A command that goes on printing ends by itself then; it may also go on without.
        stdout.reader.close()
        guard let output, output.count <= outputLimit, let status = wait(child, until: end) else {
            kill(child)
            throw (output?.count ?? 0) > outputLimit ? .tooMuchOutput(limit: outputLimit) : .timedOut
        }
        try check(status)
        return output
    }

    /// Runs the command to its end; what it prints goes nowhere. What it leaves in the background is not waited for.
    ///
    /// - Parameter input: At most what a pipe holds, 64 KiB, so that writing it never waits. The command may end without
    ///   reading it: this program ignores SIGPIPE.
    package func run(feeding input: [UInt8]) throws(Failure) {
        precondition(input.count <= 65536)
        let stdin = try pipe()
        let child = try start(reading: stdin.reader.number, writing: nil)
        stdin.reader.close()
        _ = input.withUnsafeBytes { write(stdin.writer.number, $0.baseAddress, $0.count) }
        stdin.writer.close()
        guard let status = wait(child, until: deadline) else {
            kill(child)
            throw .timedOut
        }
        try check(status)
    }

    private func pipe() throws(Failure) -> Pipe {
        do throws(SystemError) { return try Pipe() } catch { throw .cannotRun(errno: error.code) }
    }

    private var deadline: ContinuousClock.Instant? { timeout.map { .now + $0 } }

    private func kill(_ child: pid_t) {
        Glibc.kill(timeout == nil ? child : -child, SIGKILL)
        _ = wait(child, until: nil)
    }

    private func check(_ status: Int32) throws(Failure) {
        switch OtherProgram.Ending(status: status) {
        case .exit(0): return
        case .exit(let code): throw .exit(code: code)
        case .signal(let number): throw .signal(number)
        }
    }

    /// - Parameters:
    ///   - input: Nil for none.
    ///   - output: Nil for nowhere.
    private func start(reading input: Int32?, writing output: Int32?) throws(Failure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This program ignores SIGPIPE, on which a shell's pipelines rely; and a server's threads block what stops it.
        var defaults = sigset_t()
        var mask = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGPIPE)
        sigemptyset(&mask)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setpgroup(&attributes, 0)
        let group = timeout == nil ? 0 : POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | group))
        var words: [UnsafeMutablePointer<CChar>?] = ["sh", "-c", line].map { (word: String) in strdup(word) } + [nil]
        defer { words.forEach { free($0) } }
        var child = pid_t()
        let result = posix_spawn(&child, "/bin/sh", &actions, &attributes, &words, environ)
        guard result == 0 else { throw .cannotRun(errno: result) }
        return child
    }

    /// What comes until the end of the output, at most one byte more than the limit; nil when time is up.
    private func read(_ descriptor: Int32, limit: Int, until end: ContinuousClock.Instant?) -> [UInt8]? {
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while output.count <= limit {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waiting, 1, end.map { Self.milliseconds(to: $0) } ?? -1)
            if ready < 0, errno == EINTR { continue }
            if ready == 0 { return nil }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            output += buffer[..<count]
        }
        return output
    }

    private static func milliseconds(to end: ContinuousClock.Instant) -> Int32 {
        let (seconds, attoseconds) = (end - .now).components
        return Int32(clamping: max(0, seconds * 1000 + attoseconds / 1_000_000_000_000_000))
    }

    /// The status it ended with; nil when time is up.
    private func wait(_ child: pid_t, until end: ContinuousClock.Instant?) -> Int32? {
        var status: Int32 = 0
        while true {
            let ended = waitpid(child, &status, end == nil ? 0 : WNOHANG)
            if ended == child || (ended < 0 && errno != EINTR) { return status }
            if let end, ContinuousClock.now >= end { return nil }
            if ended == 0 { usleep(1_000) }
        }
    }
}
