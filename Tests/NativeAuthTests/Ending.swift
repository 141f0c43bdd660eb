// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Testing

@testable import NativeAuth

/// Where a call led: to a step, or to an error and the step that it leaves open. Steps are written as `code CT2`: what
/// they wait for, and the token that their next call sends.
struct Ending: Equatable, Sendable, CustomStringConvertible {
    var reason: AuthError.Reason?
    var step: String?
    /// The error as a whole; not compared.
    private(set) var error: AuthError?

    static func to(_ step: String) -> Ending { Ending(step: step) }
    static func failed(_ reason: AuthError.Reason, retry step: String? = nil) -> Ending {
        Ending(reason: reason, step: step)
    }

    /// An answer that breaks the protocol, whatever is wrong with it.
    static let unexpected = AuthError.Reason.unexpectedAnswer(.word(""))

    var description: String { "\(reason.map { "\($0)" } ?? "no error"), \(step ?? "no step")" }

    /// Runs a call of a flow.
    init<Step: Readable>(of body: () async throws(StepError<Step>) -> Step) async {
        do {
            step = try await body().label
        } catch {
            self.error = error.error
            reason = error.error.reason.isUnexpectedAnswer ? Self.unexpected : error.error.reason
            step = error.retry?.label
        }
    }

    static func == (left: Ending, right: Ending) -> Bool { left.reason == right.reason && left.step == right.step }

    private init(reason: AuthError.Reason? = nil, step: String?) {
        self.reason = reason
        self.step = step
    }
}

/// A step that can be written down.
protocol Readable: Sendable {
    var label: String { get }
}

extension SignUpStep: Readable {
    var label: String {
        switch self {
        case .codeRequired(let step): "code \(step.token)"
        case .passwordRequired(let step): "password \(step.token)"
        case .attributesRequired(let step): "attributes \(step.token)"
        case .completed(let step): "completed \(step.token ?? "-")"
        }
    }
}

extension SignInStep: Readable {
    var label: String {
        switch self {
        case .codeRequired(let step): "code \(step.token)"
        case .passwordRequired(let step): "password \(step.token)"
        case .multiFactorRequired(let step): "factor \(step.token)"
        case .multiFactorCodeRequired(let step): "factor code \(step.token)"
        case .registrationRequired(let step): "registration \(step.token)"
        case .registrationCodeRequired(let step): "registration code \(step.token)"
        case .completed: "account"
        }
    }
}

extension ResetStep: Readable {
    var label: String {
        switch self {
        case .codeRequired(let step): "code \(step.token)"
        case .passwordRequired(let step): "password \(step.token)"
        case .completed(let step): "completed \(step.token ?? "-")"
        }
    }
}

/// A row of a flow's table: what the tenant says to a call, and where that leads.
struct Turn: Sendable, CustomTestStringConvertible {
    let name: String
    let said: [ScriptedTransport.Line]
    let ending: Ending

    init(_ name: String, _ said: ScriptedTransport.Line..., ends ending: Ending) {
        self.name = name
        self.said = said
        self.ending = ending
    }

    var testDescription: String { name }
}
