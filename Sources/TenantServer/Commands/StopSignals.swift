// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Processes
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

    /// Waits until a child has ended. Meanwhile each of them is passed on to it, but for what the terminal has sent to it
    /// as well. One that comes when it has ended is most likely what has ended it, sent to the whole group.
    func ending(of child: Int32) -> OtherProgram.Ending {
        let running = Running(child)
        DispatchQueue(label: "signals of the program").async { [self] in
            var isRunning = true
            while isRunning {
                let received = wait()
                isRunning = running.send(received == SIGINT && hadTerminal ? 0 : received)
            }
        }
        return running.ending()
    }

    /// A child that gets no signal when it has ended: its number may be another's then.
    private final class Running: Sendable {
        private let child: Int32
        private let hasEnded = Mutex(false)

        init(_ child: Int32) { self.child = child }

        /// Sends it a signal, or 0 for none. False where it has ended.
        func send(_ signal: Int32) -> Bool {
            hasEnded.withLock { hasEnded in
                if !hasEnded { kill(child, signal) }
                return !hasEnded
            }
        }

        /// The number stays its own until it is waited for, so that comes second.
        func ending() -> OtherProgram.Ending {
            var information = siginfo_t()
            while waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            hasEnded.withLock { $0 = true }
            return OtherProgram.ending(of: child)
        }
    }
}
