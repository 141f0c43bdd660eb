// SPDX-License-Identifier: Apache-2.0

import Console
import Files
import FoundationEssentials
import Glibc
import NativeAuth
import Synchronization

/// The log of requests, one line each.
final class DebugLog: Sendable {
    private let errors: Output
    private let isShown: Bool
    private let file: LogFile?
    private let time: TimeSource
    private let hasFailed = Mutex(false)

    /// - Parameter isShown: Whether the lines go to `errors`, too; what is wrong with the file does in any case.
    init(errors: Output, showing isShown: Bool, file: LogFile?, time: TimeSource) {
        self.errors = errors
        self.isShown = isShown
        self.file = file
        self.time = time
    }

    /// Writes a line, with the time before it. A log that cannot be written is said once, and stops nothing.
    func write(_ line: RequestLine) {
        let text = time.now().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) + " " + line.text
        if isShown { try? errors.line(text) }
        do throws(FileError) { try file?.write(text + "\n") } catch {
            let isFirst = hasFailed.withLock { hasFailed in
                defer { hasFailed = true }
                return !hasFailed
            }
            if isFirst { try? errors.line("\(NativeAuthTool.program): the log is not whole: \(error.sentence)") }
        }
    }
}

/// A file that a log is appended to: its owner's alone, and under one name, so that nobody else reads along.
final class LogFile: Sendable {
    private let file: FileDescriptor

    init(_ path: String) throws(CommandFailure) {
        let problem: String?
        do throws(FileError) {
            file = try FileDescriptor(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
            problem = try file.facts().problem
        } catch {
            guard error.errno == ELOOP else { throw CommandFailure(.cannotCreate, error.sentence) }
            throw Self.refusal(path, "it is a symbolic link")
        }
        if let problem { throw Self.refusal(path, problem) }
    }

    /// One call a line: those of several processes do not mix.
    func write(_ text: String) throws(FileError) {
        try file.write(text.utf8)
    }

    private static func refusal(_ path: String, _ problem: String) -> CommandFailure {
        CommandFailure(
            .configuration, "\(path.printable) is not safe for a log: \(problem).",
            hint: "Name a file that is not there yet, with --debug-file.")
    }
}

extension FileDescriptor.Facts {
    /// What speaks against a file for the owner's eyes; nil for nothing.
    var problem: String? {
        if !isRegularFile { return "it is not a regular file" }
        if owner != geteuid() { return "it belongs to another user" }
        if mode & 0o077 != 0 { return "other users may read it" }
        return links == 1 ? nil : "it has another name elsewhere"
    }
}
