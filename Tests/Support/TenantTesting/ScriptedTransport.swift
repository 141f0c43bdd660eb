// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials
package import NativeAuth
import Synchronization
import Wire

/// A server that says what a test wrote down, in that order, and remembers what it was asked.
package final class ScriptedTransport: Transport {
    package enum Line: Sendable {
        case answer(Int, String, [String: String] = [:])
        case failure(NetworkProblem)

        package static func ok(_ json: String) -> Line { .answer(200, json) }
        package static func refused(_ json: String) -> Line { .answer(400, json) }
    }

    private struct State {
        var lines: [Line]
        var calls: [HTTPRequest] = []
        var documents: [String] = []
    }

    private let state: Mutex<State>
    /// What is found at the paths that end like this; not part of the script.
    private let published: Mutex<[String: String]>

    package init(_ lines: [Line], published: [String: String] = Issuer.shared.documents) {
        state = Mutex(State(lines: lines))
        self.published = Mutex(published)
    }

    /// The calls so far, without the fetches of public documents.
    package var calls: [HTTPRequest] { state.withLock { $0.calls } }
    /// The addresses of the documents that were fetched.
    package var documents: [String] { state.withLock { $0.documents } }
    /// True if nothing of the script is left.
    package var isOver: Bool { state.withLock { $0.lines.isEmpty } }

    package func add(_ lines: Line...) { state.withLock { $0.lines += lines } }

    package func publish(_ json: String, at path: String) { published.withLock { $0[path] = json } }

    /// The form of a call, by its place in the conversation.
    package func form(_ number: Int) -> [String: String] {
        let calls = calls
        guard calls.indices.contains(number) else { return [:] }
        return (try? Form(body: Array(calls[number].body ?? Data())).fields) ?? [:]
    }

    package func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        if request.method == "GET" {
            state.withLock { $0.documents.append(request.url) }
            let json = published.withLock { documents in documents.first { request.url.hasSuffix($0.key) }?.value }
            return HTTPResponse(status: json == nil ? 404 : 200, body: Data((json ?? "").utf8))
        }
        let line: Line? = state.withLock { state in
            state.calls.append(request)
            return state.lines.isEmpty ? nil : state.lines.removeFirst()
        }
        switch line {
        case .answer(let status, let body, let headers)?:
            return HTTPResponse(status: status, headers: headers, body: Data(body.utf8))
        case .failure(let problem)?: throw TransportFailure(problem, message: "scripted")
        case nil: throw TransportFailure(.other, message: "the script is over")
        }
    }
}

/// The tenant of the protocol's examples.
package enum Fjordshop {
    package static let tenantID = "8d0f6c1e-52b7-4f0a-9a55-1b7e0c9d2f31"
    package static let clientID = "3b6a2d54-0c1f-4f7e-8f43-6d1f2f3f4a10"
    package static let issuer = "https://\(tenantID).ciamlogin.com/\(tenantID)/v2.0"
    package static let objectID = "2f1d0c77-9a1e-4c7c-8e64-0f5a3a9b1c20"
    package static let authority = "https://fjordshop.ciamlogin.com/fjordshop.onmicrosoft.com"
    package static let mira = "mira@lofoten.example"

    package static func client(
        _ transport: any Transport, types: ChallengeTypes = [.code, .password],
        capabilities: Capabilities = [.multiFactor, .registration], clientID: String = clientID,
        authority: String = authority, storage: any TokenStorage = MemoryStorage(), clock: ManualClock = ManualClock()
    ) throws -> NativeAuthClient {
        NativeAuthClient(
            Configuration(
                authority: try Authority(authority), clientID: clientID, challengeTypes: types,
                capabilities: capabilities),
            storage: storage, transport: transport, time: clock.source)
    }
}

/// A clock that stands until it is moved; waiting takes no time.
package final class ManualClock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_773_480_600))
    private let naps = Mutex<[Duration]>([])

    package init() {}

    package var now: Date { time.withLock { $0 } }
    /// How long each wait would have been.
    package var waits: [Duration] { naps.withLock { $0 } }

    package func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }

    package var source: TimeSource {
        TimeSource(
            now: { self.now },
            sleep: { duration in
                try Task.checkCancellation()
                self.naps.withLock { $0.append(duration) }
            })
    }
}
