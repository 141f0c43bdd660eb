// SPDX-License-Identifier: Apache-2.0

import CLocalSocket
import Glibc

/// A socket call that failed.
package struct SocketError: Error, Sendable, Equatable {
    /// A verb: "connect", "read".
    package let operation: String
    package let errno: Int32

    fileprivate init(_ operation: String, errno: Int32 = Glibc.errno) {
        self.operation = operation
        self.errno = errno
    }

    /// Whether nobody listens there.
    package var isNobody: Bool { errno == ENOENT || errno == ECONNREFUSED }
}

/// A connection between two processes of this machine (unix(7)); it is closed when it goes out of scope.
package struct LocalStream: ~Copyable, Sendable {
    private let number: Int32

    fileprivate init(_ number: Int32) {
        self.number = number
    }

    /// Connects to the socket of this name in a folder.
    package init(to name: String, in folder: String) throws(SocketError) {
        number = na_local_connect(folder, name)
        guard number >= 0 else { throw SocketError("connect") }
    }

    deinit {
        if number >= 0 { close(number) }
    }

    /// The user of the process at the other end, as it was when that process connected.
    package var peer: UInt32? {
        var user: UInt32 = 0
        return na_local_peer(number, &user) == 0 ? user : nil
    }

    /// Sends everything; a reader that has gone is an error, and no signal.
    package func write(_ bytes: [UInt8]) throws(SocketError) {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count >= 0 {
                done += count
            } else if errno != EINTR {
                throw SocketError("write")
            }
        }
    }

    /// Says that nothing more will be sent.
    package func finish() throws(SocketError) {
        guard shutdown(number, Int32(SHUT_WR)) == 0 else { throw SocketError("finish") }
    }

    /// Waits for bytes; none at the end.
    package func read() throws(SocketError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = recv(number, &bytes, bytes.count, 0)
            if count >= 0 { return Array(bytes[..<count]) }
            guard errno == EINTR else { throw SocketError("read") }
        }
    }

    /// How long one ``read()`` or ``write(_:)`` may take.
    package func limit(seconds: Int) throws(SocketError) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        let length = socklen_t(MemoryLayout<timeval>.size)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            guard setsockopt(number, SOL_SOCKET, option, &limit, length) == 0 else { throw SocketError("limit") }
        }
    }
}

/// A socket that processes of this machine connect to by its name in a folder.
package final class LocalListener: Sendable {
    private let number: Int32

    /// Listens, for this user alone. A socket that a process has left behind is replaced, so whoever calls this has to
    /// know that no process listens.
    package init(at name: String, in folder: String) throws(SocketError) {
        number = na_local_listen(folder, name)
        guard number >= 0 else { throw SocketError("listen") }
    }

    deinit {
        if number >= 0 { close(number) }
    }

    /// Waits for the next connection; nil once ``stop()`` was called.
    package func next() throws(SocketError) -> LocalStream? {
        while true {
            let stream = na_local_accept(number)
            if stream >= 0 { return LocalStream(stream) }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EINVAL: return nil
            default: throw SocketError("accept")
            }
        }
    }

    /// Takes no more connections.
    package func stop() {
        shutdown(number, Int32(SHUT_RDWR))
    }
}
