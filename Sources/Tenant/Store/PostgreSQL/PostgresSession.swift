// SPDX-License-Identifier: Apache-2.0

import CPostgres
import CSQLite
import Glibc

/// One connection to a PostgreSQL server.
final class PostgresSession: StoreSession, @unchecked Sendable {
    // Unchecked: whoever has borrowed it from the pool is alone with it (libpq documentation, 34.20).
    private let connection: OpaquePointer
    private var names: [PostgresStatement: String] = [:]
    /// Whether the server refused to go on because of what others did at the same time: the whole transaction may be run
    /// again then (PostgreSQL documentation, 13.5).
    private(set) var hasConflict = false

    /// - Parameter address: A connection string.
    init(_ address: String) throws(StoreError) {
        guard na_pg_is_there() != 0 else {
            throw StoreError(code: SQLITE_CANTOPEN, message: "the library libpq.so.5 is not installed")
        }
        guard let connection = Self.open(address) else {
            throw StoreError(code: SQLITE_NOMEM, message: "out of memory")
        }
        self.connection = connection
        guard isOpen else { throw unreachable() }
        try command(Self.rules)
    }

    deinit {
        na_pg_close(connection)
    }

    /// What the owner's string does not say. Over a network the server shows a certificate that counts (34.19.1).
    private static func open(_ address: String) -> OpaquePointer? {
        let authorities = "/etc/ssl/certs/ca-certificates.crt"
        var parameters = [
            ("connect_timeout", "2"), ("tcp_user_timeout", "10000"), ("target_session_attrs", "read-write"),
            ("sslmode", "verify-full"),
        ]
        if access(authorities, R_OK) == 0 { parameters.append(("sslrootcert", authorities)) }
        parameters += [
            ("dbname", address), ("client_encoding", "UTF8"), ("fallback_application_name", "nativeauth-tenant"),
        ]
        return withStrings(parameters.map { $0.0 }) { keywords in
            withStrings(parameters.map { $0.1 }) { values in na_pg_open(keywords, values) }
        }
    }

    /// Every transaction is as if it were alone, and none waits for long. Tables that are small are not read whole where an
    /// index leads to the row: a transaction that has read everything is in everybody's way (13.2.3). One message holds all.
    private static let rules = """
        SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE;
        SET statement_timeout = '5s';
        SET lock_timeout = '5s';
        SET idle_in_transaction_session_timeout = '30s';
        SET enable_seqscan = off;
        SET plan_cache_mode = force_generic_plan;
        SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
        """

    var isOpen: Bool { na_pg_is_open(connection) != 0 }

    /// Runs a command without values.
    ///
    /// - Returns: What the server says it did.
    @discardableResult
    func command(_ sql: String) throws(StoreError) -> String {
        let answer = try PostgresAnswer(na_pg_do(connection, sql), on: self)
        return answer.tag
    }

    func run(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> StatementResult {
        let statement = PostgresStatement(sql, values)
        let name = try name(of: statement)
        let parameters = PostgresParameters(values)
        let answer = try PostgresAnswer(
            parameters.withPointers { pointers in
                na_pg_run(
                    connection, name, Int32(values.count), pointers, parameters.lengths, parameters.areBinary)
            }, on: self)
        return StatementResult(rows: try answer.rows(), changed: answer.changed)
    }

    /// - Important: Inside of a transaction, and one at a time.
    func each(_ sql: String, _ body: (Row) throws -> Void) throws {
        try command("DECLARE portion NO SCROLL CURSOR FOR " + sql)
        while case let rows = try run("FETCH 500 FROM portion", []).rows, !rows.isEmpty {
            for row in rows { try body(row) }
        }
        try command("CLOSE portion")
    }

    private func name(of statement: PostgresStatement) throws(StoreError) -> String {
        if let name = names[statement] { return name }
        let name = "s\(names.count)"
        let types = statement.types
        _ = try PostgresAnswer(
            na_pg_prepare(connection, name, statement.numbered, Int32(types.count), types), on: self)
        names[statement] = name
        return name
    }

    /// The failure that the server tells of, or the connection.
    func failure(_ state: String, _ reason: String) -> StoreError {
        if state == "40001" || state == "40P01" { hasConflict = true }
        guard isOpen, !state.isEmpty else { return unreachable() }
        return StoreError(code: PostgresAnswer.code(state), message: reason, state: state)
    }

    private func unreachable() -> StoreError {
        let words = String(cString: na_pg_message(connection))
        let line = words.split(separator: "\n").first.map(String.init) ?? "the connection is lost"
        return StoreError(code: SQLITE_NOTFOUND, message: line)
    }

    func beginAnew() {
        hasConflict = false
    }
}

/// Hands out the texts as an array of C strings that ends with a null.
private func withStrings<T>(_ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> T) -> T {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies.map { UnsafePointer($0) } + [nil])
}
