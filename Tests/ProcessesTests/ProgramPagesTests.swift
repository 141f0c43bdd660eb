// SPDX-License-Identifier: Apache-2.0

import Processes
import Testing

/// A program that has let go of its pages goes on as before.
struct ProgramPagesTests {
    @Test func whatIsNeededAgainIsReadAgain() {
        for _ in 0..<3 {
            #expect(ProgramPages.giveBack() > 100_000)
            #expect("Ærlig talt".lowercased().uppercased() == "ÆRLIG TALT")
        }
    }
}
