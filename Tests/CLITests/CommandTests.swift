// SPDX-License-Identifier: Apache-2.0

import Console
import Testing

@testable import CLI

@Suite("The commands")
struct CommandTests {
    /// A flag has the whole table looked at; without one it is not even made.
    @Test("those whose name is a whole command line miss nothing when the table is asked")
    func completeAlone() throws {
        let alone = NativeAuthTool.commands.filter { $0.isCompleteAlone }
        #expect(alone.count >= 3)
        for command in alone {
            _ = try command.parse([])
            _ = try command.parse(["--json"])
        }
    }
}
