// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A program that a test runs; it ends with the test.
final class RunningProgram: Sendable {
    private let pid: pid_t
    private let output: Int32
    private let hasEnded = Mutex(false)

    struct CannotStart: Error {
        let code: Int32
    }

    init(_ arguments: [String]) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw CannotStart(code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var words = arguments.map { strdup($0) }
        var variables = [strdup("PATH=/usr/bin:/bin"), strdup("PYTHONDONTWRITEBYTECODE=1")]
        defer { (words + variables).forEach { free($0) } }
        words.append(nil)
        variables.append(nil)
        var child = pid_t()
        let code = posix_spawn(&child, arguments[0], &actions, nil, &words, &variables)
        close(ends[1])
        output = ends[0]
        pid = child
        if code != 0 {
            hasEnded.withLock { $0 = true }
            throw CannotStart(code: code)
        }
    }

    deinit {
        end()
        close(output)
    }

    /// Ends the program, if it still runs.
    func end() {
        hasEnded.withLock { ended in
            guard !ended else { return }
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
            ended = true
        }
    }

    /// The exit code of a program that ends by itself.
    func wait() -> Int32 {
        hasEnded.withLock { ended in
            var status: Int32 = 0
            waitpid(pid, &status, 0)
            ended = true
            return status >> 8 & 0xFF
        }
    }

    /// The next line of the output; nil at its end.
    func readLine() -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(output, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}
