// SPDX-License-Identifier: Apache-2.0

import CProcess
import Glibc

/// Another program with the words of its command line, which are bytes: a file's name needs not be text.
package struct OtherProgram: Sendable {
    package let path: String
    /// The words as the C library has them, each with its NUL; the first one is the program's name.
    package var words: [[CChar]]
    /// Variables that it finds changed, or not at all where the value is nil. All others are ours, byte by byte.
    package var variables: [String: String?] = [:]
    /// Descriptors that it inherits besides those that it would inherit anyway.
    package var inherited: [Int32] = []
    /// How this process was started, and the other is to be.
    private let surroundings: Surroundings
    /// Those that were open when this value was made; later ones are kept from it.
    private let open = OpenDescriptors.now

    /// What a process inherits besides descriptors and variables.
    package struct Surroundings: Sendable {
        let mask: UInt32
        let ignoresBrokenPipe: Bool

        package init(mask: UInt32, ignoresBrokenPipe: Bool) {
            self.mask = mask
            self.ignoresBrokenPipe = ignoresBrokenPipe
        }

        fileprivate var value: na_surroundings {
            na_surroundings(mask: mask, ignores_broken_pipe: ignoresBrokenPipe)
        }
    }

    package init(_ path: String, _ words: [[CChar]], _ surroundings: Surroundings) {
        self.path = path
        self.words = words
        self.surroundings = surroundings
    }

    /// Becomes the program: its exit code, its signals, its streams and its process id are this one's. Returns only if
    /// that is not possible.
    package func become() -> SystemError {
        open.keepLaterOnes()
        return withPointers { words, variables in
            SystemError(
                code: na_become(path, words, variables, inherited, inherited.count, surroundings.value))
        }
    }

    /// Starts it as a child that writes to `output`, and is ended with this thread.
    package func start(writing output: Int32) throws(SystemError) -> Int32 {
        open.keepLaterOnes()
        var child = pid_t()
        let code = withPointers { words, variables in
            na_start_bound(
                path, words, variables, inherited, inherited.count, surroundings.value, output, &child)
        }
        guard code == 0 else { throw SystemError(code: code) }
        return child
    }

    /// How a program ended.
    package enum Ending: Equatable, Sendable {
        case exit(Int32)
        case signal(Int32)

        /// As the macros WIFEXITED, WEXITSTATUS and WTERMSIG read what waitpid(2) has left.
        init(status: Int32) {
            self = status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
        }
    }

    /// Waits until a child has ended.
    package static func ending(of child: Int32) -> Ending {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return Ending(status: status)
    }

    private typealias Words = [UnsafeMutablePointer<CChar>?]

    private func withPointers<Value>(_ body: (Words, Words) -> Value) -> Value {
        let own = words.map { word in word.withUnsafeBufferPointer { $0.baseAddress.flatMap { strdup($0) } } }
        let changed = variables.compactMap { name, value in value.map { strdup("\(name)=\($0)") } }
        defer { (own + changed).forEach { free($0) } }
        return body(own + [nil], kept + changed + [nil])
    }

    /// The entries of our environment that stay as they are.
    private var kept: Words {
        var kept: Words = []
        var entry = environ
        while let text = entry.pointee {
            let name = String(cString: text).prefix { $0 != "=" }
            if variables[String(name)] == nil { kept.append(text) }
            entry += 1
        }
        return kept
    }
}
