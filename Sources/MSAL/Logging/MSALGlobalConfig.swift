// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Synchronization

/// What all apps of a process share.
public final class MSALGlobalConfig: NSObject {
    /// Where the log goes.
    public static let loggerConfig = MSALLoggerConfig()
    /// How requests are made, by apps that are made from then on.
    public static let httpConfig = MSALHTTPConfig()
    /// Whether a broker is asked. There is none on this system, so both mean the same.
    public static var brokerAvailability: MSALBrokeredAvailability {
        get { broker.withLock { $0 } }
        set { broker.withLock { $0 = newValue } }
    }

    private static let broker = Mutex(MSALBrokeredAvailability.auto)

    private override init() {}
}

/// Whether an app wants a broker to be asked.
public enum MSALBrokeredAvailability: Int, Sendable {
    /// If there is one.
    case auto
    /// Never.
    case none
}

/// How requests are made.
public final class MSALHTTPConfig: NSObject, Sendable {
    private let values = Mutex((retryCount: 1, retryInterval: 0.5, timeout: 300.0))

    /// How often a request is sent again after a server's 5xx, or no answer at all; 1 by default.
    public var retryCount: Int {
        get { values.withLock { $0.retryCount } }
        set { values.withLock { $0.retryCount = newValue } }
    }

    /// The seconds before that; half a second by default, and no more than a day.
    public var retryInterval: TimeInterval {
        get { values.withLock { $0.retryInterval } }
        set { values.withLock { $0.retryInterval = newValue } }
    }

    /// The seconds that a request may take as a whole; 300 by default. It has a millisecond in any case, and no more than
    /// a day.
    public var timeoutIntervalForRequest: TimeInterval {
        get { values.withLock { $0.timeout } }
        set { values.withLock { $0.timeout = newValue } }
    }

    var timeout: Duration { max(.milliseconds(1), .waited(timeoutIntervalForRequest)) }
    var interval: Duration { .waited(retryInterval) }
}

extension Duration {
    /// What an app wants to be waited: not at all where it names no number, or one below zero.
    fileprivate static func waited(_ seconds: TimeInterval) -> Duration { .seconds(min(max(0, seconds), 86_400)) }
}
