// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import NativeAuth

/// How a command ended badly, for a person or for a program.
struct Report {
    let failure: CommandFailure
    var error: AuthError?
    /// Usage errors have a form of their own.
    var text: String?
    /// What was done before it ended badly, and stays done.
    var deed: DoneBefore.Deed?

    private init(failure: CommandFailure, error: AuthError? = nil) {
        self.failure = failure
        self.error = error
    }

    init(_ error: any Error) {
        switch error {
        case let done as DoneBefore:
            self.init(done.error)
            deed = done.deed
        case let failure as CommandFailure: self.init(failure: failure)
        case let error as AuthError: self.init(failure: CommandFailure(error), error: error)
        case let error as StepError<SignUpStep>: self.init(failure: CommandFailure(error.error), error: error.error)
        case let error as StepError<SignInStep>: self.init(failure: CommandFailure(error.error), error: error.error)
        case let error as StepError<ResetStep>: self.init(failure: CommandFailure(error.error), error: error.error)
        case let error as PromptError: self.init(failure: CommandFailure(.missingInput, error.message))
        case let error as SecretError: self.init(failure: CommandFailure(.missingInput, error.message))
        default: self.init(failure: CommandFailure(.internalError, "An error that should not happen: \(error)."))
        }
    }

    static func usage(_ error: UsageError) -> Report {
        var report = Report(failure: CommandFailure(.usage, error.message.printable))
        report.text = error.text(program: NativeAuthTool.program)
        return report
    }

    static func output(_ error: OutputError) -> Report {
        Report(failure: CommandFailure(.outputFailed, "Cannot write the output: \(error.message)."))
    }
}

/// An error after something was done that cannot be taken back: whoever repeats the command has to know.
struct DoneBefore: Error {
    enum Deed {
        case accountCreated, passwordChanged

        /// What a program is told besides the error's own hint.
        fileprivate var hint: String {
            switch self {
            case .accountCreated: "The account exists now: go on with 'nativeauth signin'."
            case .passwordChanged: "The password is new: go on with 'nativeauth signin'."
            }
        }
    }

    let deed: Deed
    let error: any Error

    /// Output that cannot be written stays that: it is told in another way.
    static func after(_ deed: Deed, _ error: any Error) -> any Error {
        error is OutputError ? error : DoneBefore(deed: deed, error: error)
    }
}

extension Context {
    /// Tells what went wrong, on standard error.
    func report(_ report: Report, asJSON: Bool) -> ExitStatus {
        let text = asJSON ? json(report) : report.text ?? sentences(report)
        // There is nowhere left to report to if standard error fails.
        try? errors.line(text)
        return report.failure.status
    }

    private func sentences(_ report: Report) -> String {
        var lines = ["\(NativeAuthTool.program): \(report.failure.message)"]
        if let hint = report.failure.hint { lines.append(hint) }
        if let time = report.error?.refreshCutOffAt {
            let began = time.formatted(.iso8601)
            lines.append("A refresh that began at \(began) was cut off, and may have used the session's token up.")
        }
        if report.error?.wasThrottled == true {
            lines.append("The tenant said so a moment ago. 'nativeauth token --force-refresh' asks it again.")
        }
        if let id = report.error?.correlationID, report.error?.error != nil {
            lines.append("Correlation id: \(id.printable)")
        }
        return lines.joined(separator: "\n")
    }

    private func json(_ report: Report) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = (try? encoder.encode(ErrorObject(report))).map { String(decoding: $0, as: UTF8.self) }
        return text ?? sentences(report)
    }
}

/// An error as `--json` prints it.
struct ErrorObject: Encodable {
    struct Details: Encodable {
        var code: String
        var sub_code: String?
        var error_codes: [Int]?
        var message: String
        var hint: String?
        /// True where it was done all the same, and stays.
        var account_created: Bool?
        var password_changed: Bool?
        var retry_after: Int?
        var correlation_id: String?
        var trace_id: String?
        var timestamp: String?
        var exit_code: Int32
    }

    var schema = 1
    var error: Details

    init(_ report: Report) {
        let source = report.error
        var retryAfter: Int?
        if case .rateLimited(let seconds)? = source?.reason { retryAfter = seconds }
        error = Details(
            code: source?.error ?? source?.reason.word ?? report.failure.status.word, sub_code: source?.suberror,
            error_codes: source?.codes.isEmpty == false ? source?.codes : nil, message: report.failure.message,
            hint: [report.deed?.hint, report.failure.hint].compactMap { $0 }.joinedOrNil,
            account_created: report.deed == .accountCreated ? true : nil,
            password_changed: report.deed == .passwordChanged ? true : nil, retry_after: retryAfter,
            correlation_id: source?.correlationID,
            trace_id: source?.traceID, timestamp: source?.timestamp, exit_code: report.failure.status.rawValue)
    }
}

extension [String] {
    /// The sentences behind each other; nil for none.
    fileprivate var joinedOrNil: String? { isEmpty ? nil : joined(separator: " ") }
}

extension ExitStatus {
    /// The JSON code of an error that the tenant has no part in.
    fileprivate var word: String {
        switch self {
        case .done, .failed: "failed"
        case .signInNeeded: "sign_in_required"
        case .usage: "usage"
        case .invalidData: "invalid_data"
        case .missingInput: "missing_input"
        case .unknownHost: "unknown_host"
        case .unavailable: "unavailable"
        case .internalError: "internal_error"
        case .cannotCreate: "cannot_create"
        case .outputFailed: "io_error"
        case .tryAgain: "try_again"
        case .brokenProtocol: "protocol_error"
        case .refused: "refused"
        case .configuration: "configuration"
        case .cannotExecute: "cannot_execute"
        case .notFound: "program_not_found"
        }
    }
}

extension AuthError.Reason {
    /// The JSON code of an error that the client found.
    fileprivate var word: String? {
        switch self {
        case .browserRequired: "redirect"
        case .invalidUsername: "invalid_username"
        case .signInRequired: "sign_in_required"
        case .rateLimited: "slow_down"
        default: nil
        }
    }
}
