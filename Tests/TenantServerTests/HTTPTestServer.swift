// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Tenant

@testable import TenantServer

/// Runs a body against a server on a port of its own, and stops the server afterwards.
func withServer<Result>(
    limits: HTTPServer.Limits = .standard,
    handler: @escaping @Sendable (Request) -> Answer = echo,
    _ body: (HTTPServer) throws -> Result
) throws -> Result {
    let server = try HTTPServer(listen: HTTPServer.Endpoint("127.0.0.1:0"), limits: limits, handler: handler)
    defer { server.stop() }
    return try body(server)
}

/// Answers with what it was asked: method, path, and the body.
@Sendable func echo(_ request: Request) -> Answer {
    let text = "\(request.method) \(request.path) \(String(decoding: request.body, as: UTF8.self))"
    return Answer(status: 200, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Array(text.utf8))
}

/// A handler that waits inside a request until the test lets it go.
struct Gate: Sendable {
    private let arrivals = DispatchSemaphore(value: 0)
    private let departures = DispatchSemaphore(value: 0)

    /// For the handler: says that it is here, and waits.
    func pass() {
        arrivals.signal()
        departures.wait()
    }

    /// For the test: waits for a handler; false if none comes.
    func waitForArrival() -> Bool { arrivals.wait(timeout: .now() + 20) == .success }

    /// For the test: lets one handler go.
    func open() { departures.signal() }
}

/// Requests that the tests send again and again.
enum Sample {
    static func get(_ path: String = "/") -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

    static func post(_ body: String) -> String {
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
}
