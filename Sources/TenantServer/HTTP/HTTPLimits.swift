// SPDX-License-Identifier: Apache-2.0

import CMicroHTTPD

extension HTTPServer {
    /// What a client may ask for; whoever asks for more is refused, and its connection closed.
    struct Limits: Sendable, Equatable {
        /// The request line in bytes, without its line end; 414 beyond.
        var requestLine = 4 * 1024
        /// The header fields in bytes, with their line ends; 431 beyond.
        var headerBlock = 16 * 1024
        /// The number of header fields; 431 beyond.
        var headerFields = 64
        /// The request body in bytes; 413 beyond.
        var maximumBody = 16 * 1024

        /// From the start of a connection or a request to the end of its header fields.
        var headersDeadline = Duration.seconds(5)
        /// From the end of the header fields to the end of the body.
        var bodyDeadline = Duration.seconds(10)
        /// For the client to take the answer.
        var answerDeadline = Duration.seconds(15)
        /// Between an answer and the next request line.
        var keepAliveIdle = Duration.seconds(30)
        /// For running requests, when the server stops.
        var gracePeriod = Duration.seconds(10)

        /// Requests on one connection.
        var requestsPerConnection = 1000
        /// Connections in total; beyond, the one that is idle longest gives way, or the new one gets a 503.
        var connections = 512
        /// Connections from one address, with the same rule.
        var connectionsPerAddress = 256

        /// The limits of a server that is reachable by strangers.
        static let standard = Limits()
    }
}

extension HTTPServer.Limits {
    /// A handler reads JSON and runs SQLite statements. Unused stack costs address space only.
    private static let stack = 512 * 1024

    /// The same for the C side.
    var values: na_httpd_limits {
        na_httpd_limits(
            line: requestLine,
            block: headerBlock,
            fields: headerFields,
            body: maximumBody,
            head_ms: headersDeadline.milliseconds,
            body_ms: bodyDeadline.milliseconds,
            answer_ms: answerDeadline.milliseconds,
            idle_ms: keepAliveIdle.milliseconds,
            grace_ms: gracePeriod.milliseconds,
            requests: UInt32(clamping: requestsPerConnection),
            connections: UInt32(clamping: connections),
            connections_per_address: UInt32(clamping: connectionsPerAddress),
            stack: Self.stack
        )
    }
}

extension Duration {
    /// Whole milliseconds, rounded down.
    fileprivate var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
