// SPDX-License-Identifier: Apache-2.0

import CPipe
import Glibc

/// A pipe whose ends no child inherits, unless it is told to.
package struct Pipe {
    package let reader: End
    package let writer: End

    package init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard na_pipe(&ends) == 0 else { throw SystemError(code: errno) }
        reader = End(ends[0])
        writer = End(ends[1])
    }

    /// Closed once: by hand, or when nobody holds it any more.
    package final class End {
        package private(set) var number: Int32

        init(_ number: Int32) { self.number = number }

        deinit { close() }

        package func close() {
            guard number >= 0 else { return }
            Glibc.close(number)
            number = -1
        }
    }
}
