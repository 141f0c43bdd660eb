// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Processes

/// Sends text messages by a command of the owner's, which reads one JSON object: `{"to", "text", "code", "id"}`.
///
/// A status other than 0 means that the message did not leave; it is tried again later, under the same id.
struct TextMessageCommand: Sendable {
    let command: ShellCommand

    init(_ line: String) {
        command = ShellCommand(line, timeout: .seconds(10))
    }

    private struct Words: Encodable {
        let to: String
        let text: String
        let code: String
        let id: String
    }

    func send(_ message: CodeMessage) throws {
        let words = Words(to: message.to.text, text: message.text, code: message.code, id: message.id)
        _ = try command.run(input: Array(try JSONEncoder().encode(words)))
    }
}
