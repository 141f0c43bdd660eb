// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import TenantTesting
import Testing
import Wire

@testable import NativeAuth

/// Cache files that are not as they should be.
struct DamagedCacheTests {
    private static func signedIn() async throws -> (MemoryStorage, ScriptedTransport, NativeAuthClient) {
        let storage = MemoryStorage()
        let server = ScriptedTransport([
            .ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")), .ok(Issuer.shared.tokens()),
        ])
        let client = try Fjordshop.client(server, storage: storage)
        _ = try await client.signIn(username: Fjordshop.mira, password: "p")
        return (storage, server, client)
    }

    @Test(arguments: [
        "", " ", "{", "}", "[]", "null", "5", "garbage", "\u{FEFF}{}", "{}{}", #"{"AccessToken":[]}"#,
        #"{"IdToken":"x"}"#,
        #"{"RefreshToken":null}"#, #"{"Account":5}"#, #"{"AppMetadata":true}"#, #"{"nativeauth":[]}"#,
        "{\"a\":\"\u{1}\"}",
        #"{"a":1,"a":2}"#, "{\"a\":" + String(repeating: "[", count: 100_000),
    ])
    func otherContentIsNoCache(_ text: String) {
        #expect(throws: TokenCache.Unreadable.corrupt) { try TokenCache(Data(text.utf8)) }
    }

    @Test func otherBytesAreNoCache() {
        for bytes in [[0xFF], [0x7B, 0xFF, 0x7D], [0x7B, 0x00, 0x7D, 0x00], [UInt8](repeating: 0, count: 4096)]
            as [[UInt8]]
        {
            #expect(throws: TokenCache.Unreadable.corrupt) { try TokenCache(Data(bytes)) }
        }
    }

    @Test func sizeHasALimit() throws {
        func cache(_ size: Int) -> Data { Data(#"{"a":"\#(String(repeating: "x", count: size - 8))"}"#.utf8) }
        #expect(cache(1000).count == 1000)
        #expect(throws: Never.self) { try TokenCache(cache(TokenCache.sizeLimit)) }
        #expect(throws: TokenCache.Unreadable.corrupt) { try TokenCache(cache(TokenCache.sizeLimit + 1)) }
    }

    /// Entries of other shapes are passed over, and everything can still be done with the rest.
    @Test(arguments: [
        "null", "5", "[]", "{}", #"{"secret":5}"#, #"{"secret":"s","home_account_id":7,"expires_on":[]}"#,
        #"{"environment":"fjordshop.ciamlogin.com","client_id":"3b6a2d54-0c1f-4f7e-8f43-6d1f2f3f4a10","secret":"s","home_account_id":"h"}"#,
        #"{"environment":"fjordshop.ciamlogin.com","client_id":"3b6a2d54-0c1f-4f7e-8f43-6d1f2f3f4a10","secret":"s","home_account_id":"h","expires_on":"nan","cached_at":"inf","target":5}"#,
        #"{"environment":"fjordshop.ciamlogin.com","client_id":"3b6a2d54-0c1f-4f7e-8f43-6d1f2f3f4a10","secret":"s","home_account_id":"h","expires_on":"1e300","cached_at":-9223372036854775808}"#,
    ])
    func otherEntriesArePassedOver(_ entry: String) async throws {
        let (storage, server, client) = try await Self.signedIn()
        let text = String(decoding: try #require(storage.load()), as: UTF8.self)
        var damaged = text
        for section in ["AccessToken", "IdToken", "RefreshToken", "Account", "AppMetadata"] {
            damaged = damaged.replacing(
                #""\#(section)" : {"#, with: #""\#(section)" : { "0": \#(entry), "zzz": \#(entry),"#)
        }
        #expect(damaged != text)
        storage.save(Data(damaged.utf8))
        _ = try client.account()
        server.add(.ok(Issuer.shared.tokens(access: "AT2")))
        _ = await authFailure { try await client.accessToken(forceRefresh: true) }
        try await client.account()?.signOut()
        _ = try client.account()
    }

    /// Whatever a crash or a full disk leaves, reading it ends in an answer.
    @Test("T65: every beginning of a cache is read or refused") func everyBeginningIsReadOrRefused() async throws {
        let (storage, _, client) = try await Self.signedIn()
        let whole = try #require(storage.load())
        for end in 0..<whole.count - 2 {
            storage.save(whole.prefix(end))
            let error = await authFailure { try client.account() }
            #expect(error?.reason == .storage(.corrupt(path: "memory")))
        }
        storage.save(whole)
        #expect(try client.account()?.username == Fjordshop.mira)
    }

    @Test func everyChangedByteIsReadOrRefused() async throws {
        let (storage, _, client) = try await Self.signedIn()
        let whole = try #require(storage.load())
        for index in stride(from: 0, to: whole.count, by: 3) {
            for byte in [0, 0x22, 0x7D, 0xFF] as [UInt8] {
                var changed = whole
                changed[index] = byte
                storage.save(changed)
                _ = try? client.account()
            }
        }
    }

    /// What cannot be read is put aside by the next sign-in, never overwritten.
    @Test func damagedCacheIsPutAside() async throws {
        let folder = try TemporaryFolder()
        let storage = FileStorage(path: folder.path + "/a/cache.json")
        let server = ScriptedTransport([])
        let client = try Fjordshop.client(server, storage: storage)
        for content in ["garbage", String(repeating: "x", count: TokenCache.sizeLimit + 1)] {
            try folder.write(content, to: "a/cache.json")
            #expect(await authFailure { try client.account() }?.reason == .storage(.corrupt(path: storage.path)))
            server.add(.ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")), .ok(Issuer.shared.tokens()))
            _ = try await client.signIn(username: Fjordshop.mira, password: "p")
            #expect(try client.account()?.username == Fjordshop.mira)
            let aside = try folder.names("a").filter { $0.hasPrefix("cache.json.corrupt-") }
            #expect(try aside.contains { try folder.read("a/" + $0) == content })
        }
    }

    @Test(arguments: ["garbage", String(repeating: "x", count: TokenCache.sizeLimit + 1)])
    func damagedCacheIsPutAsideWhenAsked(_ content: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(content, to: "cache.json")
        let client = try Fjordshop.client(
            ScriptedTransport([]), storage: FileStorage(path: folder.path + "/cache.json"))
        let place = try #require(try await client.setAsideDamagedCache())
        #expect(place.hasPrefix(folder.path + "/cache.json.corrupt-"))
        #expect(try client.account() == nil)
        #expect(try await client.setAsideDamagedCache() == nil)
    }

    @Test("T65: a newer cache is read, but not changed") func newerCacheIsReadButNotChanged() async throws {
        let (storage, server, client) = try await Self.signedIn()
        let text = String(decoding: try #require(storage.load()), as: UTF8.self)
        let newer = Data(text.replacing(#""schema" : 1"#, with: #""schema" : 2"#).utf8)
        storage.save(newer)
        #expect(try client.account()?.username == Fjordshop.mira)
        #expect(try await client.accessToken().value == "AT1.secret")
        server.add(.ok(Issuer.shared.tokens()))
        let refused = AuthError.Reason.storage(.newerSchema(2))
        #expect(await authFailure { try await client.accessToken(forceRefresh: true) }?.reason == refused)
        let account = try #require(try client.account())
        #expect(await authFailure { try await account.signOut() }?.reason == refused)
        #expect(storage.load() == newer)
        #expect(server.calls.count == 3)
    }
}
