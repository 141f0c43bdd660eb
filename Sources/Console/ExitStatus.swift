// SPDX-License-Identifier: Apache-2.0

/// The exit codes that scripts may rely on: the numbers of `sysexits.h`, 4 for "sign in first", as `gh` has it, and 126 and
/// 127 of POSIX's utilities that run another program.
package enum ExitStatus: Int32, Sendable, CaseIterable {
    case done = 0
    case failed = 1
    case signInNeeded = 4
    case usage = 64
    case invalidData = 65
    case missingInput = 66
    case unknownHost = 68
    case unavailable = 69
    case internalError = 70
    case cannotCreate = 73
    case outputFailed = 74
    case tryAgain = 75
    case brokenProtocol = 76
    case refused = 77
    case configuration = 78
    case cannotExecute = 126
    case notFound = 127
}

/// A command that ends without what it was asked for: what happened and why, what to do next, and the exit code.
package struct CommandFailure: Error, Sendable, Equatable {
    /// One or two sentences.
    package let message: String
    /// What to do next, as a sentence; nil where the message says it.
    package let hint: String?
    package let status: ExitStatus

    /// A failure; texts from servers are made printable before.
    package init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
        self.status = status
        self.message = message
        self.hint = hint
    }
}
