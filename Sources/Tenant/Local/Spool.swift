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
        /// Empty for a mail that has none.
        package var code: String
        /// RFC 3339, UTC.
        package var date: String
        package var text: String

        fileprivate var key: String { Self.key(to) }

        /// The form in which contacts are compared, whichever way they are written.
        fileprivate static func key(_ contact: String) -> String { Contact(contact)?.key ?? contact.lowercased() }
    }

    /// Writes a message. The name tells nothing about its reader, and sorts by time; the same message has the same name.
    ///
    /// - Parameter isDurable: Whether it has to be on the disk when this returns; ``sync()`` does that later.
    package func deliver(_ mail: CodeMessage, isDurable: Bool = true) throws(FileError) {
        let folder = try openFolder()
        let milliseconds = String(Int64(mail.date.timeIntervalSince1970 * 1000))
        let stamp = String(repeating: "0", count: max(0, 15 - milliseconds.count)) + milliseconds
        let text = mail.rendered(from: .local)
        try folder.replace("\(stamp)-\(mail.id).eml", with: Array(text.utf8), isDurable: isDurable)
    }

    /// Returns when all messages are on the disk.
    func sync() throws(FileError) {
        try FileDescriptor(folder: path).syncFileSystem()
    }

    /// Opens the folder, and makes it where it is missing.
    private func openFolder() throws(FileError) -> FileDescriptor {
        do throws(FileError) {
            return try FileDescriptor(folder: path)
        } catch {
            guard error.errno == ENOENT else { throw error }
            try FileDescriptor.createFolders(path)
            return try FileDescriptor(folder: path)
        }
    }

    /// Removes every message.
    func empty() throws(FileError) {
        guard access(path, F_OK) == 0 else { return }
        try FileDescriptor(folder: path).removeFiles { $0.hasSuffix(".eml") }
    }

    /// The mails, newest first.
    ///
    /// - Parameters:
    ///   - address: Only mails to this address; nil for all.
    ///   - withCode: Only mails that have one.
    package func messages(
        to address: String? = nil, withCode: Bool = false, limit: Int = 100
    ) throws(FileError) -> [Message] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            guard access(path, F_OK) == 0 else { return [] }
            throw FileError("list", path, errno: errno)
        }
        let filter = Filter(address: address, withCode: withCode)
        var messages: [Message] = []
        for name in names.sorted(by: >) {
            guard let message = try message(named: name), filter.lets(message) else { continue }
            messages.append(message)
            if messages.count == limit { break }
        }
        return messages
    }

    /// Tells of messages as they come, until `tell` throws.
    package func follow(to address: String? = nil, withCode: Bool = false, _ tell: (Message) throws -> Void) throws {
        let filter = Filter(address: address, withCode: withCode)
        try FileDescriptor.createFolders(path)
        let watch = try FolderWatch(path)
        while true {
            for name in try watch.next() {
                guard let message = try message(named: name), filter.lets(message) else { continue }
                try tell(message)
            }
        }
    }

    /// Nil for a file that is no message, and for one that is gone.
    private func message(named name: String) throws(FileError) -> Message? {
        guard name.hasSuffix(".eml"), !name.hasPrefix(".") else { return nil }
        do throws(FileError) {
            let file = try FileDescriptor(path + "/" + name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            return Message(rendered: String(decoding: try file.readToEnd(limit: 64 * 1024), as: UTF8.self))
        } catch {
            guard error.errno == ENOENT else { throw error }
            return nil
        }
    }

    private struct Filter {
        let key: String?
        let withCode: Bool

        init(address: String?, withCode: Bool) {
            key = address.map(Message.key)
            self.withCode = withCode
        }

        func lets(_ message: Message) -> Bool {
            (key == nil || message.key == key) && (!withCode || !message.code.isEmpty)
        }
    }
}

extension Spool.Message {
    /// Reads what ``CodeMessage/rendered(from:)`` writes.
    fileprivate init?(rendered: String) {
        guard let mail = SpooledMail(rendered), let to = mail.head["to"], let subject = mail.head["subject"],
            let date = mail.head["date"]
        else { return nil }
        let channel = Contact(to)?.channel ?? .email
        self.init(
            to: to, channel: channel.rawValue, subject: subject, code: mail.code ?? "", date: date,
            text: mail.text.joined(separator: "\n"))
    }
}
