// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Processes

/// The owner's way to send text messages: a command, or a service that takes HTTP requests. Either gets one JSON object,
/// `{"to", "text", "code", "id"}`: a command on its standard input, a service as the body of a POST.
///
/// A message has left when the command ends with status 0, or the service answers 200 to 299. It is tried again later
/// otherwise, under the same id.
enum TextMessageGateway: Sendable {
    case command(ShellCommand)
    case service(CalloutTarget)

    static let timeout = Duration.seconds(10)

    /// Nil where the owner named none; then the spool takes text messages as well.
    init?(_ settings: Settings) {
        if !settings.smsCommand.isEmpty {
            self = .command(ShellCommand(settings.smsCommand, timeout: Self.timeout))
        } else if let target = CalloutTarget(settings.smsURL) {
            self = .service(target)
        } else {
            return nil
        }
    }

    struct Refused: Error {
        let status: Int
    }

    func send(_ message: CodeMessage) throws(DeliveryFailure) {
        do { try attempt(message) } catch { throw DeliveryFailure(.gateway) }
    }

    private func attempt(_ message: CodeMessage) throws {
        let words = Words(to: message.to.text, text: message.text, code: message.code, id: message.id)
        let body = try JSONEncoder().encode(words)
        switch self {
        case .command(let command): try command.run(feeding: Array(body))
        case .service(let target): try post(body, to: target)
        }
    }

    private struct Words: Encodable {
        let to: String
        let text: String
        let code: String
        let id: String
    }

    /// The owner chose the address, so it may be in a network of the owner's own.
    private func post(_ body: Data, to target: CalloutTarget) throws {
        let call = CalloutConnection.Call(
            target: target, policy: AddressPolicy(target, allowsPrivateAddresses: true), caFile: nil,
            headers: ["Content-Type: application/json"], body: body, hosts: nil)
        let status = try CalloutConnection().send(call, timeout: Self.timeout).status
        guard (200..<300).contains(status) else { throw Refused(status: status) }
    }
}
