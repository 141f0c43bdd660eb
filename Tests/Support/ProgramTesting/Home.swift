// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization
package import TerminalTesting
package import Testing

/// A person's home folder, with the programs on the path; it is gone after the test.
package final class Home: Sendable {
    /// What the person has done before.
    package enum Past: Sendable {
        /// Nothing: not even a tenant is there.
        case fresh
        /// Something that made the local tenant, which has no accounts yet.
        case hasTenant
    }

    package let path: String
    private let programs: String
    /// What tests wrote, which may hold the password.
    private let written = Mutex<Set<String>>([])

    /// A password that the tenant's rules take.
    package static let password = "Tr0ub4dor-and-3"

    package init(_ past: Past = .hasTenant) throws {
        var template = Array("/tmp/nativeauth-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw HomeError(what: "no temporary folder: errno \(errno)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        programs = String(try BuiltProgram.path("nativeauth").dropLast("/nativeauth".count))
        if past == .hasTenant { try MadeTenant.copy(to: tenantFolder) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package var configFolder: String { path + "/.config/nativeauth" }
    package var cache: String { configFolder + "/accounts/local.json" }
    package var tenantFolder: String { path + "/.local/share/nativeauth/tenants/local" }

    /// The whole environment of a program: nothing of the test's own comes through.
    package var environment: [String: String] {
        [
            "HOME": path, "PATH": "\(programs):/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "TERM": "xterm",
            "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
        ]
    }

    /// The environment with some variables set, or taken away.
    package func environment(_ changes: [String: String?]) -> [String: String] {
        environment.merging(changes.compactMapValues { $0 }) { $1 }.filter { changes[$0.key] != .some(nil) }
    }

    /// The password is looked for everywhere but in the files that a test wrote.
    private var discretion: Discretion {
        Discretion(secrets: [Home.password], folder: path) { [self] file in written.withLock { $0.contains(file) } }
    }

    /// A run of `nativeauth`, to be changed and then called.
    package func run(_ arguments: [String], environment changes: [String: String?] = [:]) -> Run {
        var run = Run(programs + "/nativeauth", arguments, environment: environment(changes))
        run.discretion = discretion
        return run
    }

    /// Runs `nativeauth`.
    @discardableResult
    package func nativeauth(_ arguments: String..., environment changes: [String: String?] = [:]) async throws
        -> Run.Outcome
    {
        try await run(arguments, environment: changes)()
    }

    /// Runs `nativeauth` and insists on its success; returns its standard output.
    @discardableResult
    package func succeed(
        _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let outcome = try await run(arguments)()
        try #require(outcome.ending == .exit(0), "\(outcome)", sourceLocation: sourceLocation)
        return outcome.output
    }

    /// Runs a line of shell script.
    package func shell(_ script: String, environment changes: [String: String?] = [:]) async throws -> Run.Outcome {
        try await Run("/bin/sh", ["-c", script], environment: environment(changes))()
    }

    /// Starts `nativeauth` on a terminal.
    package func session(
        _ arguments: String..., environment changes: [String: String?] = [:], capturingOutput: Bool = false
    ) throws -> TerminalSession {
        try TerminalSession.spawn(
            executable: programs + "/nativeauth", arguments: arguments, environment: environment(changes),
            directory: path, capturingOutput: capturingOutput, discretion: discretion)
    }

    /// Writes a file; returns its path.
    @discardableResult
    package func write(_ name: String, _ text: String) throws -> String {
        let place = path + "/" + name
        let folder = URL(filePath: place).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        written.withLock { _ = $0.insert(place) }
        try Data(text.utf8).write(to: URL(filePath: place))
        return place
    }

    /// A file's text; nil where there is none.
    package func read(_ place: String) -> String? {
        (try? Data(contentsOf: URL(filePath: place))).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The names in a folder, sorted; none where it does not exist.
    package func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }
}

struct HomeError: Error {
    let what: String
}

extension Home {
    /// The flags of a sign-up that needs no person.
    package func signUpFlags(_ address: String) throws -> [String] {
        [
            "signup", "--username", address, "--password-file", try passwordFile(), "--attribute", "country=Norway",
            "--otp-command", "nativeauth tenant inbox --code --to \(address)",
        ]
    }

    /// Makes an account with the password, and is signed in then.
    package func signUp(_ address: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let outcome = try await run(try signUpFlags(address))()
        try #require(outcome.ending == .exit(0), "\(outcome)", sourceLocation: sourceLocation)
    }

    /// Makes an account that signs in with a code each time.
    package func signUpWithCode(_ address: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let outcome = try await nativeauth(
            "signup", "--profile", "local-code", "--username", address, "--attribute", "country=Norway",
            "--otp-command",
            "nativeauth tenant inbox --code --to \(address)")
        try #require(outcome.ending == .exit(0), "\(outcome)", sourceLocation: sourceLocation)
    }

    package func passwordFile() throws -> String {
        try write("pw", Home.password + "\n")
    }

    /// Replaces a user flow of the local tenant.
    package func setFlow(_ json: String) async throws {
        try await succeed("tenant", "flow", "set", try write("flow.json", json))
    }

    /// The newest code for an address, as the person would read it in the mail.
    package func code(for address: String) async throws -> String {
        try await succeed("tenant", "inbox", "--code", "--to", address).trimmingCharacters(in: .newlines)
    }
}

/// One JSON object, and nothing else.
package func object(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> [String: Any] {
    let value = try? JSONSerialization.jsonObject(with: Data(text.utf8))
    return try #require(value as? [String: Any], "no JSON object: \(text)", sourceLocation: sourceLocation)
}

extension [String: Any] {
    package func object(_ name: String) -> [String: Any] { self[name] as? [String: Any] ?? [:] }
    package func string(_ name: String) -> String? { self[name] as? String }
}
