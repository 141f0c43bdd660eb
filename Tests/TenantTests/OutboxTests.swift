// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TenantTesting
import Testing

@testable import Tenant

private let mira = "mira@lofoten.example"

/// Messages leave once, however slow the way out is and however often it fails.
struct OutboxTests {
    /// A way out that a test decides about, and what was handed to it.
    private final class WayOut: Sendable {
        let handed = Mutex<[CodeMessage]>([])
        /// What happens while a message is on its way.
        let journey = Mutex<@Sendable (CodeMessage) throws -> Void>({ _ in })

        func deliver(_ message: CodeMessage) throws {
            handed.withLock { $0.append(message) }
            try journey.withLock { $0 }(message)
        }

        func set(_ journey: @escaping @Sendable (CodeMessage) throws -> Void) {
            self.journey.withLock { $0 = journey }
        }

        var ids: [String] { handed.withLock { $0.map(\.id) } }
    }

    private struct Lost: Error {}

    private let tenant: TestTenant
    private let wayOut = WayOut()
    private let provider: IdentityProvider
    private let scene: Scene

    init() throws {
        tenant = try TestTenant()
        let wayOut = wayOut
        let provider = tenant.provider.sending { try wayOut.deliver($0) }
        self.provider = provider
        scene = Scene(tenant, by: Caller { provider.answer($0) })
    }

    /// How long a message rests after a failure.
    private let pause = 5.0

    /// Codes for so many addresses that could not be delivered.
    private func leaveWaiting(_ count: Int) throws {
        wayOut.set { _ in throw Lost() }
        for number in 0..<count { _ = try scene.codeSent("person\(number)@lofoten.example") }
        wayOut.handed.withLock { $0 = [] }
        wayOut.set { _ in }
        tenant.clock.advance(by: pause)
    }

    @Test func messageLeavesOnce() throws {
        _ = try scene.codeSent(mira)
        provider.deliverWaiting()
        tenant.clock.advance(by: 3600)
        provider.deliverWaiting()
        #expect(wayOut.ids.count == 1)
        #expect(wayOut.handed.withLock { $0.first?.to.text } == mira)
    }

    @Test func failedMessageIsTriedAgainUnderItsID() throws {
        wayOut.set { _ in throw Lost() }
        let sent = try scene.codeSent(mira)
        #expect(sent.status == 200)
        tenant.clock.advance(by: pause)
        provider.deliverWaiting()
        provider.deliverWaiting()
        #expect(wayOut.ids.count == 2)
        wayOut.set { _ in }
        tenant.clock.advance(by: pause)
        provider.deliverWaiting()
        provider.deliverWaiting()
        #expect(wayOut.ids.count == 3)
        #expect(Set(wayOut.ids).count == 1)
        let code = wayOut.handed.withLock { $0.last?.code } ?? ""
        #expect(try scene.proceed(sent.token, "grant_type=oob&oob=\(code)").error == "credential_required")
    }

    @Test func failureOfOneIsNoneOfTheOthers() throws {
        try leaveWaiting(3)
        wayOut.set { if $0.to.text.hasPrefix("person1") { throw Lost() } }
        provider.deliverWaiting()
        tenant.clock.advance(by: pause)
        provider.deliverWaiting()
        let counts = Dictionary(grouping: wayOut.handed.withLock { $0.map(\.to.text) }, by: { $0 }).mapValues(\.count)
        #expect(counts.values.sorted() == [1, 1, 2])
        #expect(counts["person1@lofoten.example"] == 2)
    }

    /// Whoever looks while a message is on its way leaves it to the one who carries it.
    @Test func messageOnItsWayIsLeftAlone() throws {
        let provider = provider
        wayOut.set { _ in provider.deliverWaiting() }
        _ = try scene.codeSent(mira)
        #expect(wayOut.ids.count == 1)
    }

    @Test func waitingMessageIsLeftAloneToo() throws {
        try leaveWaiting(1)
        let provider = provider
        wayOut.set { _ in provider.deliverWaiting() }
        provider.deliverWaiting()
        #expect(wayOut.ids.count == 1)
    }

    @Test func manyWaitingMessagesLeaveOnceEachWhenManyLook() async throws {
        try leaveWaiting(20)
        let provider = provider
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { provider.deliverWaiting() } }
        }
        #expect(wayOut.ids.count == 20)
        #expect(Set(wayOut.ids).count == 20)
    }

    /// Each message takes ten seconds, and somebody else looks while one of them is on its way.
    @Test(arguments: 1...6)
    func slowWayOutMakesOneOfEach(_ number: Int) throws {
        try leaveWaiting(6)
        let (provider, clock, wayOut) = (provider, tenant.clock, wayOut)
        wayOut.set { _ in
            clock.advance(by: 10)
            guard wayOut.ids.count == number else { return }
            wayOut.set { _ in }
            provider.deliverWaiting()
        }
        provider.deliverWaiting()
        #expect(Set(wayOut.ids).count == 6)
        #expect(wayOut.ids.count == 6)
    }

    @Test func repeatedCallPostsNothing() throws {
        let opened = try scene.start(mira)
        for _ in 0..<3 { _ = try scene.signUpChallenge(opened.token) }
        #expect(wayOut.ids.count == 1)
    }

    @Test func refusedCodePostsNothing() throws {
        var answer = try scene.codeSent(mira)
        for _ in 2...5 { answer = try scene.signUpChallenge(answer.token) }
        #expect(try scene.signUpChallenge(answer.token).code == 701_014)
        #expect(wayOut.ids.count == 5)
    }
}
