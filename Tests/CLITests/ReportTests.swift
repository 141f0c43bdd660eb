// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth
import Testing

@testable import CLI

struct ReportTests {
    @Test func numbersAndLogLinesOfTheServiceAreLeftOut() {
        let error = AuthError(
            .refused, message: "AADSTS65001: Consent is missing. Trace ID: 1 Correlation ID: 2 Timestamp: 3")
        #expect(error.sentence == "The tenant refused: Consent is missing.")
    }

    @Test func controlCharactersOfAServerAreMadeVisible() {
        let error = AuthError(.browserRequired, message: "\u{1B}]0;title\u{7}")
        #expect(!error.sentence.unicodeScalars.contains { $0.value < 0x20 })
    }
}
