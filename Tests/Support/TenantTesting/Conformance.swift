// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
package import Tenant
import Wire

/// The protocol's conformance vectors: each a few requests, the last of which has to be answered in one way.
///
/// The vectors know nothing of how requests travel, so the same ones run in process and over HTTP.
package enum Conformance {
    package static let vectors =
        signUp + signUpContinue + signIn + token + standing + secondFactor + reset + registration + transport
}

/// One vector, by its number in the protocol's table.
package struct ConformanceVector: Sendable, CustomStringConvertible {
    package let number: String
    package let title: String
    /// Makes the tenant's settings what the vector needs.
    package let settings: @Sendable (inout Settings) -> Void
    let expected: Expected
    let requests: @Sendable (Scene) throws -> RawAnswer
    /// What else has to be true of the answer; a problem is the fact that is not.
    private var facts: [(text: String, holds: @Sendable (Scene, RawAnswer) throws -> Bool)] = []

    init(
        _ number: String, _ title: String, _ expected: Expected,
        settings: @escaping @Sendable (inout Settings) -> Void = { _ in },
        _ requests: @escaping @Sendable (Scene) throws -> RawAnswer
    ) {
        self.number = number
        self.title = title
        self.expected = expected
        self.settings = settings
        self.requests = requests
    }

    /// The same vector with one more fact that has to hold.
    func and(
        _ text: String, _ holds: @escaping @Sendable (Scene, RawAnswer) throws -> Bool
    ) -> ConformanceVector {
        var other = self
        other.facts.append((text, holds))
        return other
    }

    package var description: String { "#\(number) \(title)" }

    /// Runs the requests, and says in what way the last answer is not as it has to be.
    package func problems(in scene: Scene) throws -> [String] {
        let answer = try requests(scene)
        return try expected.problems(in: answer)
            + facts.filter { try !$0.holds(scene, answer) }.map { "not: \($0.text)" }
    }
}

/// What an answer has to be.
struct Expected: Sendable {
    var status = 200
    var error: String?
    var suberror: String?
    /// The first of `error_codes`.
    var code: Int64?
    /// A fragment of `error_description` that clients look for.
    var text: String?
    /// Members with these values.
    var members: [String: JSONValue] = [:]
    /// Members that are texts and not empty, and members that are not there.
    var present: [String] = []
    var absent: [String] = []
    /// Names in a list of objects, such as `required_attributes`.
    var names: [String: [String]] = [:]

    /// The flow goes on.
    static let continuation = Expected(present: ["continuation_token"], absent: ["error", "challenge_type"])

    /// A browser is needed, and there is nothing to go on with.
    static let redirect = Expected(members: ["challenge_type": .string("redirect")], absent: ["continuation_token"])

    static let password = Expected(members: ["challenge_type": .string("password")], present: ["continuation_token"])

    static let codeSent = codeSent("email", "m***a@lo*****.example")

    /// A code is on its way to a masked contact.
    static func codeSent(_ channel: String, _ label: String) -> Expected {
        Expected(
            members: [
                "challenge_type": .string("oob"), "binding_method": .string("prompt"),
                "challenge_channel": .string(channel), "code_length": .integer(8), "interval": .integer(300),
                "challenge_target_label": .string(label),
            ], present: ["continuation_token"], absent: ["challenge_target"])
    }

    static let tokens = Expected(
        members: ["token_type": .string("Bearer")],
        present: ["access_token", "refresh_token", "id_token", "client_info", "scope"],
        absent: ["continuation_token", "error"])

    /// An error that leaves the client with the token it had.
    static func refused(_ error: String, _ suberror: String? = nil, _ code: Int64?, text: String? = nil) -> Expected {
        Expected(status: 400, error: error, suberror: suberror, code: code, text: text, absent: ["continuation_token"])
    }

    /// An error that carries the flow on.
    static func goesOn(_ error: String, _ code: Int64?, _ names: [String: [String]] = [:]) -> Expected {
        Expected(status: 400, error: error, code: code, present: ["continuation_token"], names: names)
    }

    static func goesOn(_ error: String, _ suberror: String, _ code: Int64) -> Expected {
        Expected(status: 400, error: error, suberror: suberror, code: code, present: ["continuation_token"])
    }

    func without(_ names: String...) -> Expected {
        var other = self
        other.present.removeAll(where: names.contains)
        other.absent += names
        return other
    }
}

extension Expected {
    func problems(in answer: RawAnswer) -> [String] {
        var problems: [String] = []
        func check<T: Equatable>(_ what: String, _ found: T, _ expected: T) {
            if found != expected { problems.append("\(what) is \(found), not \(expected)") }
        }
        check("status", answer.status, status)
        check("error", answer.error, error)
        check("suberror", answer.suberror, suberror)
        if let code { check("code", answer.code, code) }
        if let text, answer["error_description"]?.string?.contains(text) != true {
            problems.append("the description lacks '\(text)'")
        }
        for (name, value) in members { check(name, answer[name], value) }
        for name in present where answer[name]?.string?.isEmpty != false { problems.append("\(name) is missing") }
        for name in absent where answer[name] != nil { problems.append("\(name) is there") }
        for (member, expected) in names { check(member, answer.names(in: member), expected) }
        return problems + envelopeProblems(in: answer)
    }

    /// What every answer has, and every error besides.
    private func envelopeProblems(in answer: RawAnswer) -> [String] {
        var problems: [String] = []
        func demand(_ fact: Bool, _ problem: String) {
            if !fact { problems.append(problem) }
        }
        demand(answer.headers["content-type"] == "application/json; charset=utf-8", "not sent as JSON")
        demand(UUID(uuidString: answer.headers["x-ms-request-id"] ?? "") != nil, "no request id")
        demand(UUID(uuidString: answer.headers["client-request-id"] ?? "") != nil, "no correlation id")
        if status == 200, members.isEmpty, present.isEmpty { return problems }
        demand(answer.headers["cache-control"] == "no-store", "may be cached")
        // Who asks too often gets no error, only a time to wait.
        guard status != 200, status != 429 else { return problems }
        demand(answer["error_description"]?.string?.isEmpty == false, "no error_description")
        demand(answer["trace_id"]?.string == answer.headers["x-ms-request-id"], "trace_id differs from its header")
        demand(
            answer["correlation_id"]?.string == answer.headers["client-request-id"],
            "correlation_id differs from its header")
        demand(answer["timestamp"]?.isStamp == true, "bad timestamp")
        demand(status != 400 || answer.headers["www-authenticate"] == nil, "a 400 with WWW-Authenticate")
        return problems
    }
}

extension JSONValue {
    /// `yyyy-MM-dd HH:mm:ssZ`.
    fileprivate var isStamp: Bool {
        let shape = "dddd-dd-dd dd:dd:ddZ"
        guard let text = string, text.count == shape.count else { return false }
        return zip(text, shape).allSatisfy { $1 == "d" ? $0.isASCII && $0.isNumber : $0 == $1 }
    }
}
