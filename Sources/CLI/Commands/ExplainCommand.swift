// SPDX-License-Identifier: Apache-2.0

import Console

/// `nativeauth explain`.
struct ExplainCommand: CLICommand {
    var code = ""
    var json = false

    static let name = "explain"
    static let summary = "Explain an error's number or word, offline"

    static var parameters: [Parameter<ExplainCommand>] {
        [
            .json(to: \.json),
            .positional(
                "CODE", to: \.code, help: "AADSTS50126 or 50126, an error or suberror of the protocol, an exit code."),
        ]
    }

    static var examples: [Example] {
        [
            Example("nativeauth explain AADSTS50126"), Example("nativeauth explain invalid_oob_value"),
            Example("nativeauth explain 77", "An exit code."),
        ]
    }

    func run(_ context: Context) async throws {
        guard let explanation = Explanation.find(code) else {
            throw UsageError(
                command: Self.name, "nothing is known about '\(code)'", suggestion: Explanation.guess(code))
        }
        if json { return try context.print(json: ExplanationObject(explanation)) }
        let rows = [
            (term: "Meaning", text: explanation.meaning), (term: "Cause", text: explanation.cause),
            (term: "Next", text: explanation.next),
        ]
        let title = explanation.codes.map { Int($0) == nil ? $0 : ExplanationObject.title($0) }
        try context.output.write(
            title.joined(separator: ", ") + "\n" + Help.table(rows).joined(separator: "\n") + "\n")
    }
}

/// What `explain --json` prints.
private struct ExplanationObject: Encodable {
    var schema = 1
    /// The first is the one that is documented; the others mean the same.
    var codes: [String]
    var meaning: String
    var likely_cause: String
    var next_step: String

    init(_ explanation: Explanation) {
        codes = explanation.codes
        meaning = explanation.meaning
        likely_cause = explanation.cause
        next_step = explanation.next
    }

    /// A number as people know it: those of the service have five digits or more.
    static func title(_ number: String) -> String {
        number.count < 5 ? "Exit code \(number)" : "AADSTS\(number)"
    }
}
