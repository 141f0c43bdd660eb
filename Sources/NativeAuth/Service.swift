// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// Carries the calls of one conversation: the only place where a call becomes a request and an answer a value.
struct Service: Sendable {
    let configuration: Configuration
    let transport: any Transport
    let time: TimeSource
    let clock = ClockComparison()

    init(configuration: Configuration, transport: any Transport, time: TimeSource) {
        self.configuration = configuration
        self.transport = transport
        self.time = time
    }

    /// What the tenant said to a call.
    enum Answer<Reply: Sendable>: Sendable {
        case reply(Reply)
        case refusal(Refusal)
    }

    /// Makes a call. A `redirect` answer ends every flow, so it is thrown here.
    ///
    /// - Parameters:
    ///   - address: Where to, if the tenant has published that.
    ///   - mayRepeat: Whether the call may be sent twice. What is good once must not.
    func answer<C: Call>(
        _ call: C, _ correlation: Correlation, at address: String? = nil, mayRepeat: Bool = true
    ) async throws(AuthError) -> Answer<C.Reply> {
        do throws(AuthError) {
            let id = correlation.id
            // A provider that is no tenant has the addresses that it publishes, and none of native authentication.
            guard address != nil || configuration.authority.issuer == nil else {
                throw AuthError(.browserRequired, correlationID: id)
            }
            let request = request(for: call, at: address, correlationID: id)
            let response = try await send(request, correlationID: id, mayRepeat: mayRepeat)
            correlation.adopt(from: response)
            switch try Service.read(response, correlationID: correlation.id) as Answer<C.Reply> {
            case .reply(let reply as any Redirectable) where reply.challengeType == .redirect:
                throw AuthError(.browserRequired, message: reply.redirectReason, correlationID: correlation.id)
            case .reply(let reply):
                return .reply(reply)
            case .refusal(var refusal):
                refusal.endpoint = C.path
                return .refusal(refusal)
            }
        } catch {
            var error = error
            error.endpoint = C.path
            throw error
        }
    }

    /// Fetches a public document of the tenant.
    func document<T: Decodable & Sendable>(_ type: T.Type, at url: String, correlationID: String)
        async throws(AuthError) -> T
    {
        let headers = ["Accept": "application/json", "client-request-id": correlationID]
        let response = try await send(
            HTTPRequest(method: "GET", url: url, headers: headers), correlationID: correlationID)
        guard response.status == 200, let value = try? WireJSON.decode(type, from: response.body) else {
            throw AuthError(.unexpectedAnswer(.body(status: response.status)), correlationID: correlationID)
        }
        return value
    }

    /// Posts a form to an address that the tenant publishes. The status, which is all that these say.
    func post(_ form: Form, to url: String, correlationID: String) async throws(AuthError) -> Int {
        let request = HTTPRequest(
            method: "POST", url: url, headers: Self.headers(correlationID: correlationID), body: Data(form.body))
        return try await send(request, correlationID: correlationID).status
    }

    private func request(for call: some Call, at address: String?, correlationID: String) -> HTTPRequest {
        let form: Form
        // Calls hold texts, numbers and lists of words; all of them can be written.
        do { form = try Form(call) } catch { preconditionFailure("a call that is no form: \(error)") }
        return HTTPRequest(
            method: "POST", url: address ?? configuration.authority.endpoint(type(of: call).path),
            headers: Self.headers(correlationID: correlationID), body: Data(form.body))
    }

    private static func headers(correlationID: String) -> [String: String] {
        [
            "Content-Type": "application/x-www-form-urlencoded",
            "Accept": "application/json",
            "User-Agent": "nativeauth/\(Version.current)",
            "client-request-id": correlationID,
            "return-client-request-id": "true",
            "x-client-SKU": "nativeauth.swift",
            "x-client-Ver": Version.current,
            "x-client-OS": "Linux",
        ]
    }
}

// MARK: - Sending

extension Service {
    /// Sends, and sends again where the fault may have been a passing one: a server's 5xx, or no answer at all. Microsoft's
    /// SDKs do so once, half a second later.
    private func send(
        _ request: HTTPRequest, correlationID: String, mayRepeat: Bool = true
    ) async throws(AuthError) -> HTTPResponse {
        var retries = mayRepeat ? configuration.retries : 0
        while true {
            let fault: AuthError
            do throws(TransportFailure) {
                let start = time.now()
                let response = try await transport.send(request)
                clock.note(response, sent: start, received: time.now())
                guard response.status >= 500 else { return response }
                fault = AuthError(.serverUnavailable(status: response.status), response, correlationID)
            } catch {
                fault = AuthError(error, correlationID: correlationID)
                guard error.problem.mayPass else { throw fault }
            }
            guard retries > 0 else { throw fault }
            retries -= 1
            do { try await time.sleep(configuration.retryInterval) } catch {
                throw AuthError(.cancelled, correlationID: correlationID)
            }
        }
    }
}

extension NetworkProblem {
    /// True for the faults after which Microsoft's SDKs try once more.
    fileprivate var mayPass: Bool {
        switch self {
        case .timedOut, .unknownHost, .noConnection, .connectionLost: true
        case .untrusted, .proxy, .tooLarge, .cancelled, .unavailable, .other: false
        }
    }
}

extension AuthError {
    fileprivate init(_ failure: TransportFailure, correlationID: String) {
        self.init(
            failure.problem == .cancelled ? .cancelled : .network(failure.problem), message: failure.message,
            correlationID: correlationID)
        transportCode = failure.code
    }
}

// MARK: - Reading

extension Service {
    /// Reads an answer: 200 holds a reply, 400 and 401 a refusal, and nothing else is of the protocol.
    static func read<Reply: Decodable & Sendable>(_ response: HTTPResponse, correlationID: String)
        throws(AuthError) -> Answer<Reply>
    {
        switch response.status {
        case 200:
            if let reply = try? WireJSON.decode(Reply.self, from: response.body) { return .reply(reply) }
        case 400, 401:
            if let refusal = response.refusal(correlationID) { return .refusal(refusal) }
        case 429:
            throw AuthError(.rateLimited(retryAfter: response.retryAfter), response, correlationID)
        default:
            break
        }
        throw AuthError(
            .unexpectedAnswer(.body(status: response.status)), response, correlationID)
    }
}

extension HTTPResponse {
    /// The refusal in the body, if there is one.
    fileprivate func refusal(_ correlationID: String) -> Refusal? {
        guard var refusal = try? WireJSON.decode(Refusal.self, from: body) else { return nil }
        // The echoed header counts: it is what the server's own log has.
        refusal.correlationId = headers["client-request-id"] ?? refusal.correlationId ?? correlationID
        return refusal
    }

    /// Seconds; the header's other form, a date, is not used by these services (RFC 9110, section 10.2.3).
    fileprivate var retryAfter: Int? { headers["retry-after"].flatMap { Int($0) }.map(\.withinADay) }
}

extension AuthError {
    /// An error about an answer that is no refusal; should it hold one all the same, its words are kept.
    fileprivate init(_ reason: Reason, _ response: HTTPResponse, _ correlationID: String) {
        if let refusal = response.refusal(correlationID) {
            self.init(reason, refusal)
        } else {
            self.init(reason, correlationID: response.headers["client-request-id"] ?? correlationID)
        }
        retryAfter = response.retryAfter
    }
}
