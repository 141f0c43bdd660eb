// SPDX-License-Identifier: Apache-2.0

import CCurl

/// A libcurl handle with its connection to a mail server. It carries one mail at a time.
final class MailConnection: Sendable {
    /// Used by one thread at a time, which has taken it out of the pool.
    private nonisolated(unsafe) let handle: OpaquePointer

    init() throws(DeliveryFailure) {
        var message = [CChar](repeating: 0, count: 256)
        guard let handle = na_http_open(&message) else { throw DeliveryFailure(.libraryMissing) }
        self.handle = handle
    }

    deinit {
        // Taking leave of a server may take as long as the server likes.
        let place = UInt(bitPattern: handle)
        DetachedThread.start { OpaquePointer(bitPattern: place).map { na_http_close($0) } }
    }

    /// A mail and the way to the server.
    struct Letter: Sendable {
        let server: MailServer
        /// Whether nothing may be said over a plain connection.
        let isEncrypted: Bool
        let authorities: String?
        let hosts: String?
        let login: (user: String, password: String)?
        let from: String
        let to: String
        let text: [UInt8]
    }

    /// Sends a mail, and waits until the server has taken it, for at most `timeout`.
    ///
    /// - Returns: What the server said then.
    func send(_ letter: Letter, timeout: Duration) throws(DeliveryFailure) -> String {
        var result = na_mail_result()
        let texts = [
            letter.server.url, letter.from, letter.to, letter.authorities ?? "", letter.hosts ?? "",
            letter.login?.user ?? "", letter.login?.password ?? "",
        ]
        let outcome = CStringList.with(texts) { texts in
            letter.text.withUnsafeBufferPointer { text in
                var mail = na_mail()
                mail.url = texts[0]
                mail.from = texts[1]
                mail.to = texts[2]
                mail.ca_file = letter.authorities == nil ? nil : texts[3]
                mail.hosts = letter.hosts == nil ? nil : texts[4]
                mail.user = letter.login == nil ? nil : texts[5]
                mail.password = letter.login == nil ? nil : texts[6]
                mail.text = text.baseAddress
                mail.length = text.count
                mail.encrypted = letter.isEncrypted ? 1 : 0
                mail.timeout_ms = max(1, Int(timeout / .milliseconds(1)))
                mail.admits = letter.policy.function
                return na_mail_send(handle, &mail, &result)
            }
        }
        if let failure = DeliveryFailure(outcome, result) { throw failure }
        return result.replyText
    }
}

extension MailConnection.Letter {
    /// The owner chose the server, so it may be in a network of the owner's own.
    fileprivate var policy: AddressPolicy { server.isLoopback ? .loopbackOnly : .everywhereAndPrivately }
}

extension DeliveryFailure {
    /// What libcurl's outcome and the server's last answer mean. libcurl's words are not taken over: some quote the peer.
    fileprivate init?(_ outcome: na_http_outcome, _ result: na_mail_result) {
        let reply = result.code == 0 ? nil : result.replyText
        switch outcome {
        case NA_HTTP_DONE: return nil
        case NA_HTTP_UNKNOWN_HOST: self.init(.unknownHost)
        case NA_HTTP_NO_CONNECTION, NA_HTTP_ADDRESS_REFUSED: self.init(.noConnection)
        case NA_HTTP_TIMED_OUT: self.init(.timedOut, reply: reply)
        case NA_HTTP_UNTRUSTED: self.init(.untrusted)
        case NA_HTTP_NOT_ENCRYPTED: self.init(.notEncrypted)
        case NA_HTTP_LOGIN_REFUSED: self.init(.loginRefused, reply: reply)
        default:
            guard result.code >= 400 else {
                self.init(outcome == NA_HTTP_OTHER ? .other : .connectionLost, reply: reply)
                return
            }
            // Before the recipient is named, a refusal is about the tenant, which the owner may mend in time.
            let isAboutMail = result.stage == NA_MAIL_RECIPIENT || result.stage == NA_MAIL_TEXT
            self.init(
                result.stage == NA_MAIL_RECIPIENT ? .recipientRefused : .refused, reply: reply,
                isFinal: result.code >= 500 && isAboutMail)
        }
    }
}

extension na_mail_result {
    /// The last line of the server's last answer.
    fileprivate var replyText: String {
        withUnsafeBytes(of: reply) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
