// SPDX-License-Identifier: Apache-2.0

import CProcess
import Glibc

/// A secret for another program, in memory: it inherits the descriptor, and reads it as often as it likes. A pipe could be
/// read once only, and may hold less than a token; a file on disk would have to be deleted by somebody.
package struct SealedMemory: ~Copyable {
    /// The descriptor's number, in the other program too.
    package let number: Int32

    /// Memory with this content.
    package init(_ text: String) throws(SystemError) {
        var text = text
        number = text.withUTF8 { na_sealed_memory($0.baseAddress, $0.count) }
        guard number >= 0 else { throw SystemError(code: errno) }
    }

    deinit { close(number) }

    /// A path that opens it from its start.
    package var path: String { "/dev/fd/\(number)" }
}

/// A system call that failed.
package struct SystemError: Error, Equatable {
    /// The `errno`.
    package let code: Int32

    package init(code: Int32) { self.code = code }

    /// The system's words for it.
    package var message: String { String(cString: strerror(code)) }
}
