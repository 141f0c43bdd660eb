// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import TenantTesting
import Testing
import Wire

@testable import NativeAuth

/// The cache file that the MSAL family shares.
struct TokenCacheTests {
    private static let account = "\(Fjordshop.objectID).\(Fjordshop.tenantID)"
    private static let owner = CacheOwner(
        environment: "fjordshop.ciamlogin.com", clientID: Fjordshop.clientID)

    /// As another program of the family writes it, with parts that nobody here knows.
    private static let golden = """
        {
          "AccessToken": {
            "any key": { "credential_type": "AccessToken", "secret": "AT-A", "home_account_id": "\(account)",
              "environment": "fjordshop.ciamlogin.com", "client_id": "\(Fjordshop.clientID)", "realm": "\(Fjordshop.tenantID)",
              "target": "api://a/Read api://a/Write openid profile", "token_type": "Bearer", "cached_at": "1773480000",
              "expires_on": "1773484000", "extended_expires_on": "1773484000", "key_id": "unknown" },
            "of another client": { "credential_type": "AccessToken", "secret": "AT-X", "home_account_id": "\(account)",
              "environment": "fjordshop.ciamlogin.com", "client_id": "another", "realm": "\(Fjordshop.tenantID)",
              "target": "api://a/Read", "cached_at": "1773480500", "expires_on": "1773489000" }
          },
          "IdToken": {
            "x": { "credential_type": "IdToken", "secret": "ID-TOKEN", "home_account_id": "\(account)",
              "environment": "FjordShop.ciamlogin.com", "client_id": "\(Fjordshop.clientID)", "realm": "\(Fjordshop.tenantID)" },
            "y": { "credential_type": "IdToken", "secret": "ID-X", "home_account_id": "\(account)",
              "environment": "fjordshop.ciamlogin.com", "client_id": "another", "realm": "\(Fjordshop.tenantID)" },
            "z": "not an entry"
          },
          "RefreshToken": {
            "x": { "credential_type": "RefreshToken", "secret": "RT-A", "home_account_id": "\(account)",
              "environment": "fjordshop.ciamlogin.com", "client_id": "\(Fjordshop.clientID)", "target": "",
              "last_modification_time": "1773480000", "family_id": "1" }
          },
          "Account": {
            "x": { "home_account_id": "\(account)", "environment": "fjordshop.ciamlogin.com", "realm": "\(Fjordshop.tenantID)",
              "local_account_id": "\(Fjordshop.objectID)", "username": "mira@lofoten.example", "authority_type": "MSSTS" }
          },
          "AppMetadata": { "appmetadata-fjordshop.ciamlogin.com-another": { "client_id": "another", "family_id": "1" } },
          "FutureSection": { "a": [1, 2.5, null, { "b": true }] },
          "nativeauth": { "schema": 1, "generation": 7, "later": "kept" }
        }
        """

    private static func read(_ json: String) throws -> TokenCache { try TokenCache(Data(json.utf8)) }

    private static func written(_ cache: TokenCache) throws -> [String: JSONValue] {
        try #require(JSONValue(json: cache.data)?.object)
    }

    private static func issued(
        access: String = "AT1.secret", refresh: String? = "RT1.secret",
        scopes: [String] = ["openid", "profile", "api://b/Read"]
    ) -> IssuedTokens {
        IssuedTokens(
            homeAccountID: account, realm: Fjordshop.tenantID, localAccountID: Fjordshop.objectID,
            username: Fjordshop.mira, name: "Mira L", idToken: "ID1", accessToken: access, scopes: scopes,
            expiresOn: Date(timeIntervalSince1970: 1_773_485_123.9),
            extendedExpiresOn: Date(timeIntervalSince1970: 1_773_485_123.9), refreshOn: nil, refreshToken: refresh)
    }

    private static let now = Date(timeIntervalSince1970: 1_773_480_600)

    // MARK: - Reading

    @Test func goldenFileIsRead() throws {
        let cache = try Self.read(Self.golden)
        let account = try #require(cache.account(of: Self.owner))
        #expect(account.idToken == "ID-TOKEN")
        #expect(account.username == Fjordshop.mira)
        #expect(account.homeAccountID == Self.account)
        #expect(account.realm == Fjordshop.tenantID)
        #expect(account.signedInAt == nil)
        #expect(cache.refreshToken(of: Self.owner, account: Self.account) == "RT-A")
        let token = try #require(cache.accessToken(of: Self.owner, account: Self.account, scopes: ["API://A/read"]))
        #expect(token.secret == "AT-A")
        #expect(token.expiresOn == Date(timeIntervalSince1970: 1_773_484_000))
        #expect(token.cachedAt == Date(timeIntervalSince1970: 1_773_480_000))
    }

    @Test func numbersInsteadOfTextsAreRead() throws {
        let json = Self.golden.replacing(#""1773484000""#, with: "1773484000").replacing(
            #""1773480000""#, with: "1773480000.0")
        let token = try Self.read(json).accessToken(of: Self.owner, account: Self.account, scopes: [])
        #expect(token?.expiresOn == Date(timeIntervalSince1970: 1_773_484_000))
        #expect(token?.cachedAt == Date(timeIntervalSince1970: 1_773_480_000))
    }

    @Test(arguments: [
        ([], "AT-A"), (["openid"], "AT-A"), (["api://a/read"], "AT-A"), (["api://a/Write", "api://a/Read"], "AT-A"),
        (["api://a/Read", "offline_access", "email"], "AT-A"), (["api://a/Delete"], nil),
        (["api://a/Read", "api://b/Read"], nil),
        (["Read"], nil), (["api://a"], nil),
    ])
    func scopesHaveToBeCovered(_ scopes: [String], _ secret: String?) throws {
        #expect(
            try Self.read(Self.golden).accessToken(of: Self.owner, account: Self.account, scopes: scopes)?.secret
                == secret)
    }

    @Test func othersEntriesAreNotOurs() throws {
        let cache = try Self.read(Self.golden)
        for owner in [
            CacheOwner(environment: "fjordshop.ciamlogin.com", clientID: "nobody"),
            CacheOwner(environment: "other.ciamlogin.com", clientID: Fjordshop.clientID),
        ] {
            #expect(cache.account(of: owner) == nil)
            #expect(cache.refreshToken(of: owner, account: Self.account) == nil)
            #expect(cache.accessToken(of: owner, account: Self.account, scopes: []) == nil)
        }
        #expect(cache.accessToken(of: Self.owner, account: "other.\(Fjordshop.tenantID)", scopes: []) == nil)
    }

    // MARK: - Writing

    @Test func entriesAreWrittenAsTheSchemaSays() throws {
        var cache = TokenCache()
        cache.keep(Self.issued(), for: Self.owner, at: Self.now)
        let root = try Self.written(cache)
        let stem = "\(Self.account)-fjordshop.ciamlogin.com"
        let tail = "\(Fjordshop.clientID)-\(Fjordshop.tenantID)"
        let common: [String: JSONValue] = [
            "home_account_id": .string(Self.account), "environment": "fjordshop.ciamlogin.com",
            "client_id": .string(Fjordshop.clientID), "realm": .string(Fjordshop.tenantID),
        ]
        #expect(
            root["AccessToken"]
                == .object([
                    "\(stem)-accesstoken-\(tail)-api://b/read openid profile": .object(
                        common.merging([
                            "credential_type": "AccessToken", "secret": "AT1.secret",
                            "target": "api://b/Read openid profile",
                            "token_type": "Bearer", "cached_at": "1773480600", "expires_on": "1773485123",
                            "extended_expires_on": "1773485123",
                        ]) { $1 })
                ]))
        #expect(
            root["IdToken"]
                == .object([
                    "\(stem)-idtoken-\(tail)-": .object(
                        common.merging(["credential_type": "IdToken", "secret": "ID1"]) { $1 })
                ]))
        var refresh = common.merging([
            "credential_type": "RefreshToken", "secret": "RT1.secret", "last_modification_time": "1773480600",
            "target": "api://b/Read openid profile",
        ]) { $1 }
        refresh["realm"] = nil
        let key = "\(stem)-refreshtoken-\(Fjordshop.clientID)--api://b/read openid profile"
        #expect(root["RefreshToken"] == .object([key: .object(refresh)]))
        #expect(
            root["Account"]
                == .object([
                    "\(stem)-\(Fjordshop.tenantID)": .object([
                        "home_account_id": .string(Self.account), "environment": "fjordshop.ciamlogin.com",
                        "realm": .string(Fjordshop.tenantID), "local_account_id": .string(Fjordshop.objectID),
                        "username": "mira@lofoten.example", "authority_type": "MSSTS", "name": "Mira L",
                    ])
                ]))
        #expect(root["AppMetadata"]?["appmetadata-fjordshop.ciamlogin.com-\(Fjordshop.clientID)"] != nil)
        #expect(try TokenCache(cache.data) == cache)
        #expect(cache.data.last == UInt8(ascii: "\n"))
    }

    @Test func ownPartHoldsNoSecret() throws {
        var cache = TokenCache()
        cache.keep(Self.issued(), for: Self.owner, at: Self.now)
        cache.noteSignIn(Self.account, of: Self.owner, scopes: ["api://b/Read"], at: Self.now)
        let own = try #require(try Self.written(cache)["nativeauth"])
        #expect(own["schema"] == .integer(1))
        let text = "\(own)"
        for secret in ["AT1.secret", "RT1.secret", "ID1"] { #expect(!text.contains(secret)) }
        #expect(cache.account(of: Self.owner)?.scopes == ["api://b/Read"])
        #expect(cache.account(of: Self.owner)?.signedInAt == Self.now)
    }

    @Test func unknownPartsSurvive() throws {
        var cache = try Self.read(Self.golden)
        cache.keep(Self.issued(scopes: ["api://b/Read"]), for: Self.owner, at: Self.now)
        cache.noteSignIn(Self.account, of: Self.owner, scopes: [], at: Self.now)
        let before = try #require(JSONValue(json: Array(Self.golden.utf8))?.object)
        let after = try Self.written(cache)
        #expect(after["FutureSection"] == before["FutureSection"])
        #expect(after["AccessToken"]?["any key"] == before["AccessToken"]?["any key"])
        #expect(after["AccessToken"]?["of another client"] == before["AccessToken"]?["of another client"])
        #expect(after["IdToken"]?["z"] == before["IdToken"]?["z"])
        #expect(after["nativeauth"]?["later"] == "kept")
        #expect(after["nativeauth"]?["generation"] == .integer(8))
        let metadata = "appmetadata-fjordshop.ciamlogin.com-another"
        #expect(after["AppMetadata"]?[metadata] == before["AppMetadata"]?[metadata])
    }

    @Test func unknownFieldsOfOurEntriesSurvive() throws {
        var cache = TokenCache()
        cache.keep(Self.issued(), for: Self.owner, at: Self.now)
        let text = String(decoding: cache.data, as: UTF8.self)
            .replacing(
                #""credential_type" : "RefreshToken","#,
                with: #""credential_type" : "RefreshToken", "family_id" : "1","#)
        var again = try Self.read(text)
        again.keep(Self.issued(refresh: "RT2"), for: Self.owner, at: Self.now)
        #expect(again.refreshToken(of: Self.owner, account: Self.account) == "RT2")
        #expect("\(try Self.written(again)["RefreshToken"] ?? .null)".contains("family_id"))
    }

    @Test func overlappingScopesMakeWay() throws {
        var cache = TokenCache()
        func keep(_ access: String, _ scopes: String...) {
            cache.keep(Self.issued(access: access, scopes: scopes), for: Self.owner, at: Self.now)
        }
        func secrets() -> [String] { cache.entries(.accessToken).compactMap { $0["secret"]?.string }.sorted() }
        keep("1", "api://a/Read")
        keep("2", "api://b/Read", "openid")
        #expect(secrets() == ["1", "2"])
        keep("3", "openid", "profile")
        #expect(secrets() == ["1", "2", "3"])
        keep("4", "API://A/READ", "api://a/Write")
        #expect(secrets() == ["2", "3", "4"])
        keep("5", "openid")
        #expect(secrets() == ["2", "4", "5"])
        #expect(cache.accessToken(of: Self.owner, account: Self.account, scopes: ["api://a/Read"])?.secret == "4")
        #expect(cache.accessToken(of: Self.owner, account: Self.account, scopes: ["api://b/Read"])?.secret == "2")
        #expect(cache.accessToken(of: Self.owner, account: Self.account, scopes: [])?.secret == "5")
    }

    @Test func refreshWithoutANewTokenKeepsTheOldOne() throws {
        var cache = TokenCache()
        cache.keep(Self.issued(), for: Self.owner, at: Self.now)
        cache.keep(Self.issued(access: "AT2", refresh: nil), for: Self.owner, at: Self.now)
        #expect(cache.refreshToken(of: Self.owner, account: Self.account) == "RT1.secret")
    }

    // MARK: - Signing out

    @Test func othersSurviveASignOut() throws {
        var cache = try Self.read(Self.golden)
        cache.removeEverything(of: Self.owner)
        let before = try #require(JSONValue(json: Array(Self.golden.utf8))?.object)
        let after = try Self.written(cache)
        #expect(after["AccessToken"]?.object?.keys.sorted() == ["of another client"])
        #expect(after["IdToken"]?.object?.keys.sorted() == ["y", "z"])
        #expect(after["RefreshToken"] == .object([:]))
        // Another client's token belongs to this account still.
        #expect(after["Account"] == before["Account"])
        #expect(after["FutureSection"] == before["FutureSection"])
    }

    @Test func lastSignOutForgetsTheAccount() throws {
        var cache = TokenCache()
        cache.keep(Self.issued(), for: Self.owner, at: Self.now)
        cache.noteSignIn(Self.account, of: Self.owner, scopes: ["api://b/Read"], at: Self.now)
        cache.removeEverything(of: Self.owner)
        let text = String(decoding: cache.data, as: UTF8.self)
        for word in ["AT1.secret", "RT1.secret", "ID1", Fjordshop.mira, Self.account] { #expect(!text.contains(word)) }
    }

    @Test func generationMayBeAtItsEnd() throws {
        var cache = try Self.read(#"{"nativeauth":{"generation":9223372036854775807}}"#)
        cache.noteSignIn(Self.account, of: Self.owner, scopes: [], at: Self.now)
        #expect(cache.own["schema"] == .integer(1))
    }
}

extension CacheOwner {
    fileprivate init(environment: String, clientID: String) {
        let authority = (try? Authority("https://\(environment)/t")).map {
            Configuration(authority: $0, clientID: clientID)
        }
        guard let authority else { preconditionFailure("no host: \(environment)") }
        self.init(authority)
    }
}
