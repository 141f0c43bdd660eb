// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Tenant

/// Counts what the server does. Its labels come from short lists, so that no request can add to them.
final class Metrics: Sendable {
    /// The upper bounds of the histogram's classes, in seconds.
    static let bounds: [Double] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

    private struct Line: Hashable {
        let endpoint: String
        let status: Int
    }

    /// How long the requests of an endpoint took.
    private struct Histogram {
        var counts = [Int](repeating: 0, count: bounds.count)
        var count = 0
        var sum = 0.0

        mutating func add(_ seconds: Double) {
            count += 1
            sum += seconds
            for (index, bound) in bounds.enumerated() where seconds <= bound { counts[index] += 1 }
        }
    }

    private struct State {
        var requests: [Line: Int] = [:]
        var durations: [String: Histogram] = [:]
        var events: [AuditEvent.Kind: Int] = [:]
        var failures = 0
    }

    private let state = Mutex(State())

    func note(_ observation: Observation) {
        state.withLock { state in
            let line = Line(endpoint: observation.endpoint, status: observation.status)
            state.requests[line, default: 0] += 1
            state.durations[observation.endpoint, default: Histogram()].add(observation.duration.seconds)
            for event in observation.events { state.events[event.kind, default: 0] += 1 }
            if observation.failure != nil { state.failures += 1 }
        }
    }

    /// Everything in the text format of Prometheus, version 0.0.4.
    func text(_ facts: ServerFacts) -> String {
        let state = state.withLock { $0 }
        var text = MetricsText()
        text.family("nativeauth_requests_total", .counter, "Requests that were answered.")
        for (line, count) in state.requests.sorted(by: {
            ($0.key.endpoint, $0.key.status) < ($1.key.endpoint, $1.key.status)
        }) {
            text.sample(["endpoint": line.endpoint, "status": "\(line.status)"], "\(count)")
        }
        text.family("nativeauth_request_seconds", .histogram, "How long answers took.")
        for (endpoint, histogram) in state.durations.sorted(by: { $0.key < $1.key }) {
            for (bound, count) in zip(Self.bounds, histogram.counts) {
                text.sample("_bucket", ["endpoint": endpoint, "le": "\(bound)"], "\(count)")
            }
            text.sample("_bucket", ["endpoint": endpoint, "le": "+Inf"], "\(histogram.count)")
            text.sample("_sum", ["endpoint": endpoint], "\(histogram.sum)")
            text.sample("_count", ["endpoint": endpoint], "\(histogram.count)")
        }
        text.family("nativeauth_sign_ins_total", .counter, "Sign-ins, by what came of them.")
        for (result, kind) in [("failed", AuditEvent.Kind.signInFailed), ("ok", .signIn)] {
            text.sample(["result": result], "\(state.events[kind] ?? 0)")
        }
        text.family("nativeauth_events_total", .counter, "Events as the audit trail has them.")
        for kind in AuditEvent.Kind.allCases { text.sample(["event": kind.rawValue], "\(state.events[kind] ?? 0)") }
        text.single("nativeauth_failures_total", .counter, "Requests that failed within the tenant.", state.failures)
        facts.write(to: &text)
        return text.text
    }
}

/// What is true of the server at this moment.
struct ServerFacts: Sendable {
    /// How much is looked at.
    enum Extent: Sendable {
        /// What it takes to say whether requests may come; cheap, for anyone may ask.
        case readiness
        /// What has to be counted, besides.
        case everything
    }

    /// Whether the database answers.
    var isAnswering: Bool
    /// Nil where nobody asked, or the database does not answer.
    var load: TenantLoad?
    var hashes: HashLoad
    var connections: Int
    var connectionLimit: Int
    /// In bytes; nil where the system does not say.
    var residentMemory: Int?
    var isStopping: Bool

    /// Why no more requests should come; nil where they may.
    var refusal: String? {
        if isStopping { return "stopping" }
        if !isAnswering { return "database" }
        return connections >= connectionLimit ? "overloaded" : nil
    }

    fileprivate func write(to text: inout MetricsText) {
        if let load {
            text.single("nativeauth_open_flows", .gauge, "Flows that can go on.", load.openFlows)
            text.single("nativeauth_waiting_messages", .gauge, "Messages on their way out.", load.waitingMessages)
        }
        text.single(
            "nativeauth_password_hash_slots", .gauge, "Passwords that are hashed at once, at most.", hashes.slots)
        text.single("nativeauth_password_hashes_running", .gauge, "Passwords that are being hashed.", hashes.running)
        text.single("nativeauth_password_hashes_waiting", .gauge, "Passwords that wait for it.", hashes.waiting)
        text.single("nativeauth_connections", .gauge, "Open connections.", connections)
        text.single("nativeauth_ready", .gauge, "Whether more requests may come.", refusal == nil ? 1 : 0)
        if let residentMemory {
            text.single("process_resident_memory_bytes", .gauge, "Resident memory.", residentMemory)
        }
    }
}

/// The text format: a family's name, its type and its samples.
struct MetricsText {
    enum Kind: String {
        case counter, gauge, histogram
    }

    private(set) var text = ""
    private var name = ""

    mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    mutating func sample(_ suffix: String = "", _ labels: [String: String] = [:], _ value: String) {
        let inner = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\($0.value)\"" }.joined(separator: ",")
        text += name + suffix + (inner.isEmpty ? "" : "{\(inner)}") + " \(value)\n"
    }

    mutating func sample(_ labels: [String: String], _ value: String) { sample("", labels, value) }

    mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
        family(name, kind, help)
        sample([:], "\(value)")
    }
}

extension Duration {
    /// In seconds.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
