// SPDX-License-Identifier: Apache-2.0

/// Why a message did not leave: for the tenant's owner, never for the client.
package struct DeliveryFailure: Error, Sendable, Equatable {
    package enum Problem: String, Sendable, Codable, CaseIterable {
        /// The settings for mail do not suffice: there is no sender.
        case notConfigured = "not_configured"
        /// The file with the password cannot be read.
        case passwordFile = "password_file"
        case libraryMissing = "library_missing"
        case unknownHost = "unknown_host"
        case noConnection = "no_connection"
        case connectionLost = "connection_lost"
        case timedOut = "timed_out"
        /// The certificate or the version of TLS is not trusted.
        case untrusted
        /// The server does not offer encryption, so nothing was said to it.
        case notEncrypted = "not_encrypted"
        case loginRefused = "login_refused"
        /// The server took the conversation to this point and no further.
        case refused
        case recipientRefused = "recipient_refused"
        /// The owner's command or service for text messages did not take it.
        case gateway
        /// A file could not be written.
        case spool
        case other
    }

    package let problem: Problem
    /// The server's answer where there was one, in printable ASCII.
    package let reply: String?
    /// Whether another attempt is of no use: the server will not have this mail (RFC 5321, section 4.2.1).
    package let isFinal: Bool

    package init(_ problem: Problem, reply: String? = nil, isFinal: Bool = false) {
        self.problem = problem
        self.reply = reply.map(Self.printable)
        self.isFinal = isFinal
    }

    /// Any failure of a way out.
    init(_ error: any Error) {
        self = error as? DeliveryFailure ?? DeliveryFailure(.other)
    }

    /// What a server says is a stranger's text.
    private static func printable(_ reply: String) -> String {
        String(
            decoding: reply.utf8.prefix(200).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
