// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import NativeAuth
import Testing

@testable import CLI

/// What the log of requests tells, and what it never does.
struct RequestLineTests {
    private static let id = "7f9c24e8-3b12-4fef-91e0-5d1a6b1d9d3f"

    private func line(
        _ body: String, _ answer: String, status: Int = 200, headers: [String: String] = [:]
    ) -> String {
        let request = HTTPRequest(
            method: "POST", url: "http://127.0.0.1:8400/t/oauth2/v2.0/token?x=1",
            headers: ["client-request-id": Self.id], body: Data(body.utf8))
        let response = HTTPResponse(status: status, headers: headers, body: Data(answer.utf8))
        return RequestLine(request, response, after: .milliseconds(12)).text
    }

    @Test func namesAndWordsOfTheProtocolAreTold() {
        let text = line(
            "client_id=c&challenge_type=oob+password&grant_type=oob&oob=12345678&username=ada%40example.com",
            #"{"error": "invalid_grant", "suberror": "invalid_oob_value", "error_codes": [50181], "trace_id": "T"}"#,
            status: 400)
        #expect(
            text == "POST /t/oauth2/v2.0/token 400 12 ms id=\(Self.id) "
                + "sent challenge_type=oob+password client_id grant_type=oob oob username "
                + "received error=invalid_grant error_codes=50181 suberror=invalid_oob_value trace_id")
    }

    /// A server may put anything anywhere.
    @Test(arguments: [
        (#"{"error": "12345678"}"#, "error"), (#"{"error": "got_12345678"}"#, "error"),
        (#"{"code_length": 12345678}"#, "code_length"), (#"{"error": "Ada@example.com"}"#, "error"),
        (#"{"error": "a\nb"}"#, "error"), (#"{"error": "eyJhbGciOi"}"#, "error"), (#"{"error": {"x": 1}}"#, "error"),
        (#"{"error_codes": ["s3cret"]}"#, "error_codes"), (#"{"s3cret!": 1}"#, "?"), ("s3cret", "6 bytes"),
        (#"{"error": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}"#, "error"), (#"["s3cret"]"#, "10 bytes"),
    ])
    func oddAnswersTellNothing(_ answer: String, _ told: String) {
        #expect(line("oob=12345678", answer).hasSuffix(" sent oob received " + told))
    }

    @Test func theServersIdIsTold() {
        let other = "00000000-0000-4000-8000-000000000001"
        #expect(line("", "{}", headers: ["client-request-id": other]).contains(" id=\(other) "))
        #expect(line("", "{}", headers: ["client-request-id": "secret"]).contains(" id=- "))
    }

    @Test func aRequestWithoutAnAnswerIsTold() {
        let request = HTTPRequest(method: "GET", url: "https://ada:pw@h/t/.well-known/x")
        let line = RequestLine(
            request, TransportFailure(.unknownHost, message: "s3cret"), after: .microseconds(1900))
        #expect(line.text == "GET /t/.well-known/x unknownHost 1 ms id=-")
    }
}
