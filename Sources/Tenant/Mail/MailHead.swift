// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The fields that every mail begins with. Nothing in them comes from a request but the address, which is checked.
struct MailHead: Sendable {
    let sender: MailSender
    /// A mail address in ASCII, or a telephone number.
    let recipient: String
    let subject: String
    let date: Date
    /// The same however often the mail is sent, so that one that arrives twice can be told.
    let id: String

    /// Without the type of the content. Programs that answer by themselves are told not to (RFC 3834, section 5).
    var lines: [String] {
        [
            "From: \(sender.field)", "To: \(recipient)", "Subject: \(subject)", "Date: \(date.mailStamp)",
            "Message-ID: <\(id)@\(sender.domain)>", "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
        ]
    }
}

extension Date {
    /// `Fri, 20 Nov 2026 14:05:00 +0000` (RFC 5322, section 3.3).
    fileprivate var mailStamp: String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.weekday, .day, .month, .year], from: self)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let time = formatted(Date.ISO8601FormatStyle().time(includingFractionalSeconds: false))
        return "\(days[(parts.weekday ?? 1) - 1]), \(parts.day ?? 1) \(months[(parts.month ?? 1) - 1]) "
            + "\(parts.year ?? 1970) \(time) +0000"
    }
}
