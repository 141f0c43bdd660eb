// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Synchronization

/// The signals that tell a server to stop. They wait until they are asked for, so none is missed between two lines.
struct StopSignals: Sendable {
    private var signals = sigset_t()
    private let own = Own()
    /// Whether this process was started from a terminal, and not by a service manager.
    let hadTerminal = Self.hasTerminal

    /// To be made before any thread is started, so that all of them leave the signals to this one.
    init() {
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Whether the terminal that this process was started from has been closed. The system sends SIGHUP for that, and
    /// administrators send it for other reasons.
    var isTerminalGone: Bool { hadTerminal && !Self.hasTerminal }

    private static var hasTerminal: Bool {
        let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        close(terminal)
        return true
    }

    /// Tells this process to stop, as a signal from outside would. However many requests find a reason, it is one signal: a
    /// second one would end the process at once.
    func raise() {
        if !own.isRaised.exchange(true, ordering: .relaxed) { kill(getpid(), SIGTERM) }
    }

    private final class Own: Sendable {
        let isRaised = Atomic(false)
    }

    /// Waits for the next of them.
    @discardableResult
    func wait() -> Int32 {
        var signals = signals
        var received: Int32 = 0
        sigwait(&signals, &received)
        return received
    }

    /// Ends the process by the next of them, whatever it still does: who asks twice does not want to wait.
    func endAtNext() {
        DispatchQueue(label: "second signal").async { [self] in
            let received = wait()
            var signals = signals
            signal(received, SIG_DFL)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            kill(getpid(), received)
        }
    }
}
