// SPDX-License-Identifier: Apache-2.0

import Console
import Files
import FoundationEssentials
import Glibc
import NativeAuth
import Synchronization

/// The flow that a command is in the middle of, in a file of its own, so that it can go on after Ctrl-C or a reboot.
///
/// The file holds a continuation token: it is its owner's alone, and gone when the flow ends.
final class KeptFlow: Sendable {
    private let command: String
    private let profile: Profile
    private let context: Context
    /// Nil where nothing is to be kept: nobody says where, or `--no-resume` does not want it.
    private let folder: String?
    private let isQuiet: Bool
    private let state = Mutex(State())

    private struct State {
        var lastKept: WrittenStep?
        var hasFailed = false
    }

    /// How long a step is worth a try. Tenants close a flow that nothing happens in much earlier than that.
    private static let lifetime: TimeInterval = 3600
    private static let schema = 1
    private static let limit = 64 * 1024

    init(_ command: String, _ profile: Profile, _ context: Context, isOff: Bool, isQuiet: Bool) {
        self.command = command
        self.profile = profile
        self.context = context
        self.isQuiet = isQuiet
        folder = isOff ? nil : Self.stateFolder(context.environment).map { $0 + "/flows" }
    }

    private var name: String { profile.name + ".json" }

    /// Keeps the step; a flow that has ended is forgotten. That nothing can be kept is said once, and stops nothing.
    func keep(_ step: WrittenStep?) {
        guard let step else { return forget() }
        guard let folder, step.isWorthKeeping, step != state.withLock({ $0.lastKept }) else { return }
        state.withLock { $0.lastKept = step }
        let now = context.time.now()
        let file = File(
            schema: Self.schema, command: command, authority: profile.authority.description,
            client_id: profile.clientID,
            expires_at: now.addingTimeInterval(Self.lifetime), step: step)
        guard let data = try? File.encoder.encode(file) else { return }
        do throws(FileError) {
            try FileDescriptor.createFolders(folder)
            try FileDescriptor(folder: folder).replace(name, with: data)
        } catch {
            let isKnown = state.withLock { state in
                defer { state.hasFailed = true }
                return state.hasFailed
            }
            context.note(
                "\(NativeAuthTool.program): there is no going on after an interruption: \(error.sentence)",
                quiet: isKnown || isQuiet)
        }
    }

    /// Removes the file, if it is about a flow of this kind.
    func forget() {
        guard let folder, let file = try? read(folder + "/" + name), file.command == command else { return }
        unlink(folder + "/" + name)
    }

    private static func stateFolder(_ environment: [String: String]) -> String? {
        if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") { return base + "/nativeauth" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return (home == "/" ? "" : home) + "/.local/state/nativeauth"
    }

    private struct File: Codable {
        var schema: Int
        var command: String
        var authority: String
        var client_id: String
        var expires_at: Date
        var step: WrittenStep

        static var encoder: JSONEncoder {
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .iso8601
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return encoder
        }
    }
}

// MARK: - Going on

extension KeptFlow {
    /// The step to go on from.
    ///
    /// - Parameter username: Whose flow it has to be, where that was said.
    func resume(username: String?) throws(CommandFailure) -> WrittenStep {
        guard let folder else {
            throw CommandFailure(
                .configuration, "Neither HOME nor XDG_STATE_HOME says where interrupted flows are kept.")
        }
        let file = try read(folder + "/" + name)
        guard file.command == command else {
            throw CommandFailure(
                .invalidData, "What was interrupted is no \(command), but a \(file.command.printable).",
                hint: "Go on with it: 'nativeauth \(file.command.printable) --resume'.")
        }
        guard file.authority == profile.authority.description, file.client_id == profile.clientID else {
            throw CommandFailure(
                .invalidData, "What was interrupted belongs to another tenant or another app.", hint: startAgain)
        }
        guard file.expires_at > context.time.now() else {
            throw CommandFailure(.invalidData, "What was interrupted is too old to go on with.", hint: startAgain)
        }
        guard username == nil || username == file.step.username else {
            throw CommandFailure(
                .invalidData, "What was interrupted is about \(file.step.username.printable).", hint: startAgain)
        }
        return file.step
    }

    private var startAgain: String { "Start again, without --resume." }

    private func read(_ path: String) throws(CommandFailure) -> File {
        let data: Data
        let problem: String?
        do throws(FileError) {
            let file = try FileDescriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            problem = try file.facts().problem
            data = problem == nil ? try file.readToEnd(limit: Self.limit) : Data()
        } catch {
            switch error.errno {
            case ENOENT, ENOTDIR:
                throw CommandFailure(.missingInput, "Nothing was interrupted that could go on.", hint: startAgain)
            case ELOOP: throw unsafe(path, "it is a symbolic link")
            case EFBIG: throw damaged(path)
            default: throw CommandFailure(.missingInput, error.sentence, hint: startAgain)
            }
        }
        if let problem { throw unsafe(path, problem) }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let file = try? decoder.decode(File.self, from: data), file.schema == Self.schema else {
            throw damaged(path)
        }
        return file
    }

    private func unsafe(_ path: String, _ problem: String) -> CommandFailure {
        CommandFailure(.configuration, "\(path.printable) is not to be trusted: \(problem).", hint: startAgain)
    }

    private func damaged(_ path: String) -> CommandFailure {
        CommandFailure(
            .invalidData, "\(path.printable) is damaged, or of another version of this program.", hint: startAgain)
    }
}
