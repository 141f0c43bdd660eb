// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import Tenant
import Wire

/// How the log is written.
enum LogFormat: String, CaseIterable, Sendable {
    /// One JSON object to a line.
    case json
    /// For people.
    case text
    case off
}

/// How much of it.
enum LogLevel: String, CaseIterable, Sendable, Comparable {
    case error, info, debug

    static func < (a: LogLevel, b: LogLevel) -> Bool {
        allCases.firstIndex(of: a) ?? 0 < allCases.firstIndex(of: b) ?? 0
    }
}

/// A line of the log: what was asked and what was said, without anything that people typed or were given. Whatever comes
/// from a request is from a short list, a number, or escaped.
struct LogLine: Sendable {
    let level: LogLevel
    private let observation: Observation

    init(_ observation: Observation) {
        self.observation = observation
        let isForPeople =
            !observation.endpoint.contains(".well-known") && !observation.endpoint.hasPrefix("/discovery/")
        level = observation.failure != nil || observation.status >= 500 ? .error : isForPeople ? .info : .debug
    }

    func text(_ format: LogFormat, _ threshold: LogLevel) -> String? {
        guard level <= threshold else { return nil }
        return switch format {
        case .json: json(threshold)
        case .text: words
        case .off: nil
        }
    }

    private struct Object: Encodable {
        var time: String
        var level: String
        var method: String
        var endpoint: String
        var status: Int
        var milliseconds: Double
        var error: String?
        var suberror: String?
        var error_codes: [Int]?
        var failure: String?
        var events: [String]?
        var account: String?
        var client_id: String?
        var address: String?
        var correlation_id: String
        var trace_id: String
    }

    private func json(_ threshold: LogLevel) -> String? {
        let isDebug = threshold == .debug
        let object = Object(
            time: RFC3339.text(observation.time), level: level.rawValue, method: observation.method,
            endpoint: observation.endpoint, status: observation.status, milliseconds: milliseconds,
            error: observation.refusal?.error.rawValue, suberror: observation.refusal?.suberror?.rawValue,
            error_codes: observation.refusal?.errorCodes, failure: observation.failure,
            events: events.isEmpty ? nil : events,
            account: isDebug ? observation.events.lazy.compactMap(\.account).first : nil,
            client_id: isDebug ? observation.events.lazy.compactMap(\.clientID).first : nil,
            address: observation.address, correlation_id: observation.correlationID, trace_id: observation.traceID)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // All of it are texts and numbers, which can be encoded.
        return (try? encoder.encode(object)).map { String(decoding: $0, as: UTF8.self) }
    }

    private var words: String {
        var words = [
            RFC3339.text(observation.time), observation.method, observation.endpoint, "\(observation.status)",
            "\(milliseconds) ms",
        ]
        if let refusal = observation.refusal {
            words.append(
                ([refusal.error.rawValue] + (refusal.errorCodes ?? []).map(String.init)).joined(separator: " "))
        }
        words += events
        if let failure = observation.failure { words.append(failure) }
        return words.map(\.printable).joined(separator: "  ")
    }

    private var events: [String] { observation.events.map(\.kind.rawValue) }

    /// To a tenth.
    private var milliseconds: Double { (observation.duration.seconds * 10_000).rounded() / 10 }
}
