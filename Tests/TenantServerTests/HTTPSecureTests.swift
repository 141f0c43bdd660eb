// SPDX-License-Identifier: Apache-2.0

import Foundation
import Tenant
import Testing

@testable import TenantServer

/// The door over TLS, where no byte leaves it in the clear.
struct HTTPSecureTests {
    private let folder = OwnFolder()

    private func withSecureServer<Result>(
        limits: HTTPServer.Limits = .standard, handler: @escaping @Sendable (Request) -> Answer = echo,
        _ body: (HTTPServer) throws -> Result
    ) throws -> Result {
        let identity = try SelfSigned(folder: folder.path).identity(
            for: "127.0.0.1", now: Int64(Date().timeIntervalSince1970))
        let server = try HTTPServer(
            listen: HTTPServer.Endpoint("127.0.0.1:0"), limits: limits, identity: identity, handler: handler)
        defer { server.stop() }
        return try body(server)
    }

    /// Runs curl, which trusts the certificate; the status, how many connections it made, and its own exit code.
    private func curl(_ server: HTTPServer, _ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/curl")
        process.arguments =
            ["-sS", "--max-time", "60", "--cacert", SelfSigned(folder: folder.path).certificatePath]
            + arguments.map { $0.replacing("URL", with: "https://\(server.endpoint)/") }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = Pipe()
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? text : "exit \(process.terminationStatus)"
    }

    @Test func requestsAreAnsweredOnOneConnection() throws {
        try withSecureServer { server in
            let answers = try curl(
                server, "-d", "a", "-o", "/dev/null", "-w", "%{http_code} %{num_connects}\n", "URL", "-o", "/dev/null",
                "URL")
            #expect(answers == "200 1\n200 0\n")
            #expect(try curl(server, "-d", "hello", "URL") == "POST / hello")
        }
    }

    /// A certificate for this address, made anew.
    private func identity(in folder: OwnFolder) throws -> TLSIdentity {
        try SelfSigned(folder: folder.path).identity(for: "127.0.0.1", now: Int64(Date().timeIntervalSince1970))
    }

    @Test("a certificate is replaced while the server runs, and only for those who come later")
    func renewal() throws {
        let other = OwnFolder()
        let gate = Gate()
        let handler: @Sendable (Request) -> Answer = { request in
            if request.path == "/wait" { gate.pass() }
            return echo(request)
        }
        try withSecureServer(handler: handler) { server in
            let waiting = Result { () -> Process in
                let process = Process()
                process.executableURL = URL(filePath: "/usr/bin/curl")
                process.arguments = ["-sSf", "--cacert", SelfSigned(folder: folder.path).certificatePath]
                process.arguments? += ["https://\(server.endpoint)/wait", "https://\(server.endpoint)/again"]
                process.standardOutput = Pipe()
                try process.run()
                return process
            }
            #expect(gate.waitForArrival())
            try server.renew(try identity(in: other))
            #expect(try curl(server, "URL") == "exit 60", "the former one is not shown any more")
            #expect(try curl(server, "--cacert", SelfSigned(folder: other.path).certificatePath, "URL") == "GET / ")
            gate.open()
            let process = try waiting.get()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "its connection has begun, and goes on")
            try server.renew(try identity(in: folder))
            #expect(try curl(server, "URL") == "GET / ")
        }
    }

    @Test("a server of plain HTTP has no certificate to replace")
    func plainRenewal() throws {
        try withServer { server in
            _ = #expect(throws: HTTPServerError.noTLS) { try server.renew(try identity(in: folder)) }
        }
    }

    @Test func longAnswersComeWhole() throws {
        let text = String(repeating: "0123456789", count: 100_000)
        try withSecureServer(handler: { _ in Answer(status: 200, headers: [:], body: Array(text.utf8)) }) { server in
            let received = try curl(server, "URL")
            #expect(received == text)
        }
    }

    @Test func refusalsComeThroughTheSession() throws {
        try folder.write("large", String(repeating: "x", count: 16_385))
        let header = "X: " + String(repeating: "y", count: 20_000)
        try withSecureServer { server in
            let large = try curl(server, "--data-binary", "@\(folder.path)/large", "-w", " %{http_code}", "URL")
            #expect(large == #"{"error":"invalid_request","error_description":"The request body is too large."} 413"#)
            let head = try curl(server, "-H", header, "-w", " %{http_code}", "URL")
            #expect(head.hasSuffix(" 431") && head.hasPrefix(#"{"error":"invalid_request""#), "\(head)")
            let chunked = try curl(server, "-H", "Transfer-Encoding: gzip", "-d", "x", "-w", " %{http_code}", "URL")
            #expect(chunked.hasSuffix(" 400"), "\(chunked)")
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nHost: a\r\n\r\n", "\u{16}\u{3}\u{1}\0\u{5}\u{1}", "\r\n\r\n"])
    func plainRequestsGetNoPlainAnswer(_ bytes: String) throws {
        try withSecureServer(limits: HTTPServer.Limits(headersDeadline: HTTPDeadlineTests.short)) { server in
            let client = try HTTPClientSocket(port: server.endpoint.port)
            client.send(bytes)
            // An alert of TLS may come, and nothing of HTTP.
            #expect(try client.answer() == nil)
            #expect(try curl(server, "URL") == "GET / ")
        }
    }

    @Test func silentClientIsCutOff() throws {
        try withSecureServer(limits: HTTPServer.Limits(headersDeadline: HTTPDeadlineTests.short)) { server in
            let client = try HTTPClientSocket(port: server.endpoint.port)
            let isClosed = try client.isClosed()
            #expect(isClosed)
        }
    }

    @Test func crowdIsCutOff() throws {
        try withSecureServer(limits: HTTPServer.Limits(connections: 1)) { server in
            let clients = try (0..<8).map { _ in try HTTPClientSocket(port: server.endpoint.port) }
            for client in clients.dropLast() { #expect(try client.isClosed()) }
            #expect(try curl(server, "URL") == "GET / ")
        }
    }

    @Test func stopEndsIdleConnections() throws {
        let client = try withSecureServer { server in
            let client = try HTTPClientSocket(port: server.endpoint.port)
            #expect(try curl(server, "URL") == "GET / ")
            return client
        }
        #expect(try client.isClosed())
    }

    /// Clients that go away with a reset, before and in the middle of the handshake, leave the others alone.
    @Test func resetsDoNoHarm() throws {
        try withSecureServer { server in
            for bytes in ["", "\u{16}\u{3}\u{1}\0"] {
                let client = try HTTPClientSocket(port: server.endpoint.port)
                client.resetOnClose()
                client.send(bytes)
            }
            #expect(try curl(server, "URL") == "GET / ")
        }
    }
}
