// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import Synchronization
import TenantTesting
import TerminalTesting
import Testing

@testable import Tenant

/// Two servers of one tenant, which share a PostgreSQL database, and an nginx that sends them requests in turn.
final class Cluster: Sendable {
    let postgres: TestPostgres
    /// The same tenant in this process, to look at.
    let tenant: TestTenant
    /// Where nginx listens.
    let port: UInt16
    private let homes: [Home]
    private let servers: Mutex<[TerminalSession]>
    private let proxy: TerminalSession

    init() async throws {
        postgres = try TestPostgres(keepsItsWord: true)
        // Mail that a killed server has claimed is not waited for longer than it has to be.
        tenant = try TestTenant(on: postgres) { $0.smtpTimeout = 1 }
        homes = try [Home(.fresh), Home(.fresh)]
        port = try FreePort.number()
        var sessions: [TerminalSession] = []
        var ports: [UInt16] = []
        for home in homes {
            try Self.furnish(home, as: tenant.folder)
            let (session, place) = try await Self.serve(home, at: 0, behind: port)
            sessions.append(session)
            ports.append(place)
        }
        servers = Mutex(sessions)
        self.ports = ports
        proxy = try await Self.proxy(from: port, to: ports, in: homes[0])
    }

    private let ports: [UInt16]

    /// What makes a folder that of a further server: the key, and where the database is.
    private static func furnish(_ home: Home, as folder: TenantFolder) throws {
        try FileManager.default.createDirectory(
            atPath: home.tenantFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for path in [folder.keyPath, folder.serverPath] {
            let copy = home.tenantFolder + "/" + (path.split(separator: "/").last ?? "")
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            chmod(copy, 0o600)
        }
    }

    private static func serve(
        _ home: Home, at port: UInt16, behind proxy: UInt16
    ) async throws -> (TerminalSession, UInt16) {
        let session = try TerminalSession.spawn(
            executable: BuiltProgram.path("nativeauth-tenant"),
            arguments: ["serve", "--listen", "127.0.0.1:\(port)", "--public-origin", "http://127.0.0.1:\(proxy)"],
            environment: home.environment, directory: home.path)
        try await session.expect("Serving tenant 'local' at http://127.0.0.1:", timeout: .seconds(60))
        return (session, try #require(UInt16(try await session.expect("/").dropLast())))
    }

    /// A request that a server leaves without an answer goes to the other one: the same request has the same answer.
    private static func proxy(from port: UInt16, to ports: [UInt16], in home: Home) async throws -> TerminalSession {
        let folder = home.path + "/nginx"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(folder)/\($0);"
        }
        let text = """
            daemon off; pid \(folder)/pid; error_log \(folder)/errors;\(geteuid() == 0 ? " user root;" : "")
            events {}
            http {
                access_log off; \(places.joined(separator: " "))
                upstream tenant { \(ports.map { "server 127.0.0.1:\($0) fail_timeout=1s;" }.joined(separator: " ")) }
                server {
                    listen 127.0.0.1:\(port);
                    location / {
                        proxy_pass http://tenant;
                        proxy_connect_timeout 2s;
                        proxy_next_upstream error timeout http_502 non_idempotent;
                    }
                }
            }
            """
        try Data(text.utf8).write(to: URL(filePath: folder + "/conf"))
        let session = try TerminalSession.spawn(
            executable: "/usr/sbin/nginx", arguments: ["-e", "\(folder)/errors", "-c", "\(folder)/conf"],
            environment: home.environment, directory: home.path)
        for _ in 0..<500 {
            if let place = try? SocketClient.connection(to: port) {
                close(place)
                return session
            }
            usleep(20_000)
        }
        throw SocketClient.NoAnswer(description: "nginx does not listen: \(await session.transcript)")
    }

    // MARK: - What is done to it

    /// Ends a server as a machine does that loses its power.
    func kill(_ number: Int) async throws {
        let session = servers.withLock { $0[number] }
        await session.signal(SIGKILL)
        try await session.finish(timeout: .seconds(60))
    }

    /// Starts a server anew, at the same place.
    func start(_ number: Int) async throws {
        let (session, _) = try await Self.serve(homes[number], at: ports[number], behind: port)
        servers.withLock { $0[number] = session }
    }

    func stop() async throws {
        await proxy.signal(SIGTERM)
        try await proxy.finish(timeout: .seconds(60))
        for session in servers.withLock({ $0 }) {
            await session.signal(SIGTERM)
            let ending = try await session.finish(timeout: .seconds(60))
            let transcript = await session.transcript
            #expect(ending == .exit(0), "\(transcript)")
        }
    }

    // MARK: - Its clients

    /// A client that sends a request again, to the last byte, until it has an answer.
    var caller: Caller { Caller { [port] request in try SocketClient.send(request, to: port) }.patient }

    /// The code that one of the servers mailed to an address, another one than those that are known. Where the server was
    /// killed that was about to, the other one mails it when the claim is over.
    func code(for address: String, besides known: Set<String> = []) throws -> String {
        let end = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < end {
            if let code = try codes(for: address).first(where: { !known.contains($0) }) { return code }
            usleep(20_000)
        }
        throw Scene.NoMail(address: address)
    }

    /// All codes that were mailed to an address.
    func codes(for address: String) throws -> [String] {
        try homes.flatMap { home in
            try TenantFolder(path: home.tenantFolder).spool.messages(to: address, withCode: true).map(\.code)
        }
    }
}

/// A port that nobody listens at.
enum FreePort {
    static func number() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 ? getsockname(descriptor, address, &length) : -1
            }
        }
        guard result == 0 else { throw SocketClient.NoAnswer(description: "no free port: errno \(errno)") }
        return UInt16(bigEndian: address.sin_port)
    }
}
