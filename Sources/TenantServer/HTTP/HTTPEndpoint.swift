// SPDX-License-Identifier: Apache-2.0

import Glibc

extension HTTPServer {
    /// An address to listen on, written `127.0.0.1:8400`, `[::1]:0` or `localhost:8400`.
    struct Endpoint: Sendable, Equatable {
        /// A literal address without brackets, or `localhost`.
        let host: String
        /// Zero lets the system choose.
        let port: UInt16

        /// An address that is known to be well-formed.
        init(host: String, port: UInt16) {
            self.host = host
            self.port = port
        }

        /// Reads `HOST:PORT`; an IPv6 address stands in brackets (RFC 3986 3.2.2).
        init(_ text: String) throws(HTTPServerError) {
            guard let colon = text.lastIndex(of: ":") else { throw .malformedEndpoint(text) }
            let host = text[..<colon]
            let digits = text[text.index(after: colon)...]
            guard let host = Self.literal(host), let port = Self.port(digits) else { throw .malformedEndpoint(text) }
            self.init(host: host, port: port)
        }
    }
}

extension HTTPServer.Endpoint: CustomStringConvertible {
    /// The form that it is read from.
    var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

extension HTTPServer.Endpoint {
    /// Names other than `localhost` are not looked up: where a server listens must not depend on a name service.
    private static func literal(_ text: Substring) -> String? {
        if text == "localhost" { return "localhost" }
        guard text.utf8.allSatisfy({ $0 != 0 }) else { return nil }  // C would stop reading there
        if text.hasPrefix("["), text.hasSuffix("]") {
            let inner = String(text.dropFirst().dropLast())
            var address = in6_addr()
            return inet_pton(AF_INET6, inner, &address) == 1 ? inner : nil
        }
        var address = in_addr()
        return inet_pton(AF_INET, String(text), &address) == 1 ? String(text) : nil
    }

    /// `UInt16` alone would also take a sign.
    private static func port(_ text: Substring) -> UInt16? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? UInt16(text) : nil
    }
}
