// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// A command that may talk with a person.
protocol FlowCommand: CLICommand {
    var options: FlowOptions { get }
}

extension SignUpCommand: FlowCommand {}
extension SignInCommand: FlowCommand {}
extension ResetPasswordCommand: FlowCommand {}

extension Style {
    static func rows<Root>(within path: WritableKeyPath<Root, Style>) -> [Parameter<Root>] {
        let rows: [Parameter<Style>] = [
            .flag("--plain", to: \.plain, help: "Lines below each other, no colour, nothing that moves. [ACCESSIBLE]"),
            .option(
                "--color", value: "WHEN", to: \.color, help: "When to use colours; NO_COLOR and its like are heeded."),
        ]
        return rows.map { $0.within(path) }
    }
}

extension Context {
    /// This context, in the manner that a command asks for.
    func inMannerOf(_ command: any CLICommand) -> Context {
        guard let options = (command as? any FlowCommand)?.options else { return self }
        var context = self
        context.style = options.style
        context.showsWaiting = !options.quiet && !options.json
        return context
    }

    /// A transport that waits as the person wants it to.
    func patient(_ network: any Transport, for allowance: Duration?) -> any Transport {
        if !showsWaiting, allowance == nil { return network }
        let notice = WaitingNotice("Waiting for the tenant", environment: environment, style: style)
        return PatientTransport(network, allowance: allowance, notice: showsWaiting ? notice : nil)
    }
}
