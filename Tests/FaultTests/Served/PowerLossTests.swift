// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TenantTesting
import Testing

@testable import Tenant

/// What a server did to its files, entry by entry, as `fault.c` wrote it down.
private struct Record {
    enum Entry {
        case write(String, offset: Int, [UInt8])
        case truncate(String, size: Int)
        case sync(String)
        case syncAll
        case create(String)
        case folder(String)
        case rename(String, to: String)
        case unlink(String)
        /// An answer leaves.
        case answer
    }

    let entries: [Entry]

    init(_ data: Data) throws {
        var entries: [Entry] = []
        var rest = data[...]
        func number() -> Int {
            defer { rest = rest.dropFirst(8) }
            return rest.prefix(8).withUnsafeBytes { Int($0.loadUnaligned(as: Int64.self)) }
        }
        func text(_ length: Int) -> String {
            defer { rest = rest.dropFirst(length) }
            return String(decoding: rest.prefix(length), as: UTF8.self)
        }
        while rest.count >= 32 {
            let (what, length, position, count) = (number(), number(), number(), number())
            let path = text(length)
            switch UnicodeScalar(UInt8(what)) {
            case "W":
                entries.append(.write(path, offset: position, Array(rest.prefix(count))))
                rest = rest.dropFirst(count)
            case "T": entries.append(.truncate(path, size: position))
            case "S": entries.append(.sync(path))
            case "Y": entries.append(.syncAll)
            case "C": entries.append(.create(path))
            case "D": entries.append(.folder(path))
            case "R": entries.append(.rename(path, to: text(count)))
            case "U": entries.append(.unlink(path))
            case "A":
                _ = text(count)
                entries.append(.answer)
            default: throw UnexpectedAnswer(description: "a record that is none")
            }
        }
        self.entries = entries
    }
}

/// A disk that loses its power: what was not synced may be there, or not, or in part.
private struct Disk {
    private enum Change {
        case write(offset: Int, [UInt8])
        case truncate(Int)
    }

    private struct File {
        var synced: [UInt8]
        var pending: [Change] = []
    }

    private enum Naming {
        case put(String, Int)
        case remove(String)
        case folder(String)
    }

    private var files: [File] = []
    private var names: [String: Int] = [:]
    private var syncedNames: [String: Int] = [:]
    private var syncedFolders: Set<String>
    private var pendingNames: [(folder: String, naming: Naming)] = []

    /// - Parameter files: What is there from the beginning, on the disk.
    init(_ files: [String: Data], in folder: String) {
        syncedFolders = [folder]
        for (name, data) in files {
            names[folder + "/" + name] = self.files.count
            self.files.append(File(synced: Array(data)))
        }
        syncedNames = names
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    mutating func apply(_ entry: Record.Entry) {
        switch entry {
        case .write(let path, let offset, let bytes): change(path, .write(offset: offset, bytes))
        case .truncate(let path, let size): change(path, .truncate(size))
        case .create(let path):
            names[path] = files.count
            pendingNames.append((Self.folder(of: path), .put(path, files.count)))
            files.append(File(synced: []))
        case .folder(let path): pendingNames.append((Self.folder(of: path), .folder(path)))
        case .unlink(let path):
            names[path] = nil
            pendingNames.append((Self.folder(of: path), .remove(path)))
        case .rename(let path, let target):
            guard let file = names.removeValue(forKey: path) else { return }
            names[target] = file
            pendingNames.append((Self.folder(of: path), .remove(path)))
            pendingNames.append((Self.folder(of: target), .put(target, file)))
        case .sync(let path): sync(path)
        case .syncAll: syncAll()
        case .answer: break
        }
    }

    private mutating func change(_ path: String, _ change: Change) {
        if let file = names[path] { files[file].pending.append(change) }
    }

    private mutating func syncAll() {
        for (_, naming) in pendingNames { settle(naming) }
        pendingNames = []
        for file in files.indices { sync(file) }
    }

    private mutating func sync(_ file: Int) {
        for change in files[file].pending { Self.apply(change, to: &files[file].synced) }
        files[file].pending = []
    }

    private mutating func sync(_ path: String) {
        if let file = names[path] {
            sync(file)
        } else {
            for (folder, naming) in pendingNames where folder == path { settle(naming) }
            pendingNames.removeAll { $0.folder == path }
        }
    }

    private mutating func settle(_ naming: Naming) {
        switch naming {
        case .put(let path, let file): syncedNames[path] = file
        case .remove(let path): syncedNames[path] = nil
        case .folder(let path): syncedFolders.insert(path)
        }
    }

    private static func apply(_ change: Change, to bytes: inout [UInt8]) {
        switch change {
        case .truncate(let size):
            bytes = Array(bytes.prefix(size)) + Array(repeating: 0, count: max(0, size - bytes.count))
        case .write(let offset, let new):
            let missing = offset + new.count - bytes.count
            if missing > 0 { bytes += Array(repeating: 0, count: missing) }
            bytes.replaceSubrange(offset..<offset + new.count, with: new)
        }
    }

    /// What is found after the power is back.
    ///
    /// - Parameter chance: By which what was not synced has reached the disk, in any order; nothing of it for 0.
    func remains(chance: Double) -> [String: [UInt8]] {
        var disk = self
        for (_, naming) in pendingNames {
            // The names of a folder change in their order.
            guard Double.random(in: 0..<1) < chance else { break }
            disk.settle(naming)
        }
        var found: [String: [UInt8]] = [:]
        for (path, file) in disk.syncedNames
        where disk.syncedFolders.contains(Self.folder(of: path)) && !path.hasSuffix("-shm") {
            var bytes = files[file].synced
            for change in files[file].pending where Double.random(in: 0..<1) < chance { Self.apply(change, to: &bytes) }
            found[path] = bytes
        }
        return found
    }
}

/// The power goes at any moment of a flow. What was acknowledged is there when it is back, and the flow goes on.
@Suite("F2: power that is lost", .inTurns)
struct PowerLossTests {
    /// Where a client is after so many answers.
    private typealias Place = (call: Int, talk: Talk)

    @Test("F2: at each moment, what was acknowledged is on the disk, and the flow goes on", arguments: Script.chosen)
    func sweep(_ script: Script) async throws {
        let server = try await FaultyServer(recording: true)
        let beginning = try Prepared.contents()
        let places = try await OwnThread.run { Result { try play(script, server) } }.get()
        try await server.kill()
        let record = try Record(Data(contentsOf: URL(filePath: server.recordPath)))
        let answers = record.entries.count { if case .answer = $0 { true } else { false } }
        try #require(answers == places.count - 1, "the answers are not counted")

        let moments = record.entries.count
        let chosen = isWhole ? Array(0...moments) : (0..<5).map { _ in Int.random(in: 0...moments) } + [moments]
        for moment in chosen {
            var disk = Disk(beginning, in: server.folder.path)
            var answered = 0
            for entry in record.entries.prefix(moment) {
                disk.apply(entry)
                if case .answer = entry { answered += 1 }
            }
            for chance in isWhole ? [0, 0.5, 0.9] : [0, 0.5] {
                try goOn(
                    script, places[answered], disk.remains(chance: chance), server,
                    "after \(moment) of \(moments) changes, \(answered) answers, \(chance) of the rest")
            }
        }
    }

    private func play(_ script: Script, _ server: FaultyServer) throws -> [Place] {
        var talk = server.talk(script)
        var places: [Place] = [(0, talk)]
        for index in script.calls.indices {
            let before = talk
            try script.play(index, &talk) { path, body in
                let answer = try server.caller.post(path, body)
                places.append((index, before))
                return answer
            }
            places[places.count - 1] = (index + 1, talk)
        }
        return places
    }

    private func goOn(
        _ script: Script, _ place: Place, _ files: [String: [UInt8]], _ server: FaultyServer, _ moment: Comment
    ) throws {
        let home = try Home()
        let folder = TenantFolder(path: home.path + "/tenant")
        for name in ["", "/mail"] { #expect(mkdir(folder.path + name, 0o700) == 0) }
        for (path, bytes) in files {
            let copy = folder.path + path.dropFirst(server.folder.path.count)
            try Data(bytes).write(to: URL(filePath: copy))
            chmod(copy, 0o600)
        }
        do {
            let provider = try folder.open(
                name: "local", origin: "http://127.0.0.1:8400", cores: 2, elapsed: SteadyTime.sinceStart)
            provider.deliverWaiting()
            var talk = Talk(app: script.app, code: { try folder.code($0) })
            talk.token = place.talk.token
            talk.refreshToken = place.talk.refreshToken
            talk.method = place.talk.method
            try script.play(from: place.call, &talk, by: Caller { provider.answer($0) }.delivery)
        } catch {
            Issue.record(error, moment)
        }
        #expect(try folder.check() == [], moment)
        #expect(try Effects(of: folder) == Prepared.effects(of: script), moment)
    }
}
