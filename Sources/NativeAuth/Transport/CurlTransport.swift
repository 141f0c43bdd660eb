// SPDX-License-Identifier: Apache-2.0

import CCurl
import Dispatch
import FoundationEssentials
import Synchronization

/// Requests by libcurl: https only except on loopback, TLS 1.2 or later, no redirects, no cookies.
public final class CurlTransport: Transport {
    private let connectTimeout: Duration
    private let timeout: Duration
    private let caFile: String?
    private let proxy: String?
    /// Connections that wait for their next request, kept open between the calls of a flow.
    private let idle = Mutex<[Connection]>([])

    /// A transport with the time-outs, certificate authorities and proxy of a configuration.
    public init(_ configuration: Configuration) {
        connectTimeout = configuration.connectTimeout
        timeout = configuration.timeout
        caFile = configuration.caFile
        proxy = configuration.proxy
    }

    /// Loads libcurl now, for a program that knows that it will make a request: while the process has no other threads
    /// this takes half the time that it takes later, since each change of the address space then interrupts them.
    public static func load() {
        na_http_load()
    }

    /// Sends a request on a connection of its own and returns the answer.
    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let connection = if let open = idle.withLock({ $0.popLast() }) { open } else { try Connection() }
        defer { idle.withLock { $0.append(connection) } }
        // Waiting for the network may take minutes, so it happens on a thread outside the cooperative pool.
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async { [self] in
                    continuation.resume(
                        returning: Result { () throws(TransportFailure) in try perform(request, on: connection) })
                }
            }
        } onCancel: {
            na_http_cancel(connection.handle)
        }
        na_http_rearm(connection.handle)
        return try result.get()
    }

    private func perform(_ request: HTTPRequest, on connection: Connection) throws(TransportFailure) -> HTTPResponse {
        let host = URLComponents(string: request.url)?.host ?? ""
        var response = na_http_response()
        defer { na_http_response_free(&response) }
        let outcome = CStrings.with(request.headers.map { "\($0.key): \($0.value)" }) { headers in
            CStrings.with([request.method, request.url, caFile ?? "", proxy ?? ""]) { texts in
                (request.body ?? Data()).withUnsafeBytes { body in
                    var call = na_http_request()
                    call.method = texts[0]
                    call.url = texts[1]
                    call.ca_file = caFile == nil ? nil : texts[2]
                    call.proxy = proxy == nil ? nil : texts[3]
                    call.loopback = Loopback.contains(host) ? 1 : 0
                    call.headers = headers.baseAddress
                    call.header_count = headers.count
                    call.body = request.body == nil ? nil : body.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    call.body_length = body.count
                    call.connect_timeout_ms = connectTimeout.milliseconds
                    call.timeout_ms = timeout.milliseconds
                    return na_http_perform(connection.handle, &call, &response)
                }
            }
        }
        if let problem = NetworkProblem(outcome) {
            throw TransportFailure(problem, message: response.words)
        }
        return response.value
    }
}

/// A libcurl handle with its open connections. It carries one request at a time.
private final class Connection: Sendable {
    /// Only `na_http_cancel` is called on it from another thread, and that is what it is made for.
    nonisolated(unsafe) let handle: OpaquePointer

    init() throws(TransportFailure) {
        var message = [CChar](repeating: 0, count: 256)
        guard let handle = na_http_open(&message) else {
            let text = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            throw TransportFailure(.unavailable, message: text)
        }
        self.handle = handle
    }

    deinit {
        na_http_close(handle)
    }
}

/// C strings that live as long as a call.
private enum CStrings {
    static func with<R>(_ texts: [String], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> R) -> R {
        let bytes = texts.map { Array($0.utf8CString) }
        let starts = bytes.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }.dropLast()
        return bytes.flatMap { $0 }.withUnsafeBufferPointer { all in
            starts.map { start in all.baseAddress.map { $0 + start } }.withUnsafeBufferPointer(body)
        }
    }
}

extension na_http_response {
    fileprivate var words: String {
        withUnsafeBytes(of: message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    fileprivate var value: HTTPResponse {
        let head = UnsafeRawBufferPointer(start: headers, count: headers_length)
        var fields: [String: String] = [:]
        for line in String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline).dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            fields[line[..<colon].lowercased()] = String(value)
        }
        let content = UnsafeRawBufferPointer(start: body, count: body_length)
        return HTTPResponse(status: status, headers: fields, body: Data(content))
    }
}

extension NetworkProblem {
    fileprivate init?(_ outcome: na_http_outcome) {
        switch outcome {
        case NA_HTTP_DONE: return nil
        case NA_HTTP_CANCELLED: self = .cancelled
        case NA_HTTP_UNKNOWN_HOST: self = .unknownHost
        case NA_HTTP_NO_CONNECTION: self = .noConnection
        case NA_HTTP_CONNECTION_LOST: self = .connectionLost
        case NA_HTTP_TIMED_OUT: self = .timedOut
        case NA_HTTP_UNTRUSTED: self = .untrusted
        case NA_HTTP_PROXY_REFUSED: self = .proxy
        case NA_HTTP_TOO_LARGE: self = .tooLarge
        default: self = .other
        }
    }
}

extension Duration {
    /// Whole milliseconds, at least one: libcurl takes zero for "no limit".
    fileprivate var milliseconds: Int {
        let (seconds, attoseconds) = components
        return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}
