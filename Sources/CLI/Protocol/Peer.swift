// SPDX-License-Identifier: Apache-2.0

import Console
import Glibc
import NativeAuth
import Wire

/// The program on the other side of `--protocol jsonl`: reads questions from standard output, writes answers to standard
/// input. Answers may hold secrets, so they are never shown, nor repeated in a message.
struct Peer {
    private let context: Context
    private var input = LineReader()

    init(_ context: Context) throws(CommandFailure) {
        guard isatty(STDIN_FILENO) == 0 else {
            throw CommandFailure(
                .usage, "--protocol is for programs, and standard input is a terminal.",
                hint: "Leave --protocol away to be asked.")
        }
        self.context = context
    }

    /// Asks until `read` makes something of the answer.
    ///
    /// - Parameters:
    ///   - problem: Why it is asked again.
    ///   - wanted: What an answer looks like.
    mutating func ask<Value>(
        _ question: Question, after problem: AuthError? = nil, wanted: String, _ read: ([String: JSONValue]) -> Value?
    ) throws -> Value {
        var question = question
        question.problem = problem.map { Question.Problem($0) }
        while true {
            try context.print(json: question)
            if let answer = JSONValue(json: try input.next())?.object, let value = read(answer) { return value }
            question.problem = .badAnswer(wanted)
        }
    }

    /// Asks for one text.
    mutating func text(_ kind: Question.Kind, after problem: AuthError? = nil) throws -> String {
        try ask(Question(kind), after: problem, wanted: #"{"\#(kind.rawValue)": "…"}"#) { answer in
            answer[kind.rawValue]?.string.flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    /// Asks where codes by this method are to go.
    mutating func contact(_ method: AuthenticationMethod) throws -> String {
        try ask(Question(.contact, [method]), wanted: #"{"contact": "…"}"#) { answer in
            answer["contact"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    /// Asks for a code; nil where another one is to be sent.
    mutating func code(_ delivery: CodeDelivery, after problem: AuthError?) throws -> String? {
        let wanted = #"{"code": "…"} with \#(delivery.codeLength) digits, or {"resend": true},"#
        return try ask(Question(delivery), after: problem, wanted: wanted) { answer -> String?? in
            if answer["resend"] == .bool(true) { return .some(nil) }
            guard let text = answer["code"]?.string,
                case .code(let code) = OneTimeCode.find(in: text, length: delivery.codeLength)
            else { return nil }
            return code
        }
    }

    /// Asks for values of a page of attributes.
    mutating func attributes(
        _ page: [RequestedAttribute], after problem: AuthError?
    ) throws -> [String: AttributeValue] {
        try ask(Question(page), after: problem, wanted: #"{"attributes": {"NAME": VALUE}}"#) { answer in
            answer["attributes"]?.object?.mapValues(AttributeValue.init)
        }
    }

    /// Asks for one of the methods; the only one is not asked for.
    mutating func method(
        _ methods: [AuthenticationMethod], after problem: AuthError?
    ) throws -> AuthenticationMethod {
        if methods.count == 1, problem == nil { return methods[0] }
        return try ask(Question(.method, methods), after: problem, wanted: #"{"method": "ID"}"#) { answer in
            methods.first { $0.id == answer["method"]?.string }
        }
    }
}

/// Lines of standard input.
private struct LineReader {
    /// An answer is an address, a password, a page of attributes; more is a mistake.
    private static let longest = 256 * 1024
    private var buffer: [UInt8] = []

    /// The next line, without its end.
    mutating func next() throws(CommandFailure) -> [UInt8] {
        var searched = 0
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer.removeFirst(end + 1) }
                return Array(buffer[..<end])
            }
            searched = buffer.count
            guard buffer.count <= Self.longest else {
                throw CommandFailure(.invalidData, "An answer is longer than \(Self.longest) bytes.")
            }
            try fill()
        }
    }

    private mutating func fill() throws(CommandFailure) {
        let piece: [UInt8]
        do throws(InputError) { piece = try Input.standardInput.next() } catch {
            throw CommandFailure(.missingInput, "Standard input cannot be read: \(error.message).")
        }
        if piece.isEmpty { throw CommandFailure(.missingInput, "The answers ended before the questions did.") }
        buffer += piece
    }
}
