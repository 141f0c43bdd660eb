// SPDX-License-Identifier: Apache-2.0

import Console
import Processes

extension Context {
    /// The name that this program was called by, without its folder.
    var programName: String {
        let path = String(decoding: (words.first ?? []).prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.split(separator: "/").last.map(String.init) ?? ""
    }

    /// A program by its name, with the words that it is to find. It inherits what is open now.
    func program(_ name: String, _ words: [[CChar]] = []) throws(CommandFailure) -> OtherProgram {
        try OtherProgram(named: name, words, path: environment["PATH"], before)
    }

    /// Becomes the program. Returns only if that is not possible.
    func become(_ program: OtherProgram) -> CommandFailure {
        let error = program.become()
        return CommandFailure(.cannotExecute, "\(program.path.printable) cannot be executed: \(error.message).")
    }

    /// Memory with a secret for another program.
    func memory(_ text: String) throws(CommandFailure) -> SealedMemory {
        do throws(SystemError) { return try SealedMemory(text) } catch {
            throw CommandFailure(.internalError, "There is no memory for the token: \(error.message).")
        }
    }
}
