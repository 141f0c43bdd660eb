// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Wire

/// Reads a body as the call, and writes the call as a form with the same fields.
func expectBody<C: Call>(
    _ body: String, _ call: C, path: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let form = try Form(body: Array(body.utf8))
    // The calls compare by all their properties.
    #expect(
        String(reflecting: try form.call(C.self)) == String(reflecting: call), sourceLocation: sourceLocation)
    #expect(try Form(call) == form, sourceLocation: sourceLocation)
    #expect(C.path == path, sourceLocation: sourceLocation)
}
