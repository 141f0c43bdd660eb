// SPDX-License-Identifier: Apache-2.0

import CCurl
import FoundationEssentials

/// A libcurl handle with its open connections. It carries one request at a time.
final class CalloutConnection: Sendable {
    /// Used by one thread at a time, which has taken it out of the pool.
    private nonisolated(unsafe) let handle: OpaquePointer

    init() throws(CalloutFailure) {
        var message = [CChar](repeating: 0, count: 256)
        guard let handle = na_http_open(&message) else {
            throw .unexpected("libcurl cannot be used on this machine.")
        }
        self.handle = handle
    }

    deinit {
        na_http_close(handle)
    }

    /// A request as it goes out.
    struct Call: Sendable {
        let target: CalloutTarget
        let policy: AddressPolicy
        let caFile: String?
        let headers: [String]
        let body: Data
        /// Names with addresses that come before what the name service knows: `HOST:PORT:ADDRESS,…`.
        let hosts: String?
    }

    /// Sends a request and waits for the answer, for at most `timeout`.
    func send(_ call: Call, timeout: Duration) throws(CalloutFailure) -> CalloutReply {
        var response = na_http_response()
        defer { na_http_response_free(&response) }
        let outcome = CStringList.with(call.headers) { headers in
            CStringList.with(["POST", call.target.url, call.caFile ?? "", call.hosts ?? ""]) { texts in
                call.body.withUnsafeBytes { body in
                    var request = na_http_request()
                    request.method = texts[0]
                    request.url = texts[1]
                    request.ca_file = call.caFile == nil ? nil : texts[2]
                    request.hosts = call.hosts == nil ? nil : texts[3]
                    request.loopback = call.target.isLoopback ? 1 : 0
                    request.direct = 1
                    request.admits = call.policy.function
                    request.headers = headers.baseAddress
                    request.header_count = headers.count
                    request.body = body.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    request.body_length = body.count
                    request.body_limit = CalloutReply.sizeLimit
                    request.connect_timeout_ms = timeout.milliseconds
                    request.timeout_ms = timeout.milliseconds
                    return na_http_perform(handle, &request, &response)
                }
            }
        }
        if let failure = CalloutFailure(outcome) { throw failure }
        return response.reply
    }
}

extension AddressPolicy {
    /// The policy as a function of C, which takes nothing along.
    var function: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32 {
        switch self {
        case .loopbackOnly: { bytes, count in AddressPolicy.loopbackOnly.admits(bytes, count) }
        case .everywhere: { bytes, count in AddressPolicy.everywhere.admits(bytes, count) }
        case .everywhereAndPrivately: { bytes, count in AddressPolicy.everywhereAndPrivately.admits(bytes, count) }
        }
    }

    private func admits(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
        NetworkAddress(bytes: UnsafeBufferPointer(start: bytes, count: count)).map(admits) == true ? 1 : 0
    }
}

extension CalloutFailure {
    /// What libcurl's outcome means. Its words are not taken over: some quote the peer.
    fileprivate init?(_ outcome: na_http_outcome) {
        switch outcome {
        case NA_HTTP_DONE: return nil
        case NA_HTTP_TIMED_OUT: self = .timedOut
        case NA_HTTP_TOO_LARGE: self = .tooLarge
        case NA_HTTP_UNKNOWN_HOST: self = .connection("The target's host is not known.", mayPass: true)
        case NA_HTTP_NO_CONNECTION: self = .connection("Nobody answers at the target's address.", mayPass: true)
        case NA_HTTP_CONNECTION_LOST:
            self = .connection("The connection ended before the answer did.", mayPass: true)
        case NA_HTTP_UNTRUSTED: self = .connection("The target's certificate or TLS version is not trusted.")
        case NA_HTTP_ADDRESS_REFUSED:
            self = .connection("The target's host leads to an address that this extension may not connect to.")
        default: self = .connection("The target does not speak HTTP as it should.")
        }
    }
}

extension na_http_response {
    fileprivate var reply: CalloutReply {
        let head = String(decoding: UnsafeRawBufferPointer(start: headers, count: headers_length), as: UTF8.self)
        let types = head.split(whereSeparator: \.isNewline).compactMap { line -> String? in
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == "content-type" else {
                return nil
            }
            return String(line[line.index(after: colon)...])
        }
        return CalloutReply(
            status: status, contentType: types.count == 1 ? types[0] : nil,
            body: Array(UnsafeRawBufferPointer(start: body, count: body_length)))
    }
}

extension Duration {
    /// Whole milliseconds, at least one: libcurl takes zero for "no limit".
    fileprivate var milliseconds: Int { max(1, Int(self / .milliseconds(1))) }
}
