// SPDX-License-Identifier: Apache-2.0

package import Files
import FoundationEssentials
import Glibc
import Wire

/// Messages as files, one each, in a folder of mode 0700: where a local tenant's mail goes and where it is read, its text
/// messages too unless the owner has another way for them.
package struct Spool: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// A delivered message.
    package struct Message: Sendable, Codable, Equatable {
        /// A mail address or a telephone number.
        package var to: String
        /// `email` or `sms`.
        package var channel: String
        package var subject: String
        package var code: String
        /// RFC 3339, UTC.
        package var date: String
        package var text: String
    }

    /// Writes a message. The name tells nothing about its reader, and sorts by time.
    package func deliver(_ mail: CodeMessage) throws(FileError) {
        try FileDescriptor.createFolders(path)
        let folder = try FileDescriptor(folder: path)
        let milliseconds = String(Int64(mail.date.timeIntervalSince1970 * 1000))
        let stamp = String(repeating: "0", count: max(0, 15 - milliseconds.count)) + milliseconds
        try folder.replace("\(stamp)-\(mail.id).eml", with: Array(mail.rendered.utf8))
    }

    /// The mails, newest first.
    ///
    /// - Parameter address: Only mails to this address; nil for all.
    package func messages(to address: String? = nil, limit: Int = 100) throws(FileError) -> [Message] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            guard access(path, F_OK) == 0 else { return [] }
            throw FileError("list", path, errno: errno)
        }
        var messages: [Message] = []
        for name in names.sorted(by: >) where name.hasSuffix(".eml") && !name.hasPrefix(".") {
            let file = try FileDescriptor(path + "/" + name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            let text = String(decoding: try file.readToEnd(limit: 64 * 1024), as: UTF8.self)
            guard let message = Message(rendered: text) else { continue }
            guard address == nil || message.to.lowercased() == address?.lowercased() else { continue }
            messages.append(message)
            if messages.count == limit { break }
        }
        return messages
    }
}

extension CodeMessage {
    package var subject: String {
        switch purpose {
        case .signUp: "Your sign-up code"
        case .signIn: "Your sign-in code"
        case .passwordReset: "Your password reset code"
        case .secondFactor: "Your second sign-in code"
        case .registration: "Your registration code"
        }
    }

    package var text: String {
        let sentence =
            switch purpose {
            case .signUp: "Use this code to verify your address and create your account:"
            case .signIn: "Use this code to sign in:"
            case .passwordReset: "Use this code to choose a new password:"
            case .secondFactor: "Use this code to finish signing in:"
            case .registration: "Use this code to make this contact a second way to prove who you are:"
            }
        return """
            \(sentence)

            \(code)

            It is good for \(max(1, lifetime / 60)) minutes. If you did not ask for it, ignore this mail.
            """
    }

    /// The mail as an Internet message (RFC 5322), lines ended by CRLF.
    fileprivate var rendered: String {
        let head = [
            "From: Local tenant <no-reply@tenant.invalid>", "To: \(to.text)", "Subject: \(subject)",
            "Date: \(date.mailStamp)", "Message-ID: <\(id)@tenant.invalid>", "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8",
        ]
        return (head + [""] + text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) + [""])
            .joined(separator: "\r\n")
    }
}

extension Spool.Message {
    /// Reads what ``Mail`` renders: the code is the line of the body that is digits and nothing else.
    fileprivate init?(rendered: String) {
        // In Swift "\r\n" is one character, so lines are split at it.
        let lines = rendered.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
        guard let end = lines.firstIndex(of: "") else { return nil }
        var head: [String: String] = [:]
        for line in lines[..<end] {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            head[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        let body = lines[(end + 1)...]
        guard let to = head["to"], let subject = head["subject"], let date = head["date"],
            let code = body.first(where: { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        let channel = Contact(to)?.channel ?? .email
        self.init(
            to: to, channel: channel.rawValue, subject: subject, code: code, date: date,
            text: body.joined(separator: "\n"))
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
