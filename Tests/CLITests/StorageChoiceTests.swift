// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import Testing

@testable import CLI

/// The words for places of tokens.
struct StorageChoiceTests {
    @Test(arguments: StorageChoice.words.map(\.word))
    func wordsAreReadAndWritten(_ word: String) throws {
        let choice = try StorageChoice(word)
        #expect(choice.word == word)
        let parts = word.split(separator: "+").map(String.init)
        #expect(try StorageChoice(storage: parts[0], key: parts.dropFirst().first) == choice)
        #expect(choice.backend == parts[0])
    }

    @Test func nothingSaidIsThePlainFile() throws {
        #expect(try StorageChoice(storage: nil, key: nil) == .file)
    }

    @Test(arguments: ["", "File", "encrypted-file", "file+kernel-keyring", "kernel-keyring+secret-service", "vault"])
    func otherWordsAreRefused(_ word: String) {
        #expect(throws: StorageChoice.Unknown(word: word)) { try StorageChoice(word) }
    }

    @Test func eachChoiceHasAFileOfItsOwn() throws {
        func path(_ word: String) throws -> String { try StorageChoice(word).path(folder: "/a", profile: "p") }
        #expect(try path("file") == "/a/p.json")
        #expect(try path("encrypted-file+kernel-keyring") == "/a/p.encrypted")
        #expect(try path("encrypted-file+secret-service") == "/a/p.encrypted")
    }
}
