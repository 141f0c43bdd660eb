// SPDX-License-Identifier: Apache-2.0

import Console
import Files
import FoundationEssentials
import Glibc
import NativeAuth

/// The file in which an interrupted flow waits: one for each profile. It holds a continuation token, so it is its owner's
/// alone.
struct KeptFile: Sendable {
    let folder: String
    let name: String

    /// Nil where nobody says where such files are.
    init?(profile: String, environment: [String: String]) {
        guard let state = Self.stateFolder(environment) else { return nil }
        folder = state + "/flows"
        name = profile + ".json"
    }

    var path: String { folder + "/" + name }

    private static func stateFolder(_ environment: [String: String]) -> String? {
        if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") { return base + "/nativeauth" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return (home == "/" ? "" : home) + "/.local/state/nativeauth"
    }

    /// What is in it.
    struct Content: Codable, Sendable {
        var schema = KeptFile.schema
        var command: String
        var authority: String
        var client_id: String
        var expires_at: Date
        /// When the code was sent that the step waits for, if it waits for one.
        var code_sent_at: Date?
        var step: WrittenStep
    }

    private static let schema = 1
    private static let limit = 64 * 1024
    static let startAgain = "Start again, without --resume."
}

extension KeptFile {
    func write(_ content: Content) throws(FileError) {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(content) else { throw FileError("encode", path, errno: EINVAL) }
        try FileDescriptor.createFolders(folder)
        try FileDescriptor(folder: folder).replace(name, with: data)
    }

    func remove() {
        unlink(path)
    }

    func read() throws(CommandFailure) -> Content {
        let data: Data
        let problem: String?
        do throws(FileError) {
            let file = try FileDescriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            problem = try file.facts().problem
            data = problem == nil ? try file.readToEnd(limit: Self.limit) : Data()
        } catch {
            throw failure(error)
        }
        if let problem { throw unsafe(problem) }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let content = try? decoder.decode(Content.self, from: data), content.schema == Self.schema else {
            throw damaged
        }
        return content
    }

    private func failure(_ error: FileError) -> CommandFailure {
        switch error.errno {
        case ENOENT, ENOTDIR:
            CommandFailure(.missingInput, "Nothing was interrupted that could go on.", hint: Self.startAgain)
        case ELOOP: unsafe("it is a symbolic link")
        case EFBIG: damaged
        default: CommandFailure(.missingInput, error.sentence, hint: Self.startAgain)
        }
    }

    private func unsafe(_ problem: String) -> CommandFailure {
        CommandFailure(.configuration, "\(path.printable) is not to be trusted: \(problem).", hint: Self.startAgain)
    }

    private var damaged: CommandFailure {
        CommandFailure(
            .invalidData, "\(path.printable) is damaged, or of another version of this program.",
            hint: Self.startAgain)
    }
}
