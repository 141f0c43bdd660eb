// SPDX-License-Identifier: Apache-2.0

package import Processes

/// A command that ends with the exit code of another program.
package struct EndedAs: Error {
    package let code: Int32

    /// The end of a command with this code.
    package init(code: Int32) {
        self.code = code
    }
}

extension OtherProgram.Ending {
    /// Ends this command as the program has ended.
    package func passOn() throws(EndedAs) -> Never {
        switch self {
        case .exit(let code): throw EndedAs(code: code)
        case .signal(let number): ProcessEnd.bySignal(number)
        }
    }
}

extension OtherProgram {
    /// A program by its name, with the words that it is to find. It inherits what is open now.
    ///
    /// - Parameters:
    ///   - path: The value of PATH; nil for the system's own folders.
    ///   - before: How this process was started, and the other is to be.
    package init(
        named name: String, _ words: [[CChar]], path: String?, _ before: ProcessStart.Before
    ) throws(CommandFailure) {
        let place: String
        switch ProgramSearch(name, path: path ?? "/usr/bin:/bin") {
        case .found(let found): place = found
        case .notExecutable(let file):
            throw CommandFailure(
                .cannotExecute, "\(file.printable) cannot be executed.", hint: "Its mode has to allow it: chmod +x.")
        case .nowhere where name.contains("/"):
            throw CommandFailure(.notFound, "There is no program \(name.printable).")
        case .nowhere:
            throw CommandFailure(
                .notFound, "The program '\(name.printable)' is not on PATH.",
                hint: "Install it, or give its whole path.")
        }
        self.init(
            place, words, Surroundings(mask: before.mask, ignoresBrokenPipe: before.ignoresBrokenPipe))
    }
}
