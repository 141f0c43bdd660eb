// SPDX-License-Identifier: Apache-2.0

import CMicroHTTPD
import Glibc
import Synchronization

/// A door on a loopback port that keeps what its handler sees; one connection at a time.
final class HTTPDoor: Sendable {
    /// What one connection led to.
    struct Exchange {
        var seen: [SeenRequest]
        var received: [UInt8]

        /// The handler answers without a body, and what the door answers itself holds no status line.
        var answers: Int {
            let mark = Array("HTTP/1.".utf8)
            return received.indices.count { received[$0...].starts(with: mark) }
        }
    }

    private final class Record: Sendable {
        let seen = Mutex<[SeenRequest]>([])
    }

    private let record = Record()
    private let turn = Mutex<Void>(())
    private let port: UInt16
    private nonisolated(unsafe) let server: OpaquePointer

    init() throws(Violation) {
        var limits = na_httpd_limits(
            line: 4096, block: 16384, fields: 64, body: 16384, head_ms: 5000, body_ms: 5000, answer_ms: 5000,
            idle_ms: 5000, grace_ms: 1000, requests: 1000, connections: 512, connections_per_address: 512,
            stack: 512 * 1024)
        var server: OpaquePointer?
        let context = Unmanaged.passUnretained(record).toOpaque()
        let code = na_httpd_start(&server, "127.0.0.1", 0, -1, &limits, nil, Self.handle, context)
        guard let server else { throw Violation("the door does not open: \(code)") }
        self.server = server
        port = na_httpd_port(server)
    }

    deinit {
        na_httpd_free(server)
    }

    private static let handle: na_httpd_handler = { context, request, exchange in
        guard let context, let request, let exchange else { return }
        let record = Unmanaged<Record>.fromOpaque(context).takeUnretainedValue()
        record.seen.withLock { $0.append(SeenRequest(request.pointee)) }
        na_httpd_answer(exchange, 200, nil, 0, nil, 0)
    }

    /// Sends the bytes and their end, and waits for the end of the connection.
    func exchange(_ bytes: [UInt8]) throws(Violation) -> Exchange {
        try turn.withLock { _ throws(Violation) in
            record.seen.withLock { $0.removeAll() }
            let received = try Self.converse(bytes, port: port)
            return Exchange(seen: record.seen.withLock { $0 }, received: received)
        }
    }

    private static func converse(_ bytes: [UInt8], port: UInt16) throws(Violation) -> [UInt8] {
        let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(fd) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                // The fuzzer's clock interrupts calls; one that was interrupted goes on where it was.
                restarting { connect(fd, address, socklen_t(MemoryLayout<sockaddr_in>.size)) }
            }
        }
        try require(result == 0 || errno == EISCONN, "no connection: \(errno)")
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { rest in
                restarting { send(fd, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL)) }
            }
            if count <= 0 { break }
            sent += count
        }
        shutdown(fd, Int32(SHUT_WR))
        return try readToEnd(fd)
    }

    /// However the connection ends; if it does not, that is a fault.
    private static func readToEnd(_ fd: Int32) throws(Violation) -> [UInt8] {
        var received: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65536)
        while true {
            var ready = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
            try require(restarting { poll(&ready, 1, 20_000) } == 1, "the connection did not end")
            let count = restarting { recv(fd, &piece, piece.count, 0) }
            if count <= 0 { return received }
            received += piece[..<count]
        }
    }
}

/// Makes a system call again until no signal interrupts it.
private func restarting<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}

extension SeenRequest {
    fileprivate init(_ request: na_httpd_request) {
        method = String(cString: request.method)
        target = String(cString: request.target)
        fields = UnsafeBufferPointer(start: request.fields, count: request.field_count).map { field in
            let name = UnsafeRawBufferPointer(start: field.name, count: field.name_length)
            let value = UnsafeRawBufferPointer(start: field.value, count: field.value_length)
            return [StrictHTTP.text(name), StrictHTTP.text(StrictHTTP.trimmed(ArraySlice(value)))]
        }
        body = Array(UnsafeBufferPointer(start: request.body, count: request.body_length))
    }
}
