// SPDX-License-Identifier: Apache-2.0

import CMicroHTTPD
import Tenant

/// Carries requests from C to the handler, and answers back.
final class Door: Sendable {
    private let handler: @Sendable (Request) -> Answer?

    /// A door to a handler. Where that has no answer, the connection is closed.
    init(handler: @escaping @Sendable (Request) -> Answer?) {
        self.handler = handler
    }

    /// What the server calls for each request, on any thread; the context is the door.
    static let enter: na_httpd_handler = { context, request, exchange in
        guard let context, let request, let exchange else { return }
        let door = Unmanaged<Door>.fromOpaque(context).takeUnretainedValue()
        guard let answer = door.handler(Request(request.pointee)) else { return na_httpd_drop(exchange) }
        send(answer, to: exchange)
    }

    private static func send(_ answer: Answer, to exchange: OpaquePointer) {
        AnswerFields(answer.headers).withFields { fields in
            answer.body.withUnsafeBufferPointer { body in
                let status = UInt32(clamping: answer.status)
                na_httpd_answer(exchange, status, fields.baseAddress, fields.count, body.baseAddress, body.count)
            }
        }
    }
}

/// The header fields of an answer as C strings, one behind the other.
private struct AnswerFields {
    private var bytes: [CChar] = []
    private var spans: [(name: Range<Int>, value: Range<Int>)] = []

    /// The length is the door's business, and a transfer coding would contradict it.
    init(_ headers: [String: String]) {
        for (name, value) in headers where !["content-length", "transfer-encoding"].contains(name.lowercased()) {
            spans.append((append(name), append(value)))
        }
    }

    private mutating func append(_ text: String) -> Range<Int> {
        let start = bytes.count
        bytes += text.utf8CString
        return start..<bytes.count - 1
    }

    func withFields(_ body: (UnsafeBufferPointer<na_httpd_field>) -> Void) {
        bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
            let fields = spans.map { span in
                na_httpd_field(
                    name: base + span.name.lowerBound, name_length: span.name.count,
                    value: base + span.value.lowerBound, value_length: span.value.count)
            }
            fields.withUnsafeBufferPointer(body)
        }
    }
}
