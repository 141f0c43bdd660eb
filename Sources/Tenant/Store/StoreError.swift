// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Glibc

/// An engine's refusal.
package struct StoreError: Error, Sendable, Equatable {
    /// SQLite's extended result code; of PostgreSQL's errors the nearest one.
    package let code: Int32
    package let message: String
    /// The system's error behind it; 0 if there is none.
    package let systemError: Int32
    /// PostgreSQL's SQLSTATE; nil of SQLite's errors.
    package let state: String?

    package init(code: Int32, message: String, systemError: Int32 = 0, state: String? = nil) {
        self.code = code
        self.message = message
        self.systemError = systemError
        self.state = state
    }

    /// The transaction ended before its time, and nothing said why.
    static let lostTransaction = StoreError(code: SQLITE_ABORT, message: "the transaction is gone")
    /// A row that contradicts itself, though the database hangs together.
    static func damaged(_ what: String) -> StoreError { StoreError(code: SQLITE_CORRUPT, message: what) }
    /// There is no room, and what there is is not for this.
    static let noRoom = StoreError(code: SQLITE_FULL, message: "database or disk is full", systemError: ENOSPC)

    enum Reason: Sendable {
        case diskFull
        case readOnly
        case damaged
        /// The server of the database is away, or restarts.
        case unreachable
        case other
    }

    /// What the code means to the tenant's owner; the low byte is SQLite's primary code.
    var reason: Reason {
        if systemError == ENOSPC || systemError == EDQUOT { return .diskFull }
        return switch code & 0xFF {
        case SQLITE_FULL: .diskFull
        case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM: .readOnly
        case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
        case SQLITE_NOTFOUND: .unreachable
        default: .other
        }
    }
}
