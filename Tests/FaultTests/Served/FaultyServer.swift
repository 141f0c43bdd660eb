// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TenantTesting
import TerminalTesting
import Testing

@testable import Tenant

/// A tenant that a process of its own serves, and calls of that process that go wrong when a test says so.
final class FaultyServer: Sendable {
    let home: Home
    let folder: TenantFolder
    let session: TerminalSession
    let port: UInt16
    private let orders: String

    /// The kinds of calls that the library in between tells apart; `fault.c` has the same numbers.
    struct Kinds: OptionSet {
        let rawValue: UInt32
        static let write = Kinds(rawValue: 1)
        static let sync = Kinds(rawValue: 2)
        static let truncate = Kinds(rawValue: 4)
        static let rename = Kinds(rawValue: 8)
        static let unlink = Kinds(rawValue: 16)
        static let create = Kinds(rawValue: 32)
        static let read = Kinds(rawValue: 64)
        static let changes: Kinds = [.write, .sync, .truncate, .rename, .unlink, .create]
        /// What needs room on the disk.
        static let room: Kinds = [.write, .create]
    }

    /// Serves a tenant with the people in it.
    ///
    /// - Parameters:
    ///   - wrapper: Words to start the server by, as `sh -c 'ulimit -n 64; exec "$@"' sh`.
    ///   - place: The beginning of the names that faults are about, as `/tenant.db`; everything in the folder by default.
    ///   - recording: Whether what is done to files is written down, in ``recordPath``.
    init(
        wrapper: [String] = [], below place: String = "", recording: Bool = false,
        environment more: [String: String?] = [:],
        prepare: (TenantFolder) throws -> Void = { _ in }
    ) async throws {
        home = try Home()
        folder = TenantFolder(path: home.tenantFolder)
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Prepared.put(into: folder.path)
        try prepare(folder)
        orders = home.path + "/orders"
        try Data(count: 64).write(to: URL(filePath: orders))
        var environment: [String: String?] = [
            "LD_PRELOAD": try FaultLibrary.path(in: home), "FAULT_ORDERS": orders, "FAULT_FOLDER": folder.path + place,
        ]
        if recording { environment["FAULT_RECORD"] = home.path + "/record" }
        let words =
            wrapper + [try BuiltProgram.path("nativeauth-tenant"), "serve", "--listen", "127.0.0.1:0"]
        session = try TerminalSession.spawn(
            executable: words[0], arguments: Array(words.dropFirst()),
            environment: home.environment(environment.merging(more) { $1 }), directory: home.path)
        try await session.expect("Serving tenant 'local' at http://127.0.0.1:", timeout: .seconds(60))
        port = try #require(UInt16(try await session.expect("/").dropLast()))
    }

    var recordPath: String { home.path + "/record" }

    /// Sends requests over the network, each by a connection of its own.
    var caller: Caller {
        Caller { [port] request in try SocketClient.send(request, to: port) }
    }

    func talk(_ script: Script) -> Talk {
        Talk(app: script.app, code: { [folder] in try folder.code($0) })
    }

    // MARK: - Orders

    /// Counts calls, and nothing else.
    func count(_ kinds: Kinds) throws { try order(0, 0, false, kinds, 0) }

    /// Ends the server just before the n-th call from now on.
    func end(at number: Int, of kinds: Kinds) throws { try order(1, 0, false, kinds, number) }

    /// Lets the n-th call from now on fail, and if told so all later ones.
    func fail(_ error: Int32, at number: Int = 1, of kinds: Kinds, lasting: Bool = false) throws {
        try order(2, error, lasting, kinds, number)
    }

    /// All is well again.
    func heal() throws { try order(0, 0, false, [], 0) }

    /// How many calls there were since the last order.
    func seen() throws -> Int {
        let data = try Data(contentsOf: URL(filePath: orders))
        return data.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: 24, as: Int64.self)) }
    }

    /// Nothing happens between two halves of an order: the kinds come last.
    private func order(_ action: Int32, _ error: Int32, _ lasting: Bool, _ kinds: Kinds, _ number: Int) throws {
        let file = try FileHandle(forUpdating: URL(filePath: orders))
        defer { try? file.close() }
        func put(_ value: some FixedWidthInteger, at offset: UInt64) throws {
            try file.seek(toOffset: offset)
            try file.write(contentsOf: withUnsafeBytes(of: value) { Data($0) })
        }
        try put(UInt32(0), at: 12)
        try put(action, at: 0)
        try put(error, at: 4)
        try put(Int32(lasting ? 1 : 0), at: 8)
        try put(Int64(number), at: 16)
        try put(Int64(0), at: 24)
        try put(kinds.rawValue, at: 12)
    }

    // MARK: - The end

    /// Stops the server as an administrator does.
    func stop(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        await session.signal(SIGTERM)
        let ending = try await session.finish(timeout: .seconds(60))
        let transcript = await session.transcript
        #expect(ending == .exit(0), "\(transcript)", sourceLocation: sourceLocation)
    }

    func kill() async throws {
        await session.signal(SIGKILL)
        try await session.finish(timeout: .seconds(60))
    }

    /// The tenant in this process, after the server's end.
    func open() throws -> IdentityProvider {
        let provider = try folder.open(
            name: "local", origin: "http://127.0.0.1:8400", cores: 2, elapsed: SteadyTime.sinceStart)
        provider.deliverWaiting()
        return provider
    }
}

extension TenantFolder {
    /// The newest code for an address.
    func code(_ address: String) throws -> String {
        guard let message = try spool.messages(to: address, limit: 1).first else {
            throw UnexpectedAnswer(description: "no mail to \(address)")
        }
        return message.code
    }
}

/// The library that stands in between.
enum FaultLibrary {
    struct NoCompiler: Error {
        let outcome: String
    }

    /// Compiles it, for this machine's C library.
    static func path(in home: Home) throws -> String {
        let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "fault.c").path
        let library = home.path + "/fault.so"
        let outcome = try Run(
            "/usr/bin/cc", ["-shared", "-fPIC", "-O1", "-o", library, source], environment: ["PATH": "/usr/bin:/bin"]
        ).wait()
        guard outcome.ending == .exit(0) else { throw NoCompiler(outcome: "\(outcome)") }
        return library
    }
}
