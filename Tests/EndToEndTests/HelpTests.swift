// SPDX-License-Identifier: Apache-2.0

import TerminalTesting
import Testing

struct HelpTests {
    @Test func programIsBuiltBesideTheTests() throws {
        #expect(try BuiltProgram.path("nativeauth").hasSuffix("/nativeauth"))
    }
}
