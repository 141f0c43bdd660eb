// SPDX-License-Identifier: Apache-2.0

import Files
package import FoundationEssentials
import Glibc
import Synchronization

/// The way of mail out of the machine: one server, which sends it on.
///
/// Nothing is said to it before the connection is encrypted and its certificate checked. A server on this machine may be
/// spoken to plainly, unless the owner named a certificate authority to trust.
package final class MailRelay: Sendable {
    let server: MailServer
    private let sender: MailSender?
    private let user: String
    private let passwordFile: String
    private let authorities: String?
    private let timeout: Duration
    private let hosts: String?
    /// Those that carry no mail at the moment.
    private let idle = Mutex<[MailConnection]>([])

    /// Nil where the owner named no server; then the spool takes mail.
    ///
    /// - Parameter hosts: An address for a name, ahead of what the name service knows: `HOST:PORT:ADDRESS,…`.
    package init?(_ settings: Settings, hosts: String? = nil) {
        guard let server = MailServer(settings.smtpURL) else { return nil }
        self.server = server
        sender = MailSender(settings.smtpFrom)
        user = settings.smtpUser
        passwordFile = settings.smtpPasswordFile
        authorities = settings.smtpCAFile.isEmpty ? nil : settings.smtpCAFile
        timeout = .seconds(settings.smtpTimeout)
        self.hosts = hosts
    }

    /// Sends a mail.
    ///
    /// - Returns: What the server said when it took the mail.
    @discardableResult
    func send(_ message: CodeMessage) throws(DeliveryFailure) -> String {
        guard let sender, case .email(let address) = message.to else { throw DeliveryFailure(.notConfigured) }
        return try send(message.rendered(from: sender), to: address)
    }

    /// Sends a mail of which nothing is to be understood but that it came.
    package func sendTest(to address: EmailAddress, id: String, at date: Date) throws(DeliveryFailure) -> String {
        guard let sender else { throw DeliveryFailure(.notConfigured) }
        return try send(TestMail(to: address, id: id, date: date).rendered(from: sender), to: address)
    }

    private func send(_ text: String, to address: EmailAddress) throws(DeliveryFailure) -> String {
        let letter = MailConnection.Letter(
            server: server, isEncrypted: !server.isLoopback || authorities != nil, authorities: authorities,
            hosts: hosts,
            login: user.isEmpty ? nil : (user, try password()), from: sender?.address ?? "", to: address.ascii,
            text: Array(text.utf8))
        let connection = if let kept = idle.withLock({ $0.popLast() }) { kept } else { try MailConnection() }
        let reply = try connection.send(letter, timeout: timeout)
        // One that failed may be in any state, and ends here.
        idle.withLock { $0.append(connection) }
        return reply
    }

    /// Read anew for each mail, so that it can be changed while the tenant is served.
    private func password() throws(DeliveryFailure) -> String {
        do throws(FileError) {
            let data = try FileDescriptor(passwordFile, O_RDONLY | O_NONBLOCK).readToEnd(limit: 4096)
            let line = data.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") && $0 != 0 }
            guard !line.isEmpty else { throw FileError("read", passwordFile, errno: ENODATA) }
            return String(decoding: line, as: UTF8.self)
        } catch {
            throw DeliveryFailure(.passwordFile)
        }
    }
}
