// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// A command that may talk with a person.
protocol FlowCommand: CLICommand {
    var options: FlowOptions { get }
}

extension FlowCommand {
    var manner: FlowOptions? { options }
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
    func inMannerOf(_ command: some CLICommand) -> Context {
        guard let options = command.manner else { return self }
        var context = self
        context.style = options.style
        context.showsWaiting = !options.quiet && !options.json
        return context
    }

    /// A transport that waits as the person wants it to.
    ///
    /// - Parameter isLocal: Whether the tenant is the one on this machine.
    func patient(_ transport: any Transport, isLocal: Bool, for allowance: Duration?) -> any Transport {
        if !showsWaiting, allowance == nil { return transport }
        let notice = showsWaiting ? tenantNotice(isLocal: isLocal) : nil
        return PatientTransport(transport, allowance: allowance, notice: notice)
    }

    func tenantNotice(isLocal: Bool) -> WaitingNotice {
        WaitingNotice(
            "Waiting for the tenant", environment: environment, style: style, after: isLocal ? .process : .network)
    }

    /// A storage that says on a terminal when another process keeps it waiting.
    func patient(_ storage: any TokenStorage) -> any TokenStorage {
        if isSilent { return storage }
        let notice = WaitingNotice(
            "Waiting for another nativeauth process", environment: environment, style: style, after: .process)
        return notice.moves ? PatientStorage(inner: storage, notice: notice) : storage
    }
}
