// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

@testable import NativeAuth

/// The forms of a tenant's address.
struct AuthorityTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let url: String
        let host: String
        let tenant: String
        var testDescription: String { text }

        init(_ text: String, _ url: String, _ host: String, _ tenant: String) {
            self.text = text
            self.url = url
            self.host = host
            self.tenant = tenant
        }
    }

    private static let id = "8d0f6c1e-52b7-4f0a-9a55-1b7e0c9d2f31"

    static let taken: [Row] = [
        Row(
            "https://fjordshop.ciamlogin.com/fjordshop.onmicrosoft.com",
            "https://fjordshop.ciamlogin.com/fjordshop.onmicrosoft.com", "fjordshop.ciamlogin.com",
            "fjordshop.onmicrosoft.com"),
        Row(
            "https://fjordshop.ciamlogin.com/\(id)", "https://fjordshop.ciamlogin.com/\(id)", "fjordshop.ciamlogin.com",
            id),
        Row(
            "https://fjordshop.ciamlogin.com", "https://fjordshop.ciamlogin.com/fjordshop.onmicrosoft.com",
            "fjordshop.ciamlogin.com", "fjordshop.onmicrosoft.com"),
        Row(
            "https://fjordshop.ciamlogin.com/", "https://fjordshop.ciamlogin.com/fjordshop.onmicrosoft.com",
            "fjordshop.ciamlogin.com", "fjordshop.onmicrosoft.com"),
        Row(
            "https://login.fjordshop.example/\(id)", "https://login.fjordshop.example/\(id)", "login.fjordshop.example",
            id),
        Row("https://a.example:8443/t", "https://a.example:8443/t", "a.example", "t"),
        Row("https://a.example//t///", "https://a.example/t", "a.example", "t"),
        Row("https://a.example/t/?dc=x#y", "https://a.example/t", "a.example", "t"),
        Row("HTTPS://A.Example/T", "https://a.example/T", "a.example", "T"),
        Row("http://127.0.0.1:8400/local", "http://127.0.0.1:8400/local", "127.0.0.1", "local"),
        Row("http://127.255.0.9/local", "http://127.255.0.9/local", "127.255.0.9", "local"),
        Row("http://localhost:1/local", "http://localhost:1/local", "localhost", "local"),
    ]

    @Test(arguments: taken)
    func addressIsTaken(_ row: Row) throws {
        let authority = try Authority(row.text)
        #expect(authority.description == row.url)
        #expect(authority.host == row.host)
        #expect(authority.tenant == row.tenant)
        #expect(authority.endpoint("/signup/v1.0/start") == row.url + "/signup/v1.0/start")
    }

    @Test func loopbackOfVersionSixIsTaken() throws {
        let authority = try Authority("http://[::1]:8400/local")
        #expect(authority.endpoint("/x") == "http://[::1]:8400/local/x")
    }

    @Test(
        "Rule 90: an authority in plain HTTP elsewhere than on this machine is refused",
        arguments: [
            "http://a.example/t", "http://fjordshop.ciamlogin.com", "http://128.0.0.1/t", "http://127.0.0.1.example/t",
            "http://localhost.example/t", "http://127.1/t", "http://127.0.0.256/t", "http://0127.0.0.1/t",
            "http://127.0.0.01/t", "http://+127.0.0.1/t", "http://0x7f.0.0.1/t", "http://2130706433/t",
            "http://[::2]/t",
            "http://[::ffff:1.2.3.4]/t", "ftp://a.example/t", "file:///t", "ws://127.0.0.1/t",
        ])
    func plainTextIsRefused(_ text: String) {
        #expect(throws: Authority.Invalid.self) { try Authority(text) }
    }

    @Test(arguments: [
        "", "fjordshop", "fjordshop.ciamlogin.com", "https://", "https:///t", "https:t", "//a.example/t", "/t",
        "https://user@a.example/t", "https://user:password@a.example/t", "https://a example/t", "https://:443/t",
    ])
    func otherTextIsRefused(_ text: String) {
        #expect(throws: Authority.Invalid.self) { try Authority(text) }
    }

    @Test(arguments: [
        "https://a.example", "https://a.example/", "https://a.example//", "http://127.0.0.1:8400",
        "https://ciamlogin.com/",
    ])
    func tenantHasToBeNamed(_ text: String) {
        #expect(throws: Authority.Invalid.noTenant(text)) { try Authority(text) }
    }

    @Test func subdomainIsEnough() throws {
        #expect(try Authority(subdomain: "fjordshop") == Authority("https://fjordshop.ciamlogin.com"))
    }

    @Test(arguments: ["", "a.b", "evil.example/", "evil.example/#", "a b", "-a", "a-", "å", "a@b", "a:1", "a%2F"])
    func subdomainIsOneLabel(_ text: String) {
        #expect(throws: Authority.Invalid.self) { try Authority(subdomain: text) }
    }

    @Test(arguments: [
        (ChallengeTypes(), "redirect"), (ChallengeTypes.code, "oob redirect"),
        (ChallengeTypes.password, "password redirect"),
        (ChallengeTypes([.password, .code]), "oob password redirect"),
    ])
    func challengeTypesHaveOneOrder(_ types: ChallengeTypes, _ words: String) {
        #expect(types.words.elements.map(\.rawValue).joined(separator: " ") == words)
    }
}
