// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The signals that tell a server to stop. They wait until they are asked for, so none is missed between two lines.
struct StopSignals {
    private var signals = sigset_t()

    /// To be made before any thread is started, so that all of them leave the signals to this one.
    init() {
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Waits for the first of them.
    func wait() {
        var signals = signals
        var received: Int32 = 0
        sigwait(&signals, &received)
    }
}
