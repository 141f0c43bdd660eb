// SPDX-License-Identifier: Apache-2.0

import Console

/// What the commands that end in a signed-in account have in common.
struct FlowOptions: Equatable {
    var choice = ProfileChoice()
    var given = GivenAnswers()
    var scopes: [String] = []
    var json = false
    var quiet = false
    var style = Style()

    static func rows<Root>(within path: WritableKeyPath<Root, FlowOptions>, attributes: Bool) -> [Parameter<Root>] {
        let own: [Parameter<FlowOptions>] = [.scope(to: \.scopes), .json(to: \.json), .quiet(to: \.quiet)]
        return GivenAnswers.rows(within: path.appending(path: \.given), attributes: attributes)
            + own.map { $0.within(path) } + Style.rows(within: path.appending(path: \.style)) + ProfileChoice.rows(within: path.appending(path: \.choice))
    }
}

// MARK: - Rows that several commands share

extension Parameter {
    static func json(to path: WritableKeyPath<Root, Bool>) -> Self {
        .flag("--json", to: path, help: "Print one JSON object; errors, too, on standard error.")
    }

    static func quiet(to path: WritableKeyPath<Root, Bool>) -> Self {
        .flag("--quiet", "-q", to: path, help: "No messages but errors.")
    }

    static func scope(to path: WritableKeyPath<Root, [String]>) -> Self {
        .option("--scope", value: "SCOPE", to: path, help: "A scope of an API; may be repeated.")
    }
}
