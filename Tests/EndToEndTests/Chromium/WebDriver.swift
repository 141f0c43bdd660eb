// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting

/// The protocol that browsers are driven by (W3C WebDriver): commands are JSON over HTTP.
struct WebDriver: Sendable {
    /// Where the commands go: the driver's address, and behind it the session's path.
    let address: String

    /// What the driver said where it could not do as it was told.
    struct Failure: Error, CustomStringConvertible {
        let command: String
        let said: String
        var description: String { "\(command): \(said)" }
    }

    /// Gives a command.
    ///
    /// - Returns: Its value.
    @discardableResult
    func callAsFunction(_ method: String, _ path: String, _ fields: [String: Any] = [:]) async throws -> Any {
        let body = method == "POST" ? ["-H", "Content-Type: application/json", "--data-binary", "@-"] : []
        var curl = Run("/usr/bin/curl", ["-sS", "--noproxy", "*", "-X", method, address + path] + body)
        curl.input = .text(String(decoding: try JSONSerialization.data(withJSONObject: fields), as: UTF8.self))
        // Starting a browser takes its time on a machine that is busy.
        curl.timeout = .seconds(180)
        let outcome = try await curl()
        let answer = try? JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        guard let value = answer?["value"] else { throw Failure(command: "\(method) \(path)", said: "\(outcome)") }
        if let error = (value as? [String: Any])?.string("error") {
            throw Failure(command: "\(method) \(path)", said: "\(error): \(value)")
        }
        return value
    }

    /// The same driver, at a path below.
    func below(_ path: String) -> WebDriver { WebDriver(address: address + path) }
}
