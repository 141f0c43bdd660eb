// SPDX-License-Identifier: Apache-2.0

import Console
import Files
import FoundationEssentials
import Glibc
import NativeAuth

extension Context {
    /// Where another program may have put a token, the better place first: a variable is inherited by every child, and
    /// stands in what is logged about a job.
    static let tokenVariables = (file: "NATIVEAUTH_ACCESS_TOKEN_FILE", value: "NATIVEAUTH_ACCESS_TOKEN")

    /// The token that the caller brought along; nil where there is none.
    ///
    /// - Parameter validity: How long it has to be good for, where the person has said so.
    func broughtToken(goodFor validity: Duration?) throws(CommandFailure) -> GivenToken? {
        guard let (token, variable) = try broughtText() else { return nil }
        guard GivenToken.isToken(token.value) else {
            throw CommandFailure(
                .invalidData, "What \(variable) brings is no token: it has blanks, line ends or other characters.")
        }
        if let end = token.expiresAt, end.timeIntervalSince(time.now()) < (validity ?? .zero) / .seconds(1) {
            let verb = end <= time.now() ? "expired" : "expires"
            throw CommandFailure(
                .signInNeeded, "The token that \(variable) brings \(verb) at \(end.formatted(.iso8601)).",
                hint: "Bring a new one, or unset the variable to use the account that is signed in.")
        }
        return token
    }

    private func broughtText() throws(CommandFailure) -> (GivenToken, variable: String)? {
        let (file, value) = Self.tokenVariables
        if let path = environment[file], !path.isEmpty {
            return (GivenToken(try Self.content(path, file), source: .file), file)
        }
        if let text = environment[value], !text.isEmpty { return (GivenToken(text, source: .env), value) }
        return nil
    }

    /// A file's text without one line end. It may be a pipe, and is read to its end.
    private static func content(_ path: String, _ variable: String) throws(CommandFailure) -> String {
        let data: Data
        do throws(FileError) {
            data = try FileDescriptor(path, O_RDONLY | O_NOCTTY).readToEnd(limit: 64 * 1024)
        } catch {
            throw CommandFailure(.missingInput, "The token that \(variable) names: \(error.sentence)")
        }
        var text = data[...]
        if text.last == UInt8(ascii: "\n") { text.removeLast() }
        if text.last == UInt8(ascii: "\r") { text.removeLast() }
        guard !text.isEmpty else {
            throw CommandFailure(.missingInput, "The file that \(variable) names is empty.")
        }
        return String(decoding: text, as: UTF8.self)
    }
}
