// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Tenant
import TenantTesting
import Testing
import Wire

/// A client's calls, one after another. Each is made of what was said before it, so it can be made again, to the last byte.
struct Script: Sendable, CustomTestStringConvertible {
    let name: String
    let app: String
    let calls: [ScriptedCall]

    var testDescription: String { name }
}

struct ScriptedCall: Sendable {
    let path: String
    /// The form, without the app and the continuation token.
    let form: @Sendable (Talk) throws -> String
    /// What the answer has to be; nil for success.
    var error: String?
    var suberror: String?
    /// Sent again until the answer says so: a client that looks whether something is done.
    var status: String?

    init(
        _ path: String, error: String? = nil, suberror: String? = nil, status: String? = nil,
        _ form: @escaping @Sendable (Talk) throws -> String = { _ in "" }
    ) {
        self.path = path
        self.form = form
        self.error = error
        self.suberror = suberror
        self.status = status
    }

    func fits(_ answer: RawAnswer) -> Bool {
        (answer.status == 200) == (error == nil) && answer.error == error
            && (suberror == nil || answer.suberror == suberror)
    }
}

/// What a client and its person know in the middle of a script.
struct Talk: Sendable {
    let app: String
    /// Reads the newest code for an address, as the person does.
    let code: @Sendable (String) throws -> String
    var token = ""
    var refreshToken = ""
    var method = ""

    mutating func note(_ answer: RawAnswer) {
        if !answer.token.isEmpty { token = answer.token }
        if !answer.refreshToken.isEmpty { refreshToken = answer.refreshToken }
        if let first = answer.methodIDs.first { method = first }
    }

    func body(_ call: ScriptedCall) throws -> String {
        let form = try call.form(self)
        let continuation = token.isEmpty ? "" : "&continuation_token=\(token)"
        return "client_id=\(app)" + continuation + (form.isEmpty ? "" : "&" + form)
    }
}

struct UnexpectedAnswer: Error, CustomStringConvertible {
    let description: String
}

extension Script {
    /// How a request is delivered, and an answer comes back.
    typealias Delivery = (_ path: String, _ body: String) throws -> RawAnswer

    /// Plays the calls from one of them on.
    func play(from first: Int = 0, _ talk: inout Talk, by deliver: Delivery) throws {
        for index in first..<calls.count { try play(index, &talk, by: deliver) }
    }

    /// Plays one call.
    func play(_ index: Int, _ talk: inout Talk, by deliver: Delivery) throws {
        let call = calls[index]
        let body = try talk.body(call)
        var answer = try deliver(call.path, body)
        for _ in 0..<5 where call.status != nil && answer["status"]?.string != call.status && answer.status == 200 {
            answer = try deliver(call.path, body)
        }
        guard call.fits(answer), call.status == nil || answer["status"]?.string == call.status else {
            let text = String(decoding: answer.body, as: UTF8.self)
            throw UnexpectedAnswer(description: "\(name), \(call.path) (call \(index)): \(answer.status) \(text)")
        }
        talk.note(answer)
    }
}
