// SPDX-License-Identifier: Apache-2.0

public import Foundation
import NativeAuth
import Synchronization
import Wire

/// Takes the header fields for a request; nil for none.
public typealias MSALNativeAuthRequestInterceptorAddHeaderCompletionBlock = @Sendable ([String: String]?) -> Void

/// Adds header fields to the requests of a flow.
public protocol MSALNativeAuthRequestInterceptor: NSObjectProtocol {
    /// Called once for each request, just before it is sent, on any thread. A request that is sent again is asked about
    /// again; refreshes are not asked about.
    ///
    /// - Parameters:
    ///   - requestUrl: The request's address.
    ///   - completionBlock: To be called with the fields; until then the request waits. An app that lets go of it adds
    ///     none. Names begin with `x-`, and not with `x-ms-`, `x-client-`, `x-broker-` or `x-app-`; others are left out.
    func addAdditionalHeaderFields(
        _ requestUrl: URL?, completionBlock: @escaping MSALNativeAuthRequestInterceptorAddHeaderCompletionBlock)
}

/// Carries an app's requests: with its data centre in the address, and its own header fields.
struct AppTransport: Transport {
    let inner: any Transport
    let dataCentre: String?
    let interceptor: Interceptor?

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        var request = request
        if request.method == "POST" {
            if let dataCentre, var parts = URLComponents(string: request.url) {
                parts.queryItems = [URLQueryItem(name: "dc", value: dataCentre)]
                request.url = parts.string ?? request.url
            }
            if let interceptor, !request.isRefresh {
                request.headers.merge(await interceptor.fields(request.url)) { $1 }
            }
        }
        let answer: HTTPResponse
        do throws(TransportFailure) { answer = try await inner.send(request) } catch {
            Log.error("\(request.method) \(request.url): \(error.problem) \(error.message)", id: request.correlationID)
            throw error
        }
        Log.verbose("\(request.method) \(request.url): HTTP \(answer.status)", id: request.correlationID)
        return answer
    }
}

extension HTTPRequest {
    fileprivate var isRefresh: Bool {
        let form = try? Form(body: Array(body ?? Data()))
        return form?.fields["grant_type"] == GrantType.refreshToken.rawValue
    }

    fileprivate var correlationID: String { headers["client-request-id"] ?? "" }
}

/// An app's interceptor, which may be called from any thread.
struct Interceptor: @unchecked Sendable {
    let app: any MSALNativeAuthRequestInterceptor

    /// The fields that the app may add. Waits until it says so.
    func fields(_ url: String) async -> [String: String] {
        let fields = await withCheckedContinuation { continuation in
            let answer = Answer(continuation)
            app.addAdditionalHeaderFields(URL(string: url)) { answer.give($0 ?? [:]) }
        }
        return fields.filter { name, value in
            if Self.isAllowed(name.lowercased()), Self.isText(value) { return true }
            Log.warning("the header field \(Log.pii(name)) is left out; an app's own begin with x-")
            return false
        }
    }

    /// What the name of a field is made of (RFC 9110, section 5.6.2). Another one has whole requests refused.
    private static func isToken(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }
    }

    /// Without what would begin another field (RFC 9110, section 5.5).
    private static func isText(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }

    /// What does not belong to the service or its SDKs.
    private static func isAllowed(_ name: String) -> Bool {
        isToken(name) && name.hasPrefix("x-")
            && !["x-ms-", "x-client-", "x-broker-", "x-app-"].contains { name.hasPrefix($0) }
    }
}

/// What an app adds to one request. It may say so twice, and the first time counts; or never, and nothing is added once the
/// block is gone.
private final class Answer: Sendable {
    typealias Waiting = CheckedContinuation<[String: String], Never>
    private let waiting: Mutex<Waiting?>

    init(_ waiting: Waiting) { self.waiting = Mutex(waiting) }

    deinit { give([:]) }

    func give(_ fields: [String: String]) {
        let first = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        first?.resume(returning: fields)
    }
}
