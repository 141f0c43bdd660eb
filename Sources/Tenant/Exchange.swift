// SPDX-License-Identifier: Apache-2.0

/// A request as it came through a door: HTTP, or a call inside the process.
package struct Request: Sendable {
    package var method: String
    /// The path without a query, percent-decoded nowhere.
    package var path: String
    /// What stands behind the path's `?`, as it came; nil where there is none.
    package var query: String?
    /// Names in lower case.
    package var headers: [String: String]
    package var body: [UInt8]
    /// The client's network address; nil for a call inside the process.
    package var address: String?

    package init(
        method: String, path: String, query: String? = nil, headers: [String: String] = [:], body: [UInt8] = [],
        address: String? = nil
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.address = address
    }
}

/// What goes back. The body is complete; the door adds its length and nothing else.
package struct Answer: Sendable, Equatable {
    package var status: Int
    package var headers: [String: String]
    package var body: [UInt8]

    package init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
