// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import Synchronization
import TenantTesting
import TerminalTesting
import Testing

@Suite("nativeauth curl --retry-auth", .inTurns)
struct CurlRetryTests {
    let home: Home

    init() throws { home = try Home() }

    /// A server that takes every token but one.
    private func server(rejecting token: String, body: String = "orders") throws -> ReceiverSocket {
        try ReceiverSocket { peer in
            guard let request = peer.request() else { return }
            let isRejected = request.contains("Bearer \(token)\r\n")
            peer.send(ReceiverSocket.answer(isRejected ? "401 Unauthorized" : "200 OK", isRejected ? "go away" : body))
        }
    }

    @Test("a rejected token is renewed once, and nothing of the first answer is put out", arguments: [[], ["-i"]])
    func renewed(options: [String]) async throws {
        try await home.signUp("ada@example.com")
        let old = try await home.token()
        let server = try server(rejecting: old)
        let outcome = try await home.run(["curl", "--retry-auth", server.origin, "-sS", "-d", "a=1"] + options)()
        #expect(outcome.ending == .exit(0) && outcome.output.hasSuffix("orders"), "\(outcome)")
        #expect(!outcome.output.contains("401") && !outcome.output.contains("go away"))
        let new = try await home.token()
        #expect(new != old && server.authorizations == ["Bearer \(old)", "Bearer \(new)"])
        #expect(server.requests.allSatisfy { $0.hasSuffix("\r\n\r\na=1") })
    }

    @Test("a server that rejects the new token, too, is asked twice, and its answer is the command's")
    func hopeless() async throws {
        try await home.signUp("ada@example.com")
        let server = try ReceiverSocket.answering(ReceiverSocket.answer("401 Unauthorized", "go away"))
        let outcome = try await home.nativeauth("curl", "--retry-auth", server.origin, "-sS")
        #expect(outcome.ending == .exit(0) && outcome.output == "go away", "\(outcome)")
        #expect(Set(server.authorizations).count == 2 && server.accepted == 2)
        let plain = try await home.nativeauth("curl", server.origin, "-sS")
        #expect(plain.output == "go away" && server.accepted == 3)
    }

    @Test("where another process has renewed it meanwhile, the tenant is not asked")
    func renewedByAnother() async throws {
        try await home.signUp("ada@example.com")
        let old = try await home.token()
        let home = home
        let server = try ReceiverSocket { peer in
            guard let request = peer.request() else { return }
            let isRejected = request.contains("Bearer \(old)\r\n")
            if isRejected { _ = try? home.run(["token", "--force-refresh"]).wait() }
            peer.send(ReceiverSocket.answer(isRejected ? "401 Unauthorized" : "200 OK", "x"))
        }
        let log = home.path + "/log"
        let outcome = try await home.nativeauth("curl", "--retry-auth", "--debug-file", log, server.origin, "-sS")
        #expect(outcome.ending == .exit(0) && server.accepted == 2, "\(outcome)")
        let token = try await home.token()
        #expect(server.authorizations.last == "Bearer \(token)")
        #expect(home.read(log) ?? "" == "", "there was a request to the tenant")
    }

    @Test("eight at once cost one refresh")
    func many() async throws {
        try await home.signUp("ada@example.com")
        let old = try await home.token()
        let server = try server(rejecting: old)
        let home = home
        try await withThrowingTaskGroup(of: Run.Outcome.self) { group in
            for _ in 0..<8 {
                group.addTask { try await home.nativeauth("curl", "--retry-auth", server.origin, "-sS") }
            }
            for try await outcome in group { #expect(outcome.output == "orders", "\(outcome)") }
        }
        #expect(Set(server.authorizations.filter { $0 != "Bearer \(old)" }).count == 1)
    }

    @Test("other answers pass through as they come, large ones whole, with curl's exit code")
    func passedThrough() async throws {
        try await home.signUp("ada@example.com")
        let body = String(repeating: "0123456789abcdef", count: 1 << 17)
        let server = try server(rejecting: "none of ours", body: body)
        let large = try await home.nativeauth("curl", "--retry-auth", server.origin, "-sS")
        #expect(large.ending == .exit(0) && large.output == body && server.accepted == 1)
        let port = try ClosedPort()
        let refused = try await home.nativeauth("curl", "--retry-auth", "http://127.0.0.1:\(port.number)", "-s")
        #expect(refused.ending == .exit(7), "\(refused)")
        withExtendedLifetime(port) {}
        var full = home.run(["curl", "--retry-auth", server.origin, "-sS"])
        full.output = .file("/dev/full")
        #expect(try await full().ending == .exit(23), "curl says what it could not write")
    }

    @Test("what comes is put out before the answer is whole, and a signal ends curl, too")
    func streamed() async throws {
        try await home.signUp("ada@example.com")
        let hasEnded = AsyncStream<Void>.makeStream()
        let server = try ReceiverSocket { peer in
            guard peer.request() != nil else { return }
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfirst\n")
            peer.waitForEnd()
            hasEnded.continuation.yield()
        }
        let session = try home.session("curl", "--retry-auth", server.origin, "-sSN")
        try await session.expect("first")
        await session.signal(15)
        #expect(try await session.finish() == .signal(15))
        for await _ in hasEnded.stream { break }
    }

    @Test("an output that cannot be written is never taken for success")
    func full() async throws {
        try await home.signUp("ada@example.com")
        let server = try server(rejecting: "another")
        var run = home.run(["curl", "--retry-auth", server.origin, "-sS"])
        run.output = .file("/dev/full")
        let outcome = try await run()
        #expect(outcome.ending == .exit(74) && outcome.errors.contains("Cannot write the output"), "\(outcome)")
    }

    @Test("a body that cannot be sent twice is refused before anything is sent: 64")
    func body() async throws {
        let server = try ReceiverSocket.answering(ReceiverSocket.answer("200 OK"))
        for options in [["-d", "@-"], ["-T", "-"], ["-D", "heads"]] {
            let outcome = try await home.run(["curl", "--retry-auth", server.origin] + options)()
            #expect(outcome.ending == .exit(64), "\(outcome)")
        }
        #expect(server.accepted == 0)
    }
}
