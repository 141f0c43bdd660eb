// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import Testing
import Wire

@testable import CLI

struct TokenFormTests {
    private static let odd = GivenToken(#"a"b\c'd"#, source: .env)

    @Test func quotesAreEscapedAsEachReaderWantsIt() {
        #expect(Self.odd.headerLine == #"Authorization: Bearer a"b\c'd"#)
        #expect(Self.odd.curlLine == #"header = "Authorization: Bearer a\"b\\c'd""#)
        #expect(Self.odd.shellLine == #"NATIVEAUTH_ACCESS_TOKEN='a"b\c'\''d'"#)
    }

    @Test(arguments: ["", "a b", "a\r\nX: y", "a\n", "a\0b", "a\u{7F}", "aé", "\t"])
    func noTokens(text: String) {
        #expect(!GivenToken.isToken(text))
    }

    @Test func kubectlsVersions() throws {
        let group = "client.authentication.k8s.io"
        for version in ["v1", "v1beta1"] {
            let question =
                #"{"kind":"ExecCredential","apiVersion":"\#(group)/\#(version)","spec":{"interactive":false}}"#
            let answer = try ExecCredential(Self.odd, environment: ["KUBERNETES_EXEC_INFO": question])
            #expect(answer.apiVersion == "\(group)/\(version)" && answer.status.token == Self.odd.value)
        }
        #expect(try ExecCredential(Self.odd, environment: [:]).apiVersion == "\(group)/v1")
    }

    @Test(arguments: [
        ("nonsense", Console.ExitStatus.invalidData), ("{}", .invalidData),
        (#"{"apiVersion":"client.authentication.k8s.io/v1alpha1"}"#, .configuration),
    ]) func questionsThatCannotBeAnswered(question: String, status: Console.ExitStatus) {
        let failure = #expect(throws: CommandFailure.self) {
            try ExecCredential(Self.odd, environment: ["KUBERNETES_EXEC_INFO": question])
        }
        #expect(failure?.status == status)
    }

    @Test func fields() throws {
        let json = #"{"a": {"b": {"c": 1}, "x.y": "dotted"}, "a.b": "first", "t": "text", "https://e.org/r": ["x"]}"#
        let object = try #require(JSONValue(json: Data(json.utf8))?.object)
        let texts = ["a.b": "first", "a.x.y": "dotted", "t": "text", "https://e.org/r": #"["x"]"#]
        for (name, text) in texts { #expect(try Field.find(name, in: object).map(Field.text) == text, "\(name)") }
        for name in ["b", "t.x", "a.c", "", ".", "a."] { #expect(Field.find(name, in: object) == nil, "\(name)") }
    }

    @Test func whatCurlIsTold() {
        let remote = CurlConfiguration(token: GivenToken("abc", source: .env), destination: .secure)
        #expect(
            remote.text == """
                header = "Authorization: Bearer abc"
                proto-default = "https"
                no-location-trusted
                proto = "=https"
                proto-redir = "=https"

                """)
        let local = CurlConfiguration(
            token: GivenToken("abc", source: .env), destination: .loopback, heads: "/dev/fd/9")
        #expect(local.text.contains("noproxy = \"*\"\n") && local.text.contains("dump-header = \"/dev/fd/9\"\n"))
    }

    @Test func flagsOfOthersAreNotOurs() {
        #expect(CurlCommand.ownArguments(["--scope", "a", "https://x/", "--json", "{}"]) == ["--scope"])
        #expect(ExecCommand.ownArguments(["--", "x", "--json"]) == [])
        #expect(TokenCommand.ownArguments(["--format", "json"]) == ["--format", "json"])
    }
}
