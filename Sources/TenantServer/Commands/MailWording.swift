// SPDX-License-Identifier: Apache-2.0

import Console
import Tenant

extension DeliveryFailure {
    /// What happened, to a person.
    var sentence: String {
        switch problem {
        case .notConfigured: "The setting smtp_from does not say who mail comes from."
        case .passwordFile: "The file that smtp_password_file names has no password that can be read."
        case .libraryMissing: "libcurl cannot be used on this machine."
        case .unknownHost: "The mail server's name is not known."
        case .noConnection: "Nobody answers at the mail server's address."
        case .connectionLost: "The mail server ended the connection too early."
        case .timedOut: "The mail server did not answer in time."
        case .untrusted: "The mail server's certificate or version of TLS is not trusted."
        case .notEncrypted: "The mail server does not offer encryption, so nothing was sent."
        case .loginRefused: "The mail server refused the user or the password\(answer)."
        case .refused: "The mail server refused the mail\(answer)."
        case .recipientRefused: "The mail server refused the recipient\(answer)."
        case .gateway: "The command or service for text messages did not take it."
        case .spool: "The spool could not be written."
        case .other: "The mail server does not speak SMTP as it should\(answer)."
        }
    }

    /// What the owner can do about it.
    var hint: String {
        switch problem {
        case .notConfigured: "Run 'nativeauth tenant config set smtp_from ADDRESS'."
        case .passwordFile: "Write the password into its first line, readable by you alone."
        case .libraryMissing: "Install it: apt install libcurl4"
        case .untrusted: "Name the certificate authority's file with 'nativeauth tenant config set smtp_ca_file FILE'."
        case .notEncrypted: "Use smtps://, or a server with STARTTLS."
        case .loginRefused: "Look at smtp_user and smtp_password_file."
        case .unknownHost, .noConnection, .connectionLost, .timedOut, .other: "Look at smtp_url."
        default: "Look at the mail server's log."
        }
    }

    private var answer: String { reply.map { ": \($0.printable)" } ?? "" }
}

extension CommandFailure {
    init(_ failure: DeliveryFailure) {
        let isConfigured = ![.notConfigured, .passwordFile].contains(failure.problem)
        let status: ExitStatus = !isConfigured ? .configuration : failure.isFinal ? .failed : .unavailable
        self.init(status, failure.sentence, hint: failure.hint)
    }
}
