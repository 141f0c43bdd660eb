// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import NativeAuth

/// Writes lines to the app's log. No line holds a code, a password or a token.
enum Log {
    static func error(_ text: @autoclosure () -> String, _ correlation: Correlation? = nil) {
        write(.error, text, correlation?.id ?? "")
    }

    static func error(_ text: @autoclosure () -> String, id: String) { write(.error, text, id) }

    static func warning(_ text: @autoclosure () -> String) { write(.warning, text, "") }

    static func info(_ text: @autoclosure () -> String, _ correlation: Correlation) {
        write(.info, text, correlation.id)
    }

    static func verbose(_ text: @autoclosure () -> String, id: String) { write(.verbose, text, id) }

    /// A value that says something of a person, as the log may show it.
    static func pii(_ value: String?) -> String {
        MSALGlobalConfig.loggerConfig.logMaskingLevel == .settingsMaskAllPII ? masked(value) : value ?? "nil"
    }

    /// A value that identifies a person, as the log may show it.
    static func euii(_ value: String?) -> String {
        MSALGlobalConfig.loggerConfig.logMaskingLevel == .settingsMaskSecretsOnly ? value ?? "nil" : masked(value)
    }

    private static func masked(_ value: String?) -> String { value == nil ? "Masked(null)" : "Masked(not-null)" }

    private static func write(_ level: MSALLogLevel, _ text: () -> String, _ id: String) {
        let config = MSALGlobalConfig.loggerConfig
        guard level.rawValue <= config.logLevel.rawValue, let callback = config.callback else { return }
        let mayTell = config.logMaskingLevel != .settingsMaskAllPII
        callback(level, line(text(), id), mayTell)
    }

    /// The shape of a line of Microsoft's SDK.
    private static func line(_ text: String, _ id: String) -> String {
        let time = Date().formatted(.iso8601.dateTimeSeparator(.space))
        return "TID=\(pthread_self()) MSAL \(Version.current) Linux [\(time) - \(id)] [MSAL] \(text)"
    }
}
