// SPDX-License-Identifier: Apache-2.0

import Console
import Testing

@testable import CLI

struct CurlDestinationTests {
    static let rows: [(url: String, destination: CurlDestination)] = [
        ("https://api.example.com/x", .secure), ("HTTPS://api.example.com", .secure), ("api.example.com/x", .secure),
        ("localhost:8080/x", .secure), ("http://127.0.0.1/x", .loopback), ("HTTP://LocalHost:8080", .loopback),
        ("http://[::1]:3000/a?b", .loopback), ("http://127.8.9.255?x", .loopback), ("http://example.com", .plain),
        // What curl could read as another host.
        ("http://127.0.0.1@example.com/", .plain), ("http://localhost:80@example.com/", .plain),
        ("http://127.0.0.1\\@example.com", .plain), ("http://127.0.0.{1,2}/", .plain), ("http:/127.0.0.1/", .plain),
        ("http:///127.0.0.1/", .plain), ("http://localhost.example.com/", .plain),
        ("http://127.0.0.1.example.com", .plain),
        ("http://127.1/", .plain), ("http://127.0.0.01/", .plain), ("http://[::1].example.com/", .plain),
        ("http://localhost:x/", .plain), ("http://128.0.0.1/", .plain), ("http:example.com", .plain),
        ("http://[::1%25eth0]/", .plain), ("http://", .plain), ("ftp://example.com/", .other("ftp")),
        ("file:///etc/passwd", .other("file")), ("", .secure),
    ]

    @Test(arguments: rows) func whereAURLLeads(row: (url: String, destination: CurlDestination)) {
        #expect(CurlDestination(row.url) == row.destination)
    }

    static let refused: [(words: [String], message: String)] = [
        (["http://example.com/"], "plain http would show the token"), (["ftp://example.com/"], "not for 'ftp'"),
        (["http://localhost/", "http://example.com/"], "plain http would show"),
        (["https://example.com/", "-L", "--location-trusted"], "'--location-trusted' would hand the token"),
        (["http://127.0.0.1/", "--proto-default", "http", "192.0.2.2/x"], "'--proto-default' could make plain http"),
        (["https://example.com/", "--location-t"], "'--location-t' would hand the token"),
    ]

    @Test(arguments: refused) func wordsThatWouldGiveTheTokenAway(row: (words: [String], message: String)) {
        let error = #expect(throws: UsageError.self) { try CurlWords(words: row.words).check(allowingHTTP: false) }
        #expect(error?.message.contains(row.message) == true)
    }

    @Test(arguments: [
        ["https://example.com/", "-d", "http://example.com/"], ["http://localhost/", "-L", "--location"],
        ["http://[::1]/", "http://127.0.0.1/"],
    ]) func wordsThatDoNot(words: [String]) throws {
        try CurlWords(words: words).check(allowingHTTP: false)
    }

    @Test func thePersonMayAllowHTTPAndNothingElse() throws {
        try CurlWords(words: ["http://example.com/"]).check(allowingHTTP: true)
        #expect(throws: UsageError.self) { try CurlWords(words: ["ftp://example.com/"]).check(allowingHTTP: true) }
    }

    @Test(arguments: [
        ["-d", "@-"], ["-d@-"], ["--data-binary", "@-"], ["-T", "-"], ["-T-"], ["-T", "."],
        ["-F", "f=@-;type=text/plain"],
        ["-F", "f=<-"], ["-K", "-"], ["-d", "@/dev/fd/63"], ["--json", "@/dev/stdin"], ["-H", "@-"],
    ]) func inputThatCannotBeReadTwice(options: [String]) {
        #expect(CurlWords(words: ["https://example.com/"] + options).readsOnce == options.last)
    }

    @Test(arguments: [["-o", "-"], ["-D", "-"], ["-d", "a-b"], ["-d", "@body.json"], ["-T", "./x"], ["-d", "-1"]])
    func inputThatCan(options: [String]) {
        #expect(CurlWords(words: ["https://example.com/"] + options).readsOnce == nil)
    }
}
