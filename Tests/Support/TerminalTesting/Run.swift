// SPDX-License-Identifier: Apache-2.0

internal import CPty
internal import Dispatch
internal import Glibc

/// A program that is run to its end without a terminal, as a job or another program would run it.
package struct Run: Sendable {
    package let executable: String
    package let arguments: [String]
    package let environment: [String: String]
    package var directory = "/"
    package var input = Input.null
    package var output = Stream.captured
    package var errors = Stream.captured
    package var timeout: Duration = .seconds(60)
    /// What the program must keep to itself; the run fails if it does not.
    package var discretion = Discretion.none

    /// Where its standard input comes from.
    package enum Input: Sendable {
        case null
        case closed
        /// A pipe that nobody writes to, nor closes.
        case idle
        case text(String)
    }

    /// Where a stream goes.
    package enum Stream: Sendable {
        case captured
        case closed
        case file(String)
        /// A pipe whose reader has gone.
        case broken
    }

    /// What came of it.
    package struct Outcome: Sendable, CustomStringConvertible {
        package let ending: Ending
        package let output: String
        package let errors: String
        package let duration: Duration

        package var description: String {
            "\(ending) after \(duration)\n--- standard output ---\n\(output)\n--- standard error ---\n\(errors)"
        }
    }

    package init(_ executable: String, _ arguments: [String] = [], environment: [String: String] = [:]) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
    }

    /// Runs the program; it is killed when the time is over, and that is an error.
    package func callAsFunction() async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            // A thread of its own: Swift's pool has only as many as the machine has cores.
            DispatchQueue(label: "run").async { continuation.resume(with: Result { try execute() }) }
        }
    }

    /// Runs the program, and blocks the thread meanwhile: for callers that cannot wait in another way.
    package func wait() throws -> Outcome { try execute() }

    /// Runs the program and kills it just before its n-th change to a file; with 0 it runs to its end.
    ///
    /// - Returns: What came of it, and how many changes were counted.
    package func killed(atChange number: Int) async throws -> (outcome: Outcome, changes: Int) {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "run").async {
                continuation.resume(
                    with: Result {
                        var changes = 0
                        let outcome = try execute { program, status in
                            na_run_killed(&program, number, UInt32(timeout / .seconds(1)), &status, &changes)
                        }
                        return (outcome, changes)
                    })
            }
        }
    }

    private func execute() throws -> Outcome {
        var leak: String?
        let outcome = try execute { program, status in
            var process = pid_t()
            let code = na_run_spawn(&program, &process)
            if code != 0 { return code }
            let deadline = ContinuousClock.now + timeout
            leak = look(at: process, until: deadline)
            return na_run_wait(process, Int32(max(.zero, deadline - .now) / .milliseconds(1)), &status)
        }
        if let leak { throw SessionError(what: "\(executable) \(arguments): a secret is in \(leak)", transcript: "") }
        return outcome
    }

    /// Looks at a running program and its children every now and then until it ends; where a secret was seen.
    private func look(at process: pid_t, until deadline: ContinuousClock.Instant) -> String? {
        while ContinuousClock.now < deadline, !na_run_has_ended(process, 20) {
            if let leak = discretion.leak(ofProcess: process) { return leak }
        }
        return nil
    }

    private func execute(_ body: (inout na_run_program, inout Int32) -> Int32) throws -> Outcome {
        let input = try Descriptor(input)
        let output = try Descriptor(output)
        let errors = try Descriptor(errors)
        let words = CStrings([executable] + arguments)
        let variables = CStrings(environment.map { "\($0.key)=\($0.value)" })
        let start = ContinuousClock.now
        var status: Int32 = 0
        let code = executable.withCString { path in
            directory.withCString { directory in
                var program = na_run_program(
                    path: path, arguments: words.pointers, environment: variables.pointers, directory: directory,
                    input: input.number, output: output.number, errors: errors.number)
                return withExtendedLifetime((input, output, errors)) { body(&program, &status) }
            }
        }
        var signal: Int32 = 0
        let exit = na_pty_exit_code(status, &signal)
        let outcome = Outcome(
            ending: signal == 0 ? .exit(exit) : .signal(signal), output: output.content, errors: errors.content,
            duration: ContinuousClock.now - start)
        if !discretion.isKept(in: outcome.output + outcome.errors) {
            throw SessionError(what: "\(executable) \(arguments) shows a secret", transcript: "\(outcome)")
        }
        if let file = discretion.leakedFile() {
            throw SessionError(what: "\(executable) \(arguments): a secret is in \(file)", transcript: "\(outcome)")
        }
        switch code {
        case 0: return outcome
        case ETIMEDOUT: throw SessionError(what: "\(executable) \(arguments) does not end", transcript: "\(outcome)")
        default: throw SessionError(what: "cannot run \(executable): errno \(code)", transcript: "")
        }
    }
}

/// A descriptor for a child, and what belongs to it on this side.
private final class Descriptor {
    let number: Int32
    private var other: Int32 = -1
    private var isCaptured = false

    init(_ input: Run.Input) throws {
        switch input {
        case .null: number = open("/dev/null", O_RDONLY | O_CLOEXEC)
        case .closed: number = -1
        case .idle: (number, other) = Self.pipe()
        case .text(let text):
            number = na_pty_memory_file()
            let bytes = Array(text.utf8)
            guard write(number, bytes, bytes.count) == bytes.count, lseek(number, 0, SEEK_SET) == 0 else {
                throw SessionError(what: "cannot prepare the input: errno \(errno)", transcript: "")
            }
        }
    }

    init(_ stream: Run.Stream) throws {
        switch stream {
        case .captured:
            number = na_pty_memory_file()
            isCaptured = true
        case .closed: number = -1
        case .file(let path):
            number = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            guard number >= 0 else { throw SessionError(what: "cannot open \(path): errno \(errno)", transcript: "") }
        case .broken:
            let reader: Int32
            (reader, number) = Self.pipe()
            close(reader)
        }
    }

    deinit {
        for descriptor in [number, other] where descriptor >= 0 { close(descriptor) }
    }

    /// What the child wrote.
    var content: String {
        guard isCaptured else { return "" }
        var bytes = [UInt8](repeating: 0, count: Int(lseek(number, 0, SEEK_END)))
        let count = pread(number, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    private static func pipe() -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { return (-1, -1) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}
