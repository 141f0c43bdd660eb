// SPDX-License-Identifier: Apache-2.0

/// The door's handler sees no request that a strict reader of the same bytes does not see, in the same order and with the
/// same body: else a proxy before it and the door could disagree on where a request ends.
enum HTTPProperties {
    static func check(_ bytes: [UInt8], at door: HTTPDoor) throws(Violation) {
        guard !isKnown(bytes) else { return }
        let exchange = try door.exchange(bytes)
        let strict = StrictHTTP.requests(in: bytes)
        try require(
            exchange.seen.count <= strict.count, "the door saw \(exchange.seen.count) requests, not \(strict.count)")
        for (seen, read) in zip(exchange.seen, strict) {
            try require(seen.method == read.method, "the method is another")
            try require(seen.target == read.target, "the target is another")
            try require(seen.fields == read.fields, "the fields are others")
            // Between chunks the library is lenient, and so the connection ends behind such a body.
            try require(read.isChunked || seen.body == read.body, "the body is another")
        }
        try require(
            exchange.received.isEmpty || exchange.received.starts(with: "HTTP/1.".utf8), "the answer is no answer")
        try require(exchange.answers >= exchange.seen.count, "a request had no answer")
    }

    /// Forms that are known to pass: guard.c says which, and why.
    private static func isKnown(_ bytes: [UInt8]) -> Bool {
        bytes.contains(0)
            || bytes.indices.contains { index in
                bytes[index] == UInt8(ascii: ":")
                    && (bytes[index...].starts(with: ":\n".utf8)
                        || index > 0 && bytes[(index - 1)...].starts(with: "\n:\r\n".utf8))
            }
    }
}

/// A request as the door's handler or a strict reader saw it.
struct SeenRequest: Sendable {
    var method: String
    var target: String
    /// In the order of arrival, without blanks behind values.
    var fields: [[String]]
    var body: [UInt8]
    var isChunked = false
}
