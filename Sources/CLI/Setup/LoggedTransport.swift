// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import NativeAuth
import Wire

/// Writes down every request that passes.
struct LoggedTransport: Transport {
    let inner: any Transport
    let log: DebugLog

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let start = ContinuousClock.now
        do throws(TransportFailure) {
            let response = try await inner.send(request)
            log.write(RequestLine(request, response, after: ContinuousClock.now - start))
            return response
        } catch {
            log.write(RequestLine(request, error, after: ContinuousClock.now - start))
            throw error
        }
    }
}

/// What may be told of a request and its answer:
/// `POST /t/oauth2/v2.0/token 400 12 ms id=… sent client_id grant_type=oob … received error=invalid_grant …`.
///
/// Names are told, and values of a list only. A value has to look like a word of the protocol besides, and must not hold
/// what was sent in another field: a server decides what it puts into its members.
struct RequestLine {
    let text: String

    init(_ request: HTTPRequest, _ response: HTTPResponse, after duration: Duration) {
        let sent = Self.fields(of: request)
        let id = response.headers["client-request-id"] ?? request.headers["client-request-id"]
        let received = JSONValue(json: response.body)?.object.map { Self.words($0, hiding: sent) }
        let answer = received ?? "\(response.body.count) bytes"
        text = Self.head(request, "\(response.status)", duration, id) + Self.sent(sent) + " received " + answer
    }

    init(_ request: HTTPRequest, _ failure: TransportFailure, after duration: Duration) {
        let id = request.headers["client-request-id"]
        text = Self.head(request, "\(failure.problem)", duration, id) + Self.sent(Self.fields(of: request))
    }

    /// The members and fields whose values are words of the protocol, and never a person's.
    private static let told: Set<String> = [
        "challenge_type", "challenge_channel", "binding_method", "grant_type", "capabilities", "error", "suberror",
        "error_codes", "code_length", "interval", "status", "expires_in", "poll_interval",
    ]

    private static func head(_ request: HTTPRequest, _ status: String, _ duration: Duration, _ id: String?) -> String {
        let path = URLComponents(string: request.url)?.percentEncodedPath ?? ""
        // What is no id is somebody's text.
        let id = id.flatMap { UUID(uuidString: $0) }?.uuidString.lowercased() ?? "-"
        return "\(request.method) \(path) \(status) \(Int(duration / .milliseconds(1))) ms id=\(id)"
    }

    private static func fields(of request: HTTPRequest) -> [String: String] {
        request.body.flatMap { try? Form(body: Array($0)).fields } ?? [:]
    }

    private static func sent(_ fields: [String: String]) -> String {
        fields.isEmpty ? "" : " sent " + words(fields.mapValues { .string($0) }, hiding: fields)
    }

    private static func words(_ members: [String: JSONValue], hiding sent: [String: String]) -> String {
        let secrets = sent.filter { !told.contains($0.key) && !$0.value.isEmpty }.map(\.value)
        return members.sorted { $0.key < $1.key }.map { name, value in
            guard isWord(name) else { return "?" }
            guard told.contains(name), let word = word(value), !secrets.contains(where: { word.contains($0) }) else {
                return name
            }
            return name + "=" + word
        }.joined(separator: " ")
    }

    /// A word, several of them joined by `+`, or numbers; nil for all else.
    private static func word(_ value: JSONValue) -> String? {
        switch value {
        case .integer(let number): return "\(number)"
        case .array(let values): return listed(values.compactMap(\.integer), of: values.count)
        case .string(let text):
            let words = text.split(separator: " ").map(String.init)
            return words.allSatisfy(isWord) && words.count <= 8 ? words.joined(separator: "+") : nil
        default: return nil
        }
    }

    private static func listed(_ numbers: [Int64], of count: Int) -> String? {
        numbers.count == count && count <= 8 ? numbers.map { "\($0)" }.joined(separator: ",") : nil
    }

    private static func isWord(_ text: String) -> Bool {
        let allowed = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
            default: false
            }
        }
        return allowed && (1...40).contains(text.utf8.count)
    }
}
