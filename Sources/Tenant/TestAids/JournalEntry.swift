// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials
import Wire

/// A request that a tenant in test mode has met, and what came of it.
package struct JournalEntry: Codable, Sendable, Equatable {
    /// From 1.
    package var number: Int
    package var time: Date
    package var method: String
    package var path: String
    /// The fields of the form. Values of secrets are left out.
    package var fields: [String: String]
    /// Nil where the answer was dropped.
    package var status: Int?
    /// The error of the answer, if it is one.
    package var error: String?
    package var suberror: String?
    package var correlationID: String?

    /// Fields whose values tell nothing that would have to be kept secret.
    private static let plain: Set<String> = [
        "client_id", "grant_type", "challenge_type", "capabilities", "scope", "username", "attributes", "client_info",
        "id", "challenge_channel", "challenge_target", "token_type_hint",
    ]

    init(_ number: Int, _ request: Request, _ answer: Answer?, at time: Date) {
        self.number = number
        self.time = time
        method = request.method
        path = request.path
        fields = [:]
        if let form = try? Form(body: request.body) {
            for (name, value) in form.fields { fields[name] = Self.plain.contains(name) ? value : "…" }
        }
        status = answer?.status
        correlationID = answer?.headers["client-request-id"]
        guard let answer, answer.status >= 400, let body = JSONValue(json: Data(answer.body)) else { return }
        error = body["error"]?.string
        suberror = body["suberror"]?.string
    }
}
