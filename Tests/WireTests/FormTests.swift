// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Wire

struct FormTests {
    @Test func bodyIsReadAndWritten() throws {
        let body = "attributes=%7B%22a%22%3A1%7D&username=mira%40lofoten.example&x=a+b%20c"
        let form = try Form(body: Array(body.utf8))
        #expect(form["username"] == "mira@lofoten.example")
        #expect(form["attributes"] == #"{"a":1}"#)
        #expect(form["x"] == "a b c")
        #expect(
            String(decoding: form.body, as: UTF8.self)
                == "attributes=%7B%22a%22%3A1%7D&username=mira%40lofoten.example&x=a+b+c")
    }
}
