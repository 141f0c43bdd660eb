// SPDX-License-Identifier: Apache-2.0

internal import CTerminal

/// How a process ends that another one ended.
package enum ProcessEnd {
    /// Ends this process by the signal that ended a child, so that the parent sees the true cause.
    package static func bySignal(_ signal: Int32) -> Never { na_end_by_signal(signal) }
}
