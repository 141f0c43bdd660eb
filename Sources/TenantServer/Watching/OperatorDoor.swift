// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Tenant

/// Answers whoever runs the server: is it alive, is it ready, what does it do. These addresses are beside the tenant's,
/// and tell nothing about people.
struct OperatorDoor: Sendable {
    let metrics: Metrics
    let facts: @Sendable (ServerFacts.Extent) -> ServerFacts

    /// How much a listener answers.
    enum Reach: Sendable {
        /// Whether it lives, and whether it is ready.
        case health
        /// What it does, besides: for listeners that strangers do not reach.
        case everything
    }

    /// Nil for requests that are not for this door.
    func answer(_ request: Request, _ reach: Reach) -> Answer? {
        switch (request.path, reach) {
        case ("/healthz", _): read(request) { Self.status(200, "alive") }
        case ("/readyz", _):
            read(request) {
                guard let refusal = facts(.readiness).refusal else { return Self.status(200, "ready") }
                return Self.status(503, refusal)
            }
        case ("/metrics", .everything):
            read(request) {
                Answer(
                    status: 200,
                    headers: ["content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store"],
                    body: Array(metrics.text(facts(.everything)).utf8))
            }
        default: nil
        }
    }

    /// A listener that has no tenant behind it.
    func answerAlone(_ request: Request) -> Answer {
        answer(request, .everything) ?? Self.status(404, "unknown")
    }

    private func read(_ request: Request, _ body: () -> Answer) -> Answer {
        guard request.method == "GET" || request.method == "HEAD" else {
            var answer = Self.status(405, "use GET")
            answer.headers["allow"] = "GET"
            return answer
        }
        return body()
    }

    private static func status(_ status: Int, _ word: String) -> Answer {
        Answer(
            status: status,
            headers: ["content-type": "application/json; charset=utf-8", "cache-control": "no-store"],
            body: Array(#"{"status":"\#(word)"}"#.utf8))
    }
}

extension ServerFacts {
    /// The resident memory of this process, in bytes (proc(5), "/proc/pid/statm").
    static var ownMemory: Int? {
        guard let data = try? Data(contentsOf: URL(filePath: "/proc/self/statm")) else { return nil }
        let fields = String(decoding: data, as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? Int(fields[1]).map { $0 * sysconf(Int32(_SC_PAGESIZE)) } : nil
    }
}
