// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials

/// Carries requests to a tenant. Supply one of your own to go through another HTTP client, or to none at all.
public protocol Transport: Sendable {
    /// Sends a request and returns the answer, whatever its status. Redirects are not followed.
    ///
    /// - Parameter request: One of the protocol; its body is a form.
    /// - Throws: ``TransportFailure`` where there is no answer; with ``NetworkProblem/cancelled`` when the task is cancelled,
    ///   which ends the request.
    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse
}

/// A request on its way out.
public struct HTTPRequest: Sendable {
    /// `GET` or `POST`.
    public var method: String
    /// The whole address.
    public var url: String
    /// Header fields by name.
    public var headers: [String: String]
    /// The body; nil for none.
    public var body: Data?

    /// A request.
    public init(method: String, url: String, headers: [String: String] = [:], body: Data? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// An answer as it came in.
public struct HTTPResponse: Sendable {
    /// The HTTP status.
    public var status: Int
    /// Header fields by name in lower case; the last one wins where a name repeats.
    public var headers: [String: String]
    /// The body.
    public var body: Data

    /// An answer.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Why there is no answer.
public struct TransportFailure: Error, Sendable, Equatable {
    /// What happened.
    public var problem: NetworkProblem
    /// The words of the library below.
    public var message: String
    /// A number by which a transport of the app's own tells its failures apart; ``AuthError/transportCode`` has it again.
    public var code: Int?

    /// A failure.
    ///
    /// - Parameters:
    ///   - problem: What happened.
    ///   - message: The words of the library below, for people.
    ///   - code: A number of the app's own, if it wants one.
    public init(_ problem: NetworkProblem, message: String, code: Int? = nil) {
        self.problem = problem
        self.message = message
        self.code = code
    }
}

/// What went wrong between here and the server.
public enum NetworkProblem: Sendable, Equatable {
    /// The host's name is not known.
    case unknownHost
    /// Nobody answers at the address.
    case noConnection
    /// The connection ended before the answer did.
    case connectionLost
    /// The answer took too long.
    case timedOut
    /// The server's certificate or TLS version is not acceptable.
    case untrusted
    /// The proxy does not cooperate.
    case proxy
    /// The answer is larger than any answer of the protocol.
    case tooLarge
    /// The task was cancelled.
    case cancelled
    /// The machine lacks something that requests need.
    case unavailable
    /// Something else; see the message.
    case other
}
