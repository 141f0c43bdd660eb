// SPDX-License-Identifier: Apache-2.0

import Console
import Files
import FoundationEssentials
import NativeAuth
import Synchronization

/// The flow that a command is in the middle of, in a file of its own, so that it can go on after Ctrl-C or a reboot. The
/// file is gone when the flow ends.
final class KeptFlow: Sendable {
    private let command: String
    private let profile: Profile
    private let context: Context
    /// Nil where nothing is to be kept: nobody says where, or `--no-resume` does not want it.
    private let file: KeptFile?
    private let isQuiet: Bool
    private let state = Mutex(State())

    private struct State {
        var lastKept: WrittenStep?
        /// What is in the file if nobody else has written to it since.
        var inFile: WrittenStep?
        var hasFailed = false
    }

    /// How long a step is worth a try. Tenants close a flow that nothing happens in much earlier than that.
    private static let lifetime: TimeInterval = 3600

    init(_ command: String, _ profile: Profile, _ context: Context, isOff: Bool, isQuiet: Bool) {
        self.command = command
        self.profile = profile
        self.context = context
        self.isQuiet = isQuiet
        file = isOff ? nil : KeptFile(profile: profile.name, environment: context.environment)
    }

    /// Keeps the step; a flow that has ended is forgotten. That nothing can be kept is said once, and stops nothing.
    ///
    /// - Parameter codeSent: When the code was sent that the step waits for.
    func keep(_ step: WrittenStep?, codeSent: Date? = nil) {
        guard let step else { return forget() }
        guard let file, step.isWorthKeeping, step != state.withLock({ $0.lastKept }) else { return }
        state.withLock { $0.lastKept = step }
        let content = KeptFile.Content(
            command: command, authority: profile.authority.description, client_id: profile.clientID,
            expires_at: context.time.now().addingTimeInterval(Self.lifetime), code_sent_at: codeSent, step: step)
        do throws(FileError) {
            try file.write(content)
            state.withLock { $0.inFile = step }
        } catch {
            tell(error)
        }
    }

    private func tell(_ error: FileError) {
        let isKnown = state.withLock { state in
            defer { state.hasFailed = true }
            return state.hasFailed
        }
        context.note(
            "\(NativeAuthTool.program): there is no going on after an interruption: \(error.sentence)",
            quiet: isKnown || isQuiet)
    }

    /// Removes the file, if it is about this very flow: another one's is none of ours.
    func forget() {
        guard let file, let ours = state.withLock({ $0.inFile }), let content = try? file.read(),
            content.command == command, content.step.isSameFlow(as: ours)
        else { return }
        file.remove()
        state.withLock { ($0.inFile, $0.lastKept) = (nil, nil) }
    }

    /// Removes the file after an error that leaves nothing to go on with.
    func forget<Step>(after error: StepError<Step>) {
        if error.retry == nil || error.error.reason == .flowExpired { forget() }
    }
}

extension WrittenStep {
    fileprivate func isSameFlow(as other: WrittenStep) -> Bool {
        username == other.username && correlationID == other.correlationID
    }
}

// MARK: - Going on

/// A step to go on from.
struct ResumedStep {
    let written: WrittenStep
    /// When the code was sent that it waits for; nil where that is not known.
    let codeSent: Date?
}

extension KeptFlow {
    /// The step to go on from.
    ///
    /// - Parameter username: Whose flow it has to be, where that was said.
    func resume(username: String?) throws(CommandFailure) -> ResumedStep {
        guard let file else {
            throw CommandFailure(
                .configuration, "Neither HOME nor XDG_STATE_HOME says where interrupted flows are kept.")
        }
        let content = try file.read()
        guard content.expires_at > context.time.now() else {
            file.remove()
            throw CommandFailure(
                .invalidData, "What was interrupted is too old to go on with.", hint: KeptFile.startAgain)
        }
        try check(content, username)
        state.withLock { $0.inFile = content.step }
        return ResumedStep(written: content.step, codeSent: content.code_sent_at)
    }

    private func check(_ content: KeptFile.Content, _ username: String?) throws(CommandFailure) {
        guard content.command == command else {
            throw CommandFailure(
                .invalidData, "What was interrupted is no \(command), but a \(content.command.printable).",
                hint: "Go on with it: 'nativeauth \(content.command.printable) --resume'.")
        }
        guard content.authority == profile.authority.description, content.client_id == profile.clientID else {
            throw CommandFailure(
                .invalidData, "What was interrupted belongs to another tenant or another app.",
                hint: KeptFile.startAgain)
        }
        guard username == nil || username == content.step.username else {
            throw CommandFailure(
                .invalidData, "What was interrupted is about \(content.step.username.printable).",
                hint: KeptFile.startAgain)
        }
    }
}
