// SPDX-License-Identifier: Apache-2.0

import Files
import Glibc

/// A tenant that several servers answer for is kept in PostgreSQL. A file in the folder says where, as a connection string
/// of libpq's: it may have a password in it, and an argument would show that to everybody on the machine.
extension TenantFolder {
    static let serverName = "postgresql"

    var serverPath: String { path + "/" + Self.serverName }

    /// Whether the tenant's database is on a server.
    package var isShared: Bool { access(serverPath, F_OK) == 0 }

    /// The first line that is no comment; nil where the database is in the folder.
    func serverAddress() throws -> String? {
        let text: String
        do throws(FileError) {
            let file = try FileDescriptor(Self.serverName, in: FileDescriptor(folder: path), O_RDONLY | O_NONBLOCK)
            text = String(decoding: try file.readToEnd(limit: 64 * 1024), as: UTF8.self)
        } catch {
            guard error.errno == ENOENT else { throw Problem.file(error) }
            return nil
        }
        guard let address = Self.address(in: text) else { throw Problem.noServer(path: serverPath) }
        return address
    }

    /// There is a tenant in the folder.
    package struct IsThere: Error {}

    /// Keeps a tenant on a server from now on, if there is none here; connects to see whether it can be done. To be called by
    /// the holder of the lock only.
    package func move(toServerAt text: String) throws {
        guard isShared || access(databasePath, F_OK) != 0 else { throw IsThere() }
        guard let address = Self.address(in: text) else { throw Problem.noServer(path: serverPath) }
        do {
            _ = try Database(postgres: address)
        } catch let error as StoreError {
            throw Problem.database(error, path: serverPath)
        } catch is Schema.NewerSchema {
            throw Problem.newer(path: serverPath)
        }
        try keep(serverAddress: address)
    }

    /// Keeps the address of the database. To be called by the holder of the lock only.
    package func keep(serverAddress text: String) throws {
        guard let address = Self.address(in: text) else { throw Problem.noServer(path: serverPath) }
        try FileDescriptor.createFolders(path)
        try FileDescriptor(folder: path).replace(Self.serverName, with: Array((address + "\n").utf8))
    }

    private static func address(in text: String) -> String? {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix { $0.isWhitespace } }
        return lines.first { !$0.isEmpty && !$0.hasPrefix("#") }.map(String.init)
    }
}

extension Database {
    /// Whether a tenant was made in it.
    var hasTenant: Bool {
        get throws {
            try transaction { connection in
                try Schema.prepare(&connection)
                return try !connection.rows("SELECT 1 FROM signing_key").isEmpty
            }
        }
    }
}
