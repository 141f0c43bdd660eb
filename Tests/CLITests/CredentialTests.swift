// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CLI

struct CredentialTests {
    static let same: [(listed: String, asked: (scheme: String, authority: String))] = [
        ("git.example.com", ("https", "git.example.com")), ("Git.Example.com", ("https", "GIT.example.COM:443")),
        ("https://git.example.com/", ("https", "git.example.com")),
        ("git.example.com:8443", ("https", "git.example.com:8443")),
        ("http://127.0.0.1:3000", ("http", "127.0.0.1:3000")), ("http://localhost", ("http", "localhost:80")),
        ("http://[::1]:80", ("http", "[::1]")),
    ]

    @Test(arguments: same) func hostsThatAreMeant(row: (listed: String, asked: (scheme: String, authority: String)))
        throws
    {
        let listed = try #require(CredentialHost(row.listed))
        #expect(listed == CredentialHost(scheme: row.asked.scheme, authority: row.asked.authority))
    }

    static let other: [(listed: String, asked: (scheme: String, authority: String))] = [
        ("git.example.com", ("https", "evil.git.example.com")),
        ("git.example.com", ("https", "git.example.com.evil.org")),
        ("git.example.com", ("https", "git.example.com:8443")), ("git.example.com", ("http", "git.example.com")),
        ("git.example.com", ("ssh", "git.example.com")), ("localhost", ("http", "localhost")),
        ("http://localhost", ("https", "localhost")), ("git.example.com", ("https", "git.example.com@evil.org")),
    ]

    @Test(arguments: other) func hostsThatAreNot(row: (listed: String, asked: (scheme: String, authority: String)))
        throws
    {
        let listed = try #require(CredentialHost(row.listed))
        #expect(listed != CredentialHost(scheme: row.asked.scheme, authority: row.asked.authority))
    }

    @Test(arguments: [
        "", "https://", "http://git.example.com", "ftp://git.example.com", "git.example.com/path", "a b", "a:99999",
        "a:",
        "user@git.example.com", "*.example.com", "git.example.com\n", "[::1",
    ]) func hostsThatCannotBeListed(text: String) {
        #expect(CredentialHost(text) == nil)
    }

    private static let token = GivenToken("abc", source: .env)
    private static let question = "protocol=https\nhost=git.example.com\n"

    @Test func anOldGitGetsAPassword() {
        let asked = GitCredential(Self.question + "\nprotocol=http\n")
        #expect(asked.host == CredentialHost("git.example.com"))
        #expect(asked.answer(Self.token) == "username=oauth2\npassword=abc\n")
    }

    static let bearer = "capability[]=authtype\nauthtype=Bearer\ncredential=abc\nephemeral=true\n"
    static let offers: [(lines: String, answer: String)] = [
        ("capability[]=authtype\n", bearer), ("capability[]=authtype\nwwwauth[]=Bearer realm=\"x\"\n", bearer),
        ("capability[]=authtype\nwwwauth[]=Negotiate\nwwwauth[]=bearer\n", bearer),
        ("capability[]=authtype\nwwwauth[]=Basic realm=\"x\"\n", "username=oauth2\npassword=abc\n"),
        ("capability[]=state\nwwwauth[]=Bearer\n", "username=oauth2\npassword=abc\n"),
    ]

    @Test(arguments: offers) func aNewGitGetsWhatTheServerTakes(row: (lines: String, answer: String)) {
        #expect(GitCredential(Self.question + row.lines).answer(Self.token) == row.answer)
    }

    @Test func nobodyElsesName() {
        #expect(GitCredential(Self.question + "username=eve\n").answer(Self.token) == nil)
        #expect(GitCredential(Self.question + "username=oauth2\n").answer(Self.token) != nil)
    }

    @Test(arguments: ["", "host=git.example.com\n", "protocol=ssh\nhost=x\n", "nonsense\n"])
    func questionsWithoutAHost(text: String) {
        #expect(GitCredential(text).host == nil)
    }

    @Test func dockersServers() throws {
        let listed = try ["registry.example.com", "http://127.0.0.1:5000"].map { try #require(CredentialHost($0)) }
        for server in ["registry.example.com", "https://registry.example.com/v2/", "127.0.0.1:5000"] {
            #expect(DockerCredential.host(server, among: listed) != nil, "\(server)")
        }
        for server in ["", "http://registry.example.com", "https://127.0.0.1:5000", "registry.example.com.evil.org"] {
            #expect(DockerCredential.host(server, among: listed) == nil, "\(server)")
        }
    }
}
