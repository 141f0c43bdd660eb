// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TerminalTesting

/// A tenant that the real program has made, once for all tests of a process: its signing key alone takes as long to make
/// as many a test.
enum MadeTenant {
    private static let files = Result { try make() }

    /// Puts the tenant where a program of this home looks for it.
    static func copy(to folder: String) throws {
        let files = try files.get()
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for (name, data) in files {
            let place = folder + "/" + name
            guard FileManager.default.createFile(atPath: place, contents: data, attributes: [.posixPermissions: 0o600])
            else { throw HomeError(what: "cannot write \(place)") }
        }
    }

    private static func make() throws -> [String: Data] {
        let home = try Home(.fresh)
        let outcome = try home.run(["tenant", "config", "get"]).wait()
        guard outcome.ending == .exit(0) else { throw HomeError(what: "no tenant was made: \(outcome)") }
        let names = home.names(in: home.tenantFolder)
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, try Data(contentsOf: URL(filePath: home.tenantFolder + "/" + $0)))
            })
    }
}
