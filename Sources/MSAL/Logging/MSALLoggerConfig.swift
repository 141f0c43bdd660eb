// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Synchronization

/// How much the log tells.
public enum MSALLogLevel: Int, Sendable {
    /// Nothing.
    case nothing
    /// What failed.
    case error
    /// What may surprise, too.
    case warning
    /// What an app did, too.
    case info
    /// Each request, too.
    case verbose

    /// The most that can be told.
    public static let last = MSALLogLevel.verbose
}

/// What the log leaves out.
public enum MSALLogMaskingLevel: Int, Sendable {
    /// Everything that says something of a person.
    case settingsMaskAllPII
    /// What identifies a person.
    case settingsMaskEUIIOnly
    /// Nothing but secrets, which the log never holds.
    case settingsMaskSecretsOnly
}

/// Takes a line of the log: its level, its text, and whether it may say something of a person.
public typealias MSALLogCallback = @Sendable (MSALLogLevel, String?, Bool) -> Void

/// Where the log goes, and what it tells.
public final class MSALLoggerConfig: NSObject, Sendable {
    private struct State {
        var level = MSALLogLevel.info
        var masking = MSALLogMaskingLevel.settingsMaskAllPII
        var callback: MSALLogCallback?
    }

    private let state = Mutex(State())

    /// How much is told; `info` by default.
    public var logLevel: MSALLogLevel {
        get { state.withLock { $0.level } }
        set { state.withLock { $0.level = newValue } }
    }

    /// What is left out; everything that says something of a person by default.
    public var logMaskingLevel: MSALLogMaskingLevel {
        get { state.withLock { $0.masking } }
        set { state.withLock { $0.masking = newValue } }
    }

    /// Sends the log to an app. Only the first call counts.
    ///
    /// - Parameter callback: Takes each line, on any thread.
    @preconcurrency public func setLogCallback(_ callback: @escaping MSALLogCallback) {
        let isFirst = state.withLock { state in
            defer { state.callback = state.callback ?? callback }
            return state.callback == nil
        }
        if !isFirst { Log.warning("setLogCallback was called again. The first callback stays.") }
    }

    /// What takes the log; nil where nobody does.
    public var callback: MSALLogCallback? { state.withLock { $0.callback } }
}
