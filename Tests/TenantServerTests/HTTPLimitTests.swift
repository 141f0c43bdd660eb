// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TenantServer

@Suite struct HTTPLimitTests {
    @Test("Rule 94: a body has its limit", arguments: [(16_384, 200), (16_385, 413), (70_000, 413), (10_000_000, 413)])
    func bodyWithLength(_ size: Int, _ status: Int) throws {
        try expect(status, for: Sample.post(String(repeating: "x", count: size)))
    }

    @Test func announcedBodyIsRefusedBeforeItComes() throws {
        try withServer { server in
            let client = try HTTPClientSocket(port: server.endpoint.port)
            client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 16385\r\n\r\n")
            #expect(try client.answer()?.status == 413)
            #expect(try client.isClosed())
        }
    }

    @Test(arguments: [(16_384, 200), (16_385, 413), (70_000, 413)])
    func bodyInChunks(_ size: Int, _ status: Int) throws {
        let chunk = "\(String(size, radix: 16))\r\n\(String(repeating: "x", count: size))\r\n0\r\n\r\n"
        try expect(status, for: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk)
    }

    @Test func endlessChunkExtension() throws {
        let chunk = "1;" + String(repeating: "x", count: 100_000)
        try expect(400, for: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk)
    }

    @Test func endlessTrailer() throws {
        let trailer = "0\r\n" + String(repeating: "X: y\r\n", count: 20_000)
        try expect(431, for: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + trailer)
    }

    @Test func manySmallChunks() throws {
        let chunks = String(repeating: "1\r\nx\r\n", count: 16_384) + "0\r\n\r\n"
        try expect(200, for: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
    }

    @Test("Rule 94: a request line has its limit", arguments: [(4096, 200), (4097, 414), (20_000, 414)])
    func requestLine(_ size: Int, _ status: Int) throws {
        try expect(status, for: Self.line(size) + "Host: a\r\n\r\n")
    }

    @Test(
        "Rule 94: header fields have their limit",
        arguments: [(16_384, 200), (16_385, 431), (40_000, 431), (70_000, 431), (300_000, 431)])
    func headerBlock(_ size: Int, _ status: Int) throws {
        try expect(status, for: "GET / HTTP/1.1\r\n" + Self.block(size, fields: 2) + "\r\n")
    }

    @Test("Rule 94: so has their number", arguments: [(64, 200), (65, 431), (1000, 431)])
    func headerFields(_ count: Int, _ status: Int) throws {
        try expect(status, for: "GET / HTTP/1.1\r\n" + Self.block(16_000, fields: count) + "\r\n")
    }

    @Test("Rule 94: everything at its limit at once passes") func everythingAtItsLimitAtOnce() throws {
        let coding = "Transfer-Encoding: chunked\r\n"
        let block = Self.block(16_384 - coding.utf8.count, fields: 63)
        let chunk = "4000\r\n\(String(repeating: "x", count: 16_384))\r\n0\r\n\r\n"
        let line = Self.line(4096).replacing("GET", with: "PUT")
        try expect(200, for: line + block + coding + "\r\n" + chunk)
    }

    /// A line that is longer than the library's memory gets the library's own page.
    @Test func endlessRequestLine() throws {
        try withServer { server in
            let client = try HTTPClientSocket(port: server.endpoint.port)
            client.send(Self.line(100_000))
            #expect(try client.answer()?.status == 414)
            #expect(try client.isClosed())
        }
    }

    private func expect(_ status: Int, for request: String) throws {
        try withServer { server in
            let client = try HTTPClientSocket(port: server.endpoint.port)
            client.send(request)
            let answer = try client.answer()
            #expect(answer?.status == status)
            if status != 200 {
                if let answer { expectRefusal(answer) }
                #expect(try client.isClosed())
            }
        }
    }

    /// A request line of so many bytes, with its end.
    private static func line(_ size: Int) -> String {
        "GET /" + String(repeating: "x", count: size - "GET / HTTP/1.1".utf8.count) + " HTTP/1.1\r\n"
    }

    /// So many fields in so many bytes, line ends included.
    private static func block(_ size: Int, fields: Int) -> String {
        let first = "Host: a\r\n" + String(repeating: "X: y\r\n", count: fields - 2)
        return first + "L: " + String(repeating: "z", count: size - first.utf8.count - 5) + "\r\n"
    }
}
