// SPDX-License-Identifier: Apache-2.0

import Console
import Processes

/// A command that ends with the exit code of another program.
struct EndedAs: Error {
    let code: Int32
}

extension Context {
    /// The name that this program was called by, without its folder.
    var programName: String {
        let path = String(decoding: (words.first ?? []).prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.split(separator: "/").last.map(String.init) ?? ""
    }

    /// A program by its name, with the words that it is to find. It inherits what is open now.
    func program(_ name: String, _ words: [[CChar]] = []) throws(CommandFailure) -> OtherProgram {
        let path: String
        switch ProgramSearch(name, path: environment["PATH"] ?? "/usr/bin:/bin") {
        case .found(let place): path = place
        case .notExecutable(let place):
            throw CommandFailure(
                .cannotExecute, "\(place.printable) cannot be executed.", hint: "Its mode has to allow it: chmod +x.")
        case .nowhere where name.contains("/"):
            throw CommandFailure(.notFound, "There is no program \(name.printable).")
        case .nowhere:
            throw CommandFailure(
                .notFound, "The program '\(name.printable)' is not on PATH.",
                hint: "Install it, or give its whole path.")
        }
        return OtherProgram(
            path, words,
            OtherProgram.Surroundings(mask: before.mask, ignoresBrokenPipe: before.ignoresBrokenPipe))
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
