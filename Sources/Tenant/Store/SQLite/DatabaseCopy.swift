// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// A copy of a database that is being made while the database is in use (sqlite.org/backup.html).
final class DatabaseCopy: @unchecked Sendable {
    // Unchecked: the pointers are used only while the connection that is copied is held.
    private let target: OpaquePointer
    private let backup: OpaquePointer

    /// Begins a copy into a file.
    init(of session: SQLiteSession, to path: String) throws(StoreError) {
        let target = try SQLiteSession.open(path)
        guard let backup = sqlite3_backup_init(target, "main", session.handle, "main") else {
            let failure = SQLiteSession.failure(sqlite3_errcode(target), of: target)
            sqlite3_close_v2(target)
            throw failure
        }
        self.target = target
        self.backup = backup
    }

    deinit {
        sqlite3_backup_finish(backup)
        sqlite3_close_v2(target)
    }

    /// Copies so many pages more; true once everything is copied.
    func step(_ pages: Int32) throws(StoreError) -> Bool {
        switch sqlite3_backup_step(backup, pages) {
        case SQLITE_DONE: return true
        case SQLITE_OK: return false
        case let code: throw SQLiteSession.failure(code, of: target)
        }
    }

    /// In pages.
    var progress: AdminProgress {
        let all = sqlite3_backup_pagecount(backup)
        return AdminProgress(done: Int(all - sqlite3_backup_remaining(backup)), of: Int(all))
    }
}
