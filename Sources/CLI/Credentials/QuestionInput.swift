// SPDX-License-Identifier: Apache-2.0

import Console
import Glibc

/// Standard input, for protocols in which another program asks there.
enum QuestionInput {
    private static let limit = 64 * 1024

    /// What is there up to its end, or up to where a question is whole: some callers leave the pipe open.
    static func read(until isWhole: (String) -> Bool = { _ in false }) throws(CommandFailure) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= limit {
            let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            bytes += buffer.prefix(max(0, count))
            let text = String(decoding: bytes, as: UTF8.self)
            if count <= 0 || isWhole(text) { return text }
        }
        throw CommandFailure(.missingInput, "The question on standard input is longer than \(limit) bytes.")
    }
}
