// SPDX-License-Identifier: Apache-2.0

internal import CTerminal
internal import Glibc

/// What a program does before anything else.
package enum ProcessStart {
    /// Puts the process into a state that the rest can rely on.
    ///
    /// - A reader that has gone is reported by the write to it, so that it is never taken for success.
    /// - No file gets the number of a standard stream that the caller closed. The stand-in is opened the wrong way
    ///   round, so that writing to a closed stream stays an error.
    /// - No memory of it is left behind: it will hold tokens.
    /// - Its threads share a heap.
    /// - What is created is the owner's alone.
    ///
    /// - Returns: What was otherwise before, for a program that takes this one's place.
    @discardableResult package static func prepare() -> Before {
        let ignoresBrokenPipe = ignoresBrokenPipe
        signal(SIGPIPE, SIG_IGN)
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
        // Where the kernel refuses, going on is still better than not going on.
        _ = na_forbid_dumps()
        _ = na_share_heap()
        return Before(mask: umask(0o077), ignoresBrokenPipe: ignoresBrokenPipe)
    }

    /// Has memory overwritten that is given back: for a process that lives long, and that many people trust with what they
    /// type. A text of Swift's cannot be wiped, but its memory is given back as soon as nobody needs it.
    package static func wipeFreedMemory() {
        // Where the C library cannot, going on is still better than not going on.
        _ = na_wipe_freed_memory()
    }

    /// How the caller started the process.
    package struct Before: Sendable {
        package let mask: UInt32
        package let ignoresBrokenPipe: Bool
    }

    /// Function pointers cannot be compared in Swift; the action has the handler as a number, too.
    private static var ignoresBrokenPipe: Bool {
        var action = sigaction()
        guard sigaction(SIGPIPE, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}
