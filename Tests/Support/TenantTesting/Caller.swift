// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
package import Tenant
package import Wire

/// Sends requests that were written by hand, and reads answers without the product's own types: in process or by HTTP.
package struct Caller: Sendable {
    private let send: @Sendable (Request) throws -> Answer

    package init(send: @escaping @Sendable (Request) throws -> Answer) {
        self.send = send
    }

    /// The same, from another network address.
    package func from(_ address: String) -> Caller {
        Caller { [send] request in
            var request = request
            request.address = address
            return try send(request)
        }
    }

    /// The same, which sends a request again, to the last byte, while nobody answers or the tenant is not well.
    package var patient: Caller {
        Caller { [send] request in
            let end = ContinuousClock.now + .seconds(60)
            while true {
                do {
                    let answer = try send(request)
                    if ![502, 503, 504].contains(answer.status) || ContinuousClock.now > end { return answer }
                } catch {
                    guard ContinuousClock.now < end else { throw error }
                }
                usleep(20_000)
            }
        }
    }

    /// Sends a form to an endpoint of the tenant `local`.
    package func post(_ path: String, _ body: String, _ headers: [String: String] = [:]) throws -> RawAnswer {
        let form = ["content-type": "application/x-www-form-urlencoded"]
        return try answer("POST", path, form.merging(headers) { $1 }, body)
    }

    package func get(_ path: String, _ headers: [String: String] = [:]) throws -> RawAnswer {
        try answer("GET", path, headers, "")
    }

    package func answer(
        _ method: String, _ path: String, _ headers: [String: String], _ body: String
    ) throws -> RawAnswer {
        // In process there is no socket to tell where a request comes from; this machine is the likeliest.
        let halves = path.split(separator: "?", maxSplits: 1)
        return RawAnswer(
            try send(
                Request(
                    method: method, path: "/local" + (halves.first ?? ""),
                    query: halves.count == 2 ? String(halves[1]) : nil, headers: headers, body: Array(body.utf8),
                    address: "127.0.0.1")))
    }
}

/// An answer as it went over the wire.
package struct RawAnswer: Sendable, Equatable {
    package let status: Int
    /// Names in lower case.
    package let headers: [String: String]
    /// Null for a body that is no JSON.
    package let json: JSONValue
    package let body: [UInt8]

    package init(_ answer: Answer) {
        status = answer.status
        headers = Dictionary(uniqueKeysWithValues: answer.headers.map { ($0.key.lowercased(), $0.value) })
        json = (try? JSONDecoder().decode(JSONValue.self, from: Data(answer.body))) ?? .null
        body = answer.body
    }

    package subscript(name: String) -> JSONValue? { json[name] }

    package var error: String? { json["error"]?.string }
    package var suberror: String? { json["suberror"]?.string }

    /// The first of the error's numbers.
    package var code: Int64? {
        if case .array(let codes)? = json["error_codes"] { codes.first?.integer } else { nil }
    }

    /// The members of `required_attributes` and its like, by name.
    package func names(in member: String) -> [String] {
        if case .array(let elements)? = json[member] { elements.compactMap { $0["name"]?.string } } else { [] }
    }

    /// The continuation token; an empty text, which no endpoint takes, where there is none.
    package var token: String { json["continuation_token"]?.string ?? "" }
    package var accessToken: String { json["access_token"]?.string ?? "" }
    package var refreshToken: String { json["refresh_token"]?.string ?? "" }
}
