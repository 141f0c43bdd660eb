// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An answer as a test sees it.
struct ReceivedAnswer: Equatable {
    var status: Int
    /// Names in lower case.
    var headers: [String: String]
    var body: String
}

/// A client that writes exactly the bytes it is given.
final class HTTPClientSocket {
    private let fd: Int32
    private var buffer: [UInt8] = []

    /// How long a test waits for what must come; nothing waits that long unless the test fails.
    private static let patience: Int32 = 20_000

    /// A small receive buffer keeps a long answer from going into the kernel's hands.
    init(port: UInt16, receiveBuffer: Int32 = 0) throws {
        fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = receiveBuffer
        if size > 0 { setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size)) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(fd, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result != 0 { throw SocketFailure(code: errno) }
    }

    deinit { close(fd) }

    /// Sends a text; a closed connection is no error here, the answer tells.
    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Glibc.send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count <= 0 { return }
            sent += count
        }
    }

    /// No more will be sent.
    func finishSending() { shutdown(fd, Int32(SHUT_WR)) }

    /// Closes with a reset instead of an end.
    func resetOnClose() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }

    /// Waits for a reset without reading anything; false if none comes.
    func waitForReset() -> Bool {
        var ready = pollfd(fd: fd, events: 0, revents: 0)
        return poll(&ready, 1, Self.patience) > 0 && Int32(ready.revents) & POLLERR != 0
    }

    /// True if something can be read before the milliseconds are over.
    func isReadable(within milliseconds: Int32) -> Bool {
        var ready = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
        return poll(&ready, 1, milliseconds) > 0
    }

    /// The next answer, or nil if the connection ends before one is complete.
    func answer(toHead: Bool = false) throws -> ReceivedAnswer? {
        let blankLine = Array("\r\n\r\n".utf8)
        while true {
            if let end = buffer.firstRange(of: blankLine) {
                let answer = Self.head(buffer[..<end.lowerBound])
                let length = toHead || answer.status == 100 ? 0 : Int(answer.headers["content-length"] ?? "") ?? 0
                if buffer.count >= end.upperBound + length {
                    let body = buffer[end.upperBound..<end.upperBound + length]
                    buffer.removeFirst(end.upperBound + length)
                    return ReceivedAnswer(
                        status: answer.status, headers: answer.headers, body: String(decoding: body, as: UTF8.self))
                }
            }
            if try !fill() { return nil }
        }
    }

    /// True if the connection ends and nothing comes before its end.
    func isClosed() throws -> Bool {
        while try fill() {}
        return buffer.isEmpty
    }

    /// False at the end of the connection, however it ends.
    private func fill() throws -> Bool {
        var ready = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
        if poll(&ready, 1, Self.patience) == 0 { throw SocketFailure(code: ETIMEDOUT) }
        var piece = [UInt8](repeating: 0, count: 65536)
        let count = recv(fd, &piece, piece.count, 0)
        if count > 0 { buffer += piece[..<count] }
        return count > 0
    }

    private static func head(_ bytes: ArraySlice<UInt8>) -> (status: Int, headers: [String: String]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
            .map { String(decoding: $0.filter { $0 != 13 }, as: UTF8.self) }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        return (Int(lines.first?.split(separator: " ").dropFirst().first ?? "") ?? 0, headers)
    }
}

/// A socket call that failed.
struct SocketFailure: Error {
    var code: Int32
}

extension Array<UInt8> {
    fileprivate func firstRange(of pattern: [UInt8]) -> Range<Int>? {
        guard count >= pattern.count else { return nil }
        for start in 0...(count - pattern.count) where self[start] == pattern[0] {
            if self[start..<start + pattern.count].elementsEqual(pattern) { return start..<start + pattern.count }
        }
        return nil
    }
}
