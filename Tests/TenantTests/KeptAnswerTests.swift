// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing
import Wire

@testable import Tenant

/// Answers that can be fetched again.
struct KeptAnswerTests {
    private let vault = Vault(key: Array(repeating: 7, count: Vault.keyLength))
    private let exchange = Exchange(
        Request(method: "POST", path: "/"), id: "t", at: Date(timeIntervalSince1970: 0), seconds: 0)

    @Test(arguments: [200, 400, 503])
    func answerComesBack(_ status: Int) throws {
        let answer = exchange.respond(status, Data(#"{"a":"b"}"#.utf8))
        let sealed = try KeptAnswer(.complete(answer)).sealed(vault)
        guard case .complete(let kept)? = KeptAnswer(sealed: sealed, vault)?.settled(exchange) else {
            Issue.record("no answer")
            return
        }
        #expect(kept == answer)
    }

    @Test func tokensComeBackWithoutSignatures() throws {
        let tokens = Tokens(tokenType: "Bearer", expiresIn: 5, accessToken: "h.a", refreshToken: "r", idToken: "h.i")
        let sealed = try KeptAnswer(.unsigned(tokens)).sealed(vault)
        guard case .unsigned(let kept)? = KeptAnswer(sealed: sealed, vault)?.settled(exchange) else {
            Issue.record("no tokens")
            return
        }
        #expect(kept == tokens)
    }

    /// An update of the program in the minute of a lost answer.
    @Test func earlierFormIsRead() throws {
        let sealed = vault.seal(Array(#"{"status":200,"body":"eyJhIjoxfQ=="}"#.utf8))
        guard case .complete(let kept)? = KeptAnswer(sealed: sealed, vault)?.settled(exchange) else {
            Issue.record("no answer")
            return
        }
        #expect(kept.status == 200)
        #expect(String(decoding: kept.body, as: UTF8.self) == #"{"a":1}"#)
    }

    @Test(arguments: [[], [0], [1, 0], [2], [3, 1, 2], Array("{}".utf8)])
    func nonsenseIsNone(_ bytes: [UInt8]) {
        #expect(KeptAnswer(sealed: vault.seal(bytes), vault).map { _ in true } == nil)
        #expect(KeptAnswer(sealed: bytes, vault).map { _ in true } == nil)
    }
}
