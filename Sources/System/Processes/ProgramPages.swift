// SPDX-License-Identifier: Apache-2.0

import CProcess

/// The memory that a program's own file takes.
package enum ProgramPages {
    /// Lets go of code and constants that only a start needs, for a program that goes on to run for long.
    ///
    /// - Returns: How many bytes at most.
    @discardableResult
    package static func giveBack() -> Int { na_give_back_pages() }
}
