// SPDX-License-Identifier: Apache-2.0

import Console
import Files
import Glibc

/// Runs a command line that the person gave as the source of an answer.
enum Shell {
    /// An answer is a password or a mail; more is a mistake.
    private static let limit = 64 * 1024

    /// The standard output of `/bin/sh -c command`. Its standard error is ours, and its standard input is empty.
    static func output(of command: String, flag: String) throws(CommandFailure) -> [UInt8] {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw failure(flag, "cannot be run: \(String(cString: strerror(errno)))") }
        // The child's end is duplicated to its standard output; neither end is its business otherwise.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        // This program ignores SIGPIPE; a shell's pipelines rely on it.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var process = pid_t()
        var words: [UnsafeMutablePointer<CChar>?] =
            ["sh", "-c", command].map { (word: String) in strdup(word) } + [nil]
        let result = posix_spawn(&process, "/bin/sh", &actions, &attributes, &words, environ)
        words.forEach { free($0) }
        close(ends[1])
        defer { close(ends[0]) }
        guard result == 0 else { throw failure(flag, "cannot be run: \(String(cString: strerror(result)))") }
        let text = read(ends[0])
        try check(wait(for: process), flag)
        guard text.count <= limit else { throw failure(flag, "printed more than \(limit) bytes") }
        return text
    }

    private static func read(_ descriptor: Int32) -> [UInt8] {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while text.count <= limit {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            text += buffer[..<count]
        }
        return text
    }

    private static func wait(for process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    private static func check(_ status: Int32, _ flag: String) throws(CommandFailure) {
        // As the macros WIFEXITED and WEXITSTATUS read it.
        guard status & 0x7F == 0 else { throw failure(flag, "was ended by signal \(status & 0x7F)") }
        let code = status >> 8 & 0xFF
        guard code == 0 else { throw failure(flag, "ended with exit code \(code)") }
    }

    private static func failure(_ flag: String, _ what: String) -> CommandFailure {
        CommandFailure(.missingInput, "The command of \(flag) \(what).")
    }
}
