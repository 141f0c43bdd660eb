// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoundationEssentials
import Synchronization
import TenantTesting
import Testing
import Wire

@testable import Tenant

private let mira = "mira@lofoten.example"

/// The threads of a server that send.
@Suite(.timeLimit(.minutes(2)))
struct OutboxWorkerTests {
    /// Counts attempts, and lets a test wait for one.
    private final class WayOut: Sendable {
        let attempts = Mutex<[CodeMessage]>([])
        private let done = DispatchSemaphore(value: 0)
        let failures: Int

        init(failures: Int) { self.failures = failures }

        func deliver(_ message: CodeMessage) throws {
            let count = attempts.withLock { attempts in
                attempts.append(message)
                return attempts.count
            }
            defer { done.signal() }
            if count <= failures { throw DeliveryFailure(.noConnection) }
        }

        func wait(_ count: Int) async {
            await OwnThread.run { [done] in for _ in 0..<count { done.wait() } }
        }
    }

    private func served(_ wayOut: WayOut) throws -> (Scene, OutboxWorker) {
        let tenant = try TestTenant()
        let bell = OutboxWorker.Bell()
        var provider = tenant.provider.sending { try wayOut.deliver($0) }
        provider.now = { Date() }
        provider.slowChannels = [.email]
        let ringing = provider.ringing(bell.ring)
        let worker = OutboxWorker({ ringing }, IdentityProvider.channels, threads: 2, bell: bell)
        return (Scene(tenant, by: Caller { ringing.answer($0) }), worker)
    }

    @Test("a posted message leaves at once")
    func atOnce() async throws {
        let wayOut = WayOut(failures: 0)
        let (scene, worker) = try served(wayOut)
        for number in 1...5 {
            #expect(try scene.codeSent("person\(number)@lofoten.example").status == 200)
            await wayOut.wait(1)
        }
        worker.stop(within: .seconds(60))
        #expect(wayOut.attempts.withLock { Set($0.map(\.to.text)).count } == 5)
        #expect(try scene.tenant.provider.outbox().isEmpty)
    }

    @Test("what did not leave is tried again by itself")
    func again() async throws {
        let wayOut = WayOut(failures: 2)
        let (scene, worker) = try served(wayOut)
        _ = try scene.codeSent(mira)
        await wayOut.wait(3)
        worker.stop(within: .seconds(60))
        #expect(wayOut.attempts.withLock { Set($0.map(\.id)).count } == 1)
        #expect(try scene.tenant.provider.outbox().isEmpty)
    }

    @Test("it ends while something waits, and leaves it")
    func ends() async throws {
        let wayOut = WayOut(failures: .max)
        let (scene, worker) = try served(wayOut)
        _ = try scene.codeSent(mira)
        await wayOut.wait(1)
        worker.stop(within: .seconds(60))
        let entry = try #require(try scene.tenant.provider.outbox().first)
        #expect(entry.abandonedAt == nil && entry.problem == .noConnection)
    }
}
