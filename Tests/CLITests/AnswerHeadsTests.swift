// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CLI

struct AnswerHeadsTests {
    static let rows: [(text: String, verdict: AnswerHeads.Verdict)] = [
        ("HTTP/1.1 200 OK\r\nA: b\r\n\r\n", .accepted), ("HTTP/2 401 \r\n\r\n", .rejected),
        ("HTTP/1.1 401 Unauthorized\r\n", .unknown), ("", .unknown), ("HTTP/1.1 404 Not Found\n\n", .accepted),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 401 no\r\n\r\n", .rejected),
        ("HTTP/1.1 302 Found\r\nLocation: /x\r\n\r\n", .unknown),
        ("HTTP/1.1 302 Found\r\n\r\nHTTP/1.1 401 no\r\n\r\n", .rejected),
        ("HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 401 no\r\n\r\n", .accepted),
        ("HTTP/1.1 401 no\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", .rejected), ("X: HTTP/1.1 401\r\n\r\n", .unknown),
    ]

    @Test(arguments: rows) func verdictHoweverTheBytesCome(row: (text: String, verdict: AnswerHeads.Verdict)) {
        for size in [1, 7, 1000] {
            var heads = AnswerHeads()
            var rest = Array(row.text.utf8)[...]
            while !rest.isEmpty {
                heads.take(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            #expect(heads.verdict == row.verdict)
        }
    }
}
