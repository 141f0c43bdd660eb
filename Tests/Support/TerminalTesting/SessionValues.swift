// SPDX-License-Identifier: Apache-2.0

internal import CPty
internal import Dispatch
internal import Glibc

/// How a program ended.
package enum Ending: Equatable, Sendable {
    case exit(Int32)
    case signal(Int32)
}

/// A dialogue that went another way than the test expected, with the last that the terminal showed.
package struct SessionError: Error, CustomStringConvertible {
    let what: String
    let transcript: String

    package var description: String {
        "\(what)\n--- the terminal showed ---\n\(String(transcript.suffix(8000)).debugDescription)"
    }
}

/// The settings of a terminal, to compare before and after.
package struct TerminalModes: Equatable, Sendable {
    private let input: UInt32
    private let output: UInt32
    private let control: UInt32
    /// `ECHO`, `ICANON`, `ISIG` and the like.
    package let localFlags: UInt32
    private let characters: [UInt8]

    init(_ modes: na_pty_modes) {
        input = modes.input
        output = modes.output
        control = modes.control
        localFlags = modes.local
        characters = withUnsafeBytes(of: modes.characters) { Array($0) }
    }

    /// Whether the terminal shows what is typed.
    package var echoIsOn: Bool { localFlags & UInt32(ECHO) != 0 }

}

/// Where the executables of this package are: the test bundle is one of them, beside the others.
package enum BuiltProgram {
    /// The path of a program of this package.
    package static func path(_ name: String) throws -> String {
        let resolved = realpath("/proc/self/exe", nil)
        defer { free(resolved) }
        let bundle = resolved.map { String(cString: $0) } ?? ""
        let folder = bundle.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let path = folder + "/" + name
        guard access(path, X_OK) == 0 else { throw SessionError(what: "\(path) is not built", transcript: "") }
        return path
    }
}

/// Runs a session's waiting outside of Swift's thread pool, which has only as many threads as the machine has cores.
final class SessionThread: SerialExecutor {
    private let queue = DispatchQueue(label: "terminal session")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// Strings for `execve`, with a null pointer at the end.
final class CStrings {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ strings: [String]) {
        count = strings.count
        pointers = .allocate(capacity: count + 1)
        for (index, string) in strings.enumerated() { (pointers + index).initialize(to: strdup(string)) }
        (pointers + count).initialize(to: nil)
    }

    deinit {
        for index in 0..<count { free(pointers[index]) }
        pointers.deallocate()
    }
}

func withOptionalCString<Result>(_ string: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    guard let string else { return body(nil) }
    return string.withCString { body($0) }
}
