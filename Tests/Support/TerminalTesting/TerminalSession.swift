// SPDX-License-Identifier: Apache-2.0

internal import CPty
internal import Glibc

/// A program on a pseudo-terminal, and a person in front of it.
///
/// Its methods wait on a thread of their own, so that many sessions and in-process servers can run side by side.
package actor TerminalSession {
    private let thread = SessionThread()
    private var pty: na_pty
    private let outputFile: Int32
    private let discretion: Discretion
    /// The terminal's modes before the program started.
    package nonisolated let initialModes: TerminalModes
    private var received: [UInt8] = []
    /// Up to here the transcript was expected already.
    private var seen = 0

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private init(pty: na_pty, outputFile: Int32, discretion: Discretion) {
        self.pty = pty
        self.discretion = discretion
        self.outputFile = outputFile
        initialModes = TerminalModes(pty.initial)
    }

    deinit {
        for descriptor in [pty.channel, pty.master, outputFile] where descriptor >= 0 { close(descriptor) }
        waitpid(pty.leader, nil, 0)
    }

    /// Starts a program whose streams are the terminal; with `capturingOutput` its standard output is kept apart.
    ///
    /// - Parameter discretion: What the program must keep to itself: looked for whenever it was waited for, and at its end.
    package static func spawn(
        executable: String, arguments: [String] = [], environment: [String: String] = [:], directory: String? = nil,
        ignoring signals: [Int32] = [], columns: UInt16 = 80, rows: UInt16 = 24, capturingOutput: Bool = false,
        discretion: Discretion = .none
    ) throws -> TerminalSession {
        let output = capturingOutput ? na_pty_memory_file() : -1
        let words = CStrings([executable] + arguments)
        let variables = CStrings(environment.map { "\($0.key)=\($0.value)" })
        var pty = na_pty()
        let code = executable.withCString { path in
            withOptionalCString(directory) { directory in
                signals.withUnsafeBufferPointer { signals in
                    var program = na_pty_program(
                        path: path, arguments: words.pointers, environment: variables.pointers, directory: directory,
                        ignored: signals.baseAddress, ignored_count: signals.count, output: output, columns: columns,
                        rows: rows)
                    return na_pty_spawn(&program, &pty)
                }
            }
        }
        let session = TerminalSession(pty: pty, outputFile: output, discretion: discretion)
        if code != 0 { throw SessionError(what: "cannot start \(executable): errno \(code)", transcript: "") }
        return session
    }

    /// All that the terminal showed, with its escape sequences.
    package var transcript: String { String(decoding: received, as: UTF8.self) }

    /// The program's standard output, where it is kept apart.
    package var output: String {
        var bytes = [UInt8](repeating: 0, count: Int(lseek(outputFile, 0, SEEK_END)))
        let count = pread(outputFile, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// The terminal's modes at this moment.
    package var modes: TerminalModes {
        var modes = na_pty_modes()
        na_pty_get_modes(pty.master, &modes)
        return TerminalModes(modes)
    }

    /// The process id of the program.
    package var program: Int32 { pty.program }

    /// The process group in the foreground: in a shell with job control, that of the command that runs.
    package var foreground: Int32 {
        get throws {
            let group = tcgetpgrp(pty.master)
            if group <= 0 { throw failure("no foreground: errno \(errno)") }
            return group
        }
    }

    /// Waits until the terminal shows this text after what was expected before; returns what came up to its end.
    @discardableResult
    package func expect(_ text: String, timeout: Duration = .seconds(30)) throws -> String {
        let wanted = Array(text.utf8)
        let deadline = ContinuousClock.now + timeout
        while true {
            if let end = firstEnd(of: wanted, after: seen) {
                defer { seen = end }
                if let leak = discretion.leak(ofProcess: pty.program) { throw failure("a secret is in \(leak)") }
                return String(decoding: received[seen..<end], as: UTF8.self)
            }
            guard try take(until: deadline) else { throw failure("the program ended before it showed '\(text)'") }
        }
    }

    /// Types a text; `"\r"` is Enter, `"\u{3}"` Ctrl-C.
    package func send(_ text: String) throws {
        try send(bytes: Array(text.utf8))
    }

    /// Types bytes, and reads meanwhile what the program shows: neither side waits for the other for ever.
    package func send(bytes: [UInt8], timeout: Duration = .seconds(30)) throws {
        let deadline = ContinuousClock.now + timeout
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(pty.master, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0, errno != EAGAIN, errno != EINTR {
                throw failure("cannot type: errno \(errno)")
            } else if try !take(until: deadline, orUntilWritable: true) {
                throw failure("the program ended while it was typed to")
            }
        }
    }

    /// Sends a signal to the program alone.
    package func signal(_ number: Int32) {
        kill(pty.program, number)
    }

    /// Changes the size of the window.
    package func resize(columns: UInt16, rows: UInt16) {
        na_pty_resize(pty.master, columns, rows)
    }

    /// Closes the window.
    package func hangUp() {
        close(pty.master)
        pty.master = -1
    }

    /// Waits for the program's end, and takes everything that it showed until then. Whatever a test is about: the terminal
    /// is as it was, unless nobody could see to that, and no secret was shown.
    ///
    /// - Parameter terminalMayChange: For a shell whose script changes the terminal, or lets it be changed.
    @discardableResult
    package func finish(timeout: Duration = .seconds(30), terminalMayChange: Bool = false) throws -> Ending {
        let deadline = ContinuousClock.now + timeout
        while pty.master >= 0, try take(until: deadline) {}
        guard try poll(pty.channel, POLLIN, until: deadline) != 0 else { throw failure("the program does not end") }
        var status: Int32 = 0
        var signal: Int32 = 0
        if na_pty_take_status(&pty, &status) != 0 { throw failure("the program's end is unknown") }
        let code = na_pty_exit_code(status, &signal)
        let ending = signal == 0 ? Ending.exit(code) : .signal(signal)
        if !terminalMayChange, pty.master >= 0, ending != .signal(SIGKILL), modes != initialModes {
            throw failure("the terminal is not as it was")
        }
        let shown = transcript + (outputFile >= 0 ? output : "")
        if !discretion.isKept(in: shown) { throw failure("a secret was shown") }
        if let file = discretion.leakedFile() { throw failure("a secret is in \(file)") }
        return ending
    }
}

extension TerminalSession {
    /// Reads once, when there is something; false at the end of the program.
    private func take(until deadline: ContinuousClock.Instant, orUntilWritable: Bool = false) throws -> Bool {
        let events = try poll(pty.master, orUntilWritable ? POLLIN | POLLOUT : POLLIN, until: deadline)
        if events == 0 { throw failure("timed out") }
        if events & (POLLIN | POLLHUP | POLLERR) == 0 { return true }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(pty.master, &buffer, buffer.count)
        if count > 0 { received += buffer.prefix(count) }
        // EIO: nobody has the terminal open any more.
        return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR))
    }

    /// The events that came; 0 when the time is over.
    private func poll(_ descriptor: Int32, _ events: Int32, until deadline: ContinuousClock.Instant) throws -> Int32 {
        while true {
            let left = (deadline - .now) / .milliseconds(1)
            var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let ready = Glibc.poll(&entry, 1, Int32(max(0, left.rounded(.up))))
            if ready > 0 { return Int32(entry.revents) }
            if ready == 0, left <= 0 { return 0 }
            if ready < 0, errno != EINTR { throw failure("cannot wait: errno \(errno)") }
        }
    }

    private func firstEnd(of wanted: [UInt8], after start: Int) -> Int? {
        let place = received.withUnsafeBufferPointer { received in
            na_pty_find(received.baseAddress.map { $0 + start }, received.count - start, wanted, wanted.count)
        }
        return place < 0 ? nil : start + place + wanted.count
    }

    private func failure(_ what: String) -> SessionError {
        SessionError(what: what, transcript: transcript)
    }
}
