// SPDX-License-Identifier: Apache-2.0

import Foundation
import Tenant

/// Sends a request and reads the answer up to the end of the connection; throws where it is not whole.
enum SocketClient {
    struct NoAnswer: Error, CustomStringConvertible {
        let description: String
    }

    static func send(_ request: Request, to port: UInt16) throws -> Answer {
        let descriptor = try connection(to: port)
        defer { close(descriptor) }
        var head = "\(request.method) \(request.path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        for (name, value) in request.headers { head += "\(name): \(value)\r\n" }
        let bytes = Array((head + "Content-Length: \(request.body.count)\r\n\r\n").utf8) + request.body
        guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw NoAnswer(description: "not sent: errno \(errno)")
        }
        return try answer(in: try read(descriptor))
    }

    static func connection(to port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let reason = errno
            close(descriptor)
            throw NoAnswer(description: "no connection: errno \(reason)")
        }
        return descriptor
    }

    /// Reads until the answer is whole, or the connection ends.
    private static func read(_ descriptor: Int32) throws -> Data {
        var data = Data()
        var piece = [UInt8](repeating: 0, count: 65536)
        while (try? answer(in: data)) == nil {
            let count = recv(descriptor, &piece, piece.count, 0)
            if count > 0 { data += piece[..<count] }
            if count == 0 { return data }
            if count < 0, errno != EINTR { throw NoAnswer(description: "cut off: errno \(errno)") }
        }
        return data
    }

    static func answer(in data: Data) throws -> Answer {
        guard let end = data.firstRange(of: Data("\r\n\r\n".utf8)) else { throw NoAnswer(description: "cut off") }
        let lines = String(decoding: data[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw NoAnswer(description: "no status")
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        let body = Array(data[end.upperBound...])
        guard headers["content-length"].flatMap({ Int($0) }) == body.count else {
            throw NoAnswer(description: "cut off in the body")
        }
        return Answer(status: status, headers: headers, body: body)
    }
}
