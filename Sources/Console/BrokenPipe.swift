// SPDX-License-Identifier: Apache-2.0

internal import CTerminal
internal import Glibc

/// What becomes of a program whose reader has gone.
package enum BrokenPipe {
    /// Ends the process as one that never heard of SIGPIPE: what nobody took is not passed off as delivered.
    package static func endProcess() -> Never {
        na_end_by_signal(SIGPIPE)
    }
}
