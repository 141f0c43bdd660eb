// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// What the commands that end in a signed-in account have in common.
struct FlowOptions: Equatable {
    var choice = ProfileChoice()
    var given = GivenAnswers()
    var scopes: [String] = []
    var json = false
    var quiet = false
    var style = Style()
    /// Go on with what was interrupted; and leave nothing behind to go on with.
    var resume = false
    var noResume = false
    /// Who is asked instead of a person.
    var peer: PeerProtocol?

    /// What does not go together.
    func check(_ command: String) throws(UsageError) {
        try given.check(command)
        if resume, noResume { throw UsageError(command: command, "give one of --resume and --no-resume") }
        guard peer != nil else { return }
        if given.readsSecrets {
            throw UsageError(
                command: command, "with --protocol, passwords and codes come as answers, not by other flags")
        }
        if given.attributesFile == "-" || given.noInput {
            throw UsageError(command: command, "with --protocol, standard input is for answers")
        }
    }

    /// Where the steps of the flow are kept, and the one to go on from; refuses to begin where an answer is certain to
    /// be missing.
    func beginning(
        _ command: String, _ profile: Profile, _ context: Context, needs: [NeededAnswer]
    ) throws(CommandFailure) -> (kept: KeptFlow, resumed: ResumedStep?) {
        let kept = KeptFlow(command, profile, context, isOff: noResume, isQuiet: quiet)
        if resume { return (kept, try kept.resume(username: given.username)) }
        if peer == nil { try given.require(needs, of: command, context) }
        return (kept, nil)
    }

    static func rows<Root>(within path: WritableKeyPath<Root, FlowOptions>, attributes: Bool) -> [Parameter<Root>] {
        let own: [Parameter<FlowOptions>] = [.scope(to: \.scopes), .json(to: \.json), .quiet(to: \.quiet)]
        let going: [Parameter<FlowOptions>] = [
            .flag("--resume", to: \.resume, help: "Go on with what Ctrl-C or a reboot interrupted."),
            .flag("--no-resume", to: \.noResume, help: "Keep nothing to go on with."),
            .option(
                "--protocol", value: "PROTOCOL", to: \.peer,
                help: "Talk to another program instead of a person: jsonl, one JSON object a line."),
        ]
        return GivenAnswers.rows(within: path.appending(path: \.given), attributes: attributes)
            + (own + going).map { $0.within(path) } + Style.rows(within: path.appending(path: \.style))
            + ProfileChoice.rows(within: path.appending(path: \.choice))
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
