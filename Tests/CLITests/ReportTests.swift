// SPDX-License-Identifier: Apache-2.0

import Console
import Testing
import Wire

@testable import CLI
@testable import NativeAuth

struct ReportTests {
    @Test func numbersAndLogLinesOfTheServiceAreLeftOut() {
        let error = AuthError(
            .refused, message: "AADSTS65001: Consent is missing. Trace ID: 1 Correlation ID: 2 Timestamp: 3")
        #expect(error.sentence == "The tenant refused: Consent is missing.")
    }

    /// The first character is one of the server's, too.
    @Test(arguments: ["\u{1B}[31mowned", "extension_0123_\u{1B}]0;title\u{7}", "\u{202E}txt"])
    func namesOfAttributesAreMadeVisible(_ name: String) {
        let label = RequestedAttribute(RequiredAttribute(name: name, type: "string", required: true)).label
        #expect(!label.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    }

    @Test func controlCharactersOfAServerAreMadeVisible() {
        let error = AuthError(.browserRequired, message: "\u{1B}]0;title\u{7}")
        #expect(!error.sentence.unicodeScalars.contains { $0.value < 0x20 })
    }
}
