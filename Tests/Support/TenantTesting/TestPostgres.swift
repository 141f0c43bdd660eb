// SPDX-License-Identifier: Apache-2.0

import CPty
import Foundation
import Glibc
import Synchronization

/// A real PostgreSQL server in a temporary folder, on a socket there and on no port. It ends with this process, whatever
/// ends that.
package final class TestPostgres: Sendable {
    /// One for all tests of a process that do nothing to it.
    package static let shared = Result { try TestPostgres() }

    private let folder: String
    private let control: Mutex<Conversation>
    private let owner: Mutex<Conversation>
    private let count = Atomic<Int>(0)

    /// - Parameter keepsItsWord: Whether what was committed outlives the server's end; it is quicker without.
    package init(keepsItsWord: Bool = false) throws {
        let place = !keepsItsWord && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        folder = "\(place)/nativeauth-pg-\(UUID().uuidString.prefix(8))"
        let server = try Conversation(
            "/bin/bash", ["-c", Self.script, "bash", folder, keepsItsWord ? "on" : "off"],
            in: ProcessInfo.processInfo.environment)
        guard try server.line() == "ready" else { throw Unavailable() }
        control = Mutex(server)
        owner = Mutex(
            try Conversation(
                "/usr/bin/env", ["psql", "-qAtX", "-h", folder, "-U", "tenants", "postgres"],
                in: [
                    "PATH": "/usr/bin:/bin"
                ]))
    }

    /// Neither `initdb` nor the server may be run by root.
    private static let script = """
        set -e
        dir=$1
        bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
        as=; if [ "$(id -u)" = 0 ]; then as="setpriv --reuid postgres --regid postgres --clear-groups"; fi
        mkdir -m 700 "$dir"
        if [ "$as" ]; then chown postgres:postgres "$dir"; fi
        cd "$dir"
        $as "$bin/initdb" -D "$dir/data" -A trust -U tenants -E UTF8 --locale C.UTF-8 -N >/dev/null
        start() {
            $as "$bin/postgres" -D "$dir/data" -k "$dir" -c listen_addresses= -c max_connections=400 -c fsync=$1 \\
                -c full_page_writes=$1 -c wal_level=minimal -c max_wal_senders=0 >"$dir/log" 2>&1 &
            server=$!
            until "$bin/pg_isready" -q -h "$dir"; do kill -0 $server; sleep 0.02; done
        }
        trap 'kill -QUIT $server; wait $server; rm -rf "$dir"' EXIT
        trap 'exit 1' HUP INT TERM
        start "$2"
        echo ready
        while read -r word; do
            case $word in
                stop) kill -QUIT $server; wait $server || true;;
                start) start "$2";;
            esac
            echo ready
        done
        """

    /// Neither Debian's `postgresql` nor another in its place is installed.
    package struct Unavailable: Error {}

    /// What clients connect to a database with.
    package func address(of database: String) -> String { "host=\(folder) dbname=\(database) user=tenants" }

    /// Runs a statement as the owner of everything.
    @discardableResult
    package func run(_ sql: String, on database: String? = nil) throws -> [String] {
        try owner.withLock { owner in
            if let database { try owner.say("\\c \(database)") }
            return try owner.ask(sql + ";\n\\echo -- done", until: "-- done")
        }
    }

    /// A database of its own for one test, empty or a copy of another that nobody is connected to.
    package func makeDatabase(from template: String = "template1") throws -> String {
        let name = "t\(count.add(1, ordering: .relaxed).newValue)"
        try run("CREATE DATABASE \(name) TEMPLATE \(template) STRATEGY FILE_COPY")
        return name
    }

    package func remove(_ database: String) throws {
        try run("DROP DATABASE IF EXISTS \(database) WITH (FORCE)")
    }

    /// What a machine that loses its power does to the server, or a person who does not wait: `pg_ctl -m immediate`.
    package func stop() throws { try control.withLock { _ = try $0.ask("stop", until: "ready") } }

    package func start() throws { try control.withLock { _ = try $0.ask("start", until: "ready") } }
}

/// A program that is asked line by line. It is left when this goes: its standard input ends.
///
/// Foundation's `Process` is no help here: one thread waits for the ends of all processes, one after the other.
private final class Conversation: Sendable {
    private let process: pid_t
    private let input: Int32
    private let output: Int32
    private let pending = Mutex<[UInt8]>([])

    init(_ path: String, _ arguments: [String], in environment: [String: String]) throws {
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var process: pid_t = 0
        var input: Int32 = -1
        var output: Int32 = -1
        guard na_start_conversation(words, variables, &process, &input, &output) == 0 else {
            throw TestPostgres.Unavailable()
        }
        (self.process, self.input, self.output) = (process, input, output)
    }

    deinit {
        close(input)
        close(output)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    func say(_ line: String) throws {
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { throw TestPostgres.Unavailable() }
            bytes = bytes.dropFirst(max(0, count))
        }
    }

    /// The next line; nil where the program has ended.
    func line() throws -> String? {
        try pending.withLock { pending in
            while true {
                if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                    defer { pending.removeFirst(end + 1) }
                    return String(decoding: pending[..<end], as: UTF8.self)
                }
                var piece = [UInt8](repeating: 0, count: 4096)
                let count = read(output, &piece, piece.count)
                guard count != 0 else { return nil }
                guard count > 0 || errno == EINTR else { throw TestPostgres.Unavailable() }
                pending += piece[..<max(0, count)]
            }
        }
    }

    /// The lines that come before one that ends the answer.
    func ask(_ text: String, until end: String) throws -> [String] {
        try say(text)
        var lines: [String] = []
        while let line = try line() {
            guard line != end else { return lines }
            lines.append(line)
        }
        throw TestPostgres.Unavailable()
    }
}
