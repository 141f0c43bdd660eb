// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import NativeAuth

/// Who asks and answers instead of a person.
enum PeerProtocol: String, CaseIterable {
    /// A question a line, an answer a line, each a JSON object.
    case jsonl
}

/// A question to another program, as a line of `--protocol jsonl`. Answers are named as the question is.
struct Question: Encodable {
    enum Kind: String, Encodable {
        case username, code, password
        case newPassword = "new_password"
        case attributes, method, contact
    }

    struct Attribute: Encodable {
        var name: String
        var type: String
        var required: Bool
        var pattern: String?
    }

    struct Method: Encodable {
        var id: String
        var channel: String
        var hint: String?
    }

    /// Why the question comes again.
    struct Problem: Encodable {
        var code: String
        var sub_code: String?
        var attributes: [String]?
        var message: String
    }

    var ask: Kind
    var code_length: Int?
    var sent_to: String?
    var channel: String?
    var resend_after: Int64?
    var attributes: [Attribute]?
    var methods: [Method]?
    var problem: Problem?

    init(_ kind: Kind) {
        ask = kind
    }

    init(_ delivery: CodeDelivery) {
        ask = .code
        code_length = delivery.codeLength
        sent_to = delivery.sentTo
        channel = delivery.channel
        resend_after = delivery.resendInterval?.components.seconds
    }

    init(_ page: [RequestedAttribute]) {
        ask = .attributes
        attributes = page.map {
            Attribute(name: $0.name, type: $0.type, required: $0.isRequired, pattern: $0.pattern)
        }
    }

    init(_ kind: Kind, _ methods: [AuthenticationMethod]) {
        ask = kind
        self.methods = methods.map { Method(id: $0.id, channel: $0.channel, hint: $0.hint) }
    }
}

extension Question.Problem {
    init(_ error: AuthError) {
        var names: [String]?
        if case .invalidAttributes(let invalid) = error.reason { names = invalid }
        self.init(
            code: error.error ?? "invalid", sub_code: error.suberror, attributes: names, message: error.sentence)
    }

    /// For an answer that is none.
    static func badAnswer(_ wanted: String) -> Question.Problem {
        Question.Problem(code: "bad_answer", message: "That was no answer: send \(wanted) in one line.")
    }
}
