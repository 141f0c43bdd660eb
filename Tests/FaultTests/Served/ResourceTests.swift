// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import Synchronization
import TenantTesting
import TerminalTesting
import Testing

@testable import Tenant
@testable import TenantServer

/// Others take what a server needs: descriptors, connections, time.
@Suite("A server that is short of something", .inTurns)
struct ResourceTests {
    @Test("F17: with 64 descriptors, and all of them taken, it goes on when they are free again")
    func descriptors() async throws {
        let server = try await FaultyServer(wrapper: ["/bin/sh", "-c", "ulimit -n 64; exec \"$@\"", "sh"])
        let port = server.port
        let idle = (0..<120).compactMap { _ in try? SocketClient.connection(to: port) }
        #expect(idle.count == 120, "the system takes connections before the server does")
        for descriptor in idle { close(descriptor) }
        try await OwnThread.run {
            Result {
                var talk = server.talk(.signUp)
                try Script.signUp.play(&talk) { path, body in try persistently { try server.caller.post(path, body) } }
            }
        }.get()
        try await server.stop()
        #expect(try server.folder.check() == [])
    }

    @Test("F16: three times as many clients as there is room for: 503 and Retry-After, and nobody is lost")
    func overload() async throws {
        let tenant = try Prepared.tenant()
        let isHeld = Mutex(true)
        let arrived = DispatchSemaphore(value: 0)
        let leave = DispatchSemaphore(value: 0)
        let limits = HTTPServer.Limits(connections: 8, connectionsPerAddress: 8)
        let server = try HTTPServer(listen: HTTPServer.Endpoint("127.0.0.1:0"), limits: limits) { request in
            if isHeld.withLock({ $0 }) {
                arrived.signal()
                leave.wait()
            }
            return tenant.provider.answer(request)
        }
        defer { server.stop() }
        let port = server.endpoint.port
        let caller = Caller { try SocketClient.send($0, to: port) }
        let answers = Mutex<[Int]>([])
        let done = DispatchGroup()
        for _ in 0..<8 {
            done.enter()
            OwnThread.start {
                let status = (try? Scene.nobody(caller).status) ?? 0
                answers.withLock { $0.append(status) }
                done.leave()
            }
        }
        for _ in 0..<8 { #expect(await OwnThread.run { arrived.wait(timeout: .now() + 20) } == .success) }
        for _ in 0..<16 {
            let refused = try Scene.nobody(caller)
            #expect(refused.status == 503 && refused.headers["retry-after"] == "1")
        }
        isHeld.withLock { $0 = false }
        for _ in 0..<8 { leave.signal() }
        await OwnThread.run { done.wait() }
        #expect(answers.withLock { $0 } == Array(repeating: 400, count: 8), "those who were in were answered")
        for _ in 0..<16 { #expect(try persistently { try Scene.nobody(caller) }.error == "user_not_found") }
    }

    @Test("F15: who waits for a hanging extension waits alone")
    func hangingExtension() async throws {
        let tenant = try Prepared.tenant(patience: 100)
        let arrived = DispatchSemaphore(value: 0)
        let leave = DispatchSemaphore(value: 0)
        let receiver = try ReceiverSocket { peer in
            guard peer.request() != nil else { return }
            arrived.signal()
            leave.wait()
            peer.send(ReceiverSocket.claims)
        }
        var hook = AuthenticationExtension(
            id: UUID().uuidString.lowercased(), listenerID: UUID().uuidString.lowercased(), name: "hook",
            event: .tokenIssuanceStart, targetURL: receiver.url,
            resourceID: "api://127.0.0.1/\(UUID().uuidString.lowercased())")
        hook.apps = [Scene.codeApp]
        try tenant.provider.save(hook)
        let isOver = Mutex(false)
        let waiting = Task {
            try await OwnThread.run {
                Result {
                    var talk = tenant.talk(.codeSignIn)
                    try Script.codeSignIn.play(&talk, by: tenant.caller.delivery)
                    isOver.withLock { $0 = true }
                }
            }.get()
        }
        #expect(await OwnThread.run { arrived.wait(timeout: .now() + 20) } == .success)
        for script in [Script.passwordSignIn, .refresh, .signUp, .secondFactor] {
            var talk = tenant.talk(script)
            try script.play(&talk, by: tenant.caller.delivery)
        }
        #expect(!isOver.withLock { $0 }, "the others did not wait for it")
        leave.signal()
        try await waiting.value
        #expect(isOver.withLock { $0 })
        #expect(try tenant.findings() == [])
    }
}

/// Sends again what was not answered, or refused for now.
func persistently(_ body: () throws -> RawAnswer) throws -> RawAnswer {
    for _ in 0..<200 {
        if let answer = try? body(), answer.status != 503 { return answer }
    }
    return try body()
}
