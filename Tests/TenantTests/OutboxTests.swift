// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TenantTesting
import Testing
import Wire

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

    /// How long a message rests after the first failure; twice as long after the second.
    private let pause = 1.0

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
        tenant.clock.advance(by: 2 * pause)
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
        tenant.clock.advance(by: 2 * pause)
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

    @Test("Rule 8: of a burst of requests for codes only as many lead to a mail as are allowed")
    func refusedCodePostsNothing() throws {
        var answer = try scene.codeSent(mira)
        for _ in 2...5 { answer = try scene.signUpChallenge(answer.token) }
        for _ in 6...100 { #expect(try scene.signUpChallenge(answer.token).code == 701_014) }
        #expect(wayOut.ids.count == 5)
        #expect(try provider.outbox().isEmpty)
    }

    // MARK: - Trying again, and giving up

    /// When a message that never leaves is tried, in seconds after it was posted.
    @Test("I5: a failed message is tried again ever more slowly, and then given up with its reason")
    func schedule() throws {
        var tried: [Int] = []
        wayOut.set { _ in throw DeliveryFailure(.noConnection, reply: "421 later") }
        _ = try scene.codeSent(mira)
        for second in 1...700 {
            tenant.clock.advance(by: 1)
            provider.deliverWaiting()
            while wayOut.ids.count > tried.count + 1 { tried.append(second) }
        }
        #expect(tried == [1, 3, 7, 15, 31, 63, 123, 183, 243, 303, 363, 423, 483, 543])
        #expect(Set(wayOut.ids).count == 1)
        let entry = try #require(try provider.outbox().first)
        #expect(entry.reason == .expired && entry.problem == .noConnection && entry.reply == "421 later")
        #expect(entry.attempts == 15 && entry.to == mira && entry.abandonedAt.map { $0 - entry.postedAt } == 600)
    }

    @Test("I5: what was given up is kept for a day, and then it is gone")
    func keptForADay() throws {
        wayOut.set { _ in throw DeliveryFailure(.recipientRefused, reply: "550 nobody", isFinal: true) }
        _ = try scene.codeSent(mira)
        let entry = try #require(try provider.outbox().first)
        #expect(entry.reason == .refused && entry.problem == .recipientRefused && entry.attempts == 1)
        tenant.clock.advance(by: 86399)
        provider.deliverWaiting()
        #expect(try provider.outbox().count == 1)
        tenant.clock.advance(by: 1)
        provider.deliverWaiting()
        #expect(try provider.outbox().isEmpty)
        #expect(wayOut.ids.count == 1, "a final refusal is not asked for twice")
    }

    @Test func messageThatCannotBeReadIsGivenUp() throws {
        try provider.database.transaction { connection in
            _ = try connection.run("INSERT INTO outbox (sealed) VALUES (?)", .blob([1, 2]))
        }
        provider.deliverWaiting()
        let entry = try #require(try provider.outbox().first)
        #expect(entry.reason == .unreadable && entry.to == nil)
        #expect(wayOut.ids.isEmpty)
    }

    @Test("a claim of a process that was killed is taken back when the tenant is opened", .inFile)
    func claimOfTheDead() throws {
        try leaveWaiting(1)
        #expect(try provider.claimNext(IdentityProvider.channels) != nil)
        #expect(try provider.claimNext(IdentityProvider.channels) == nil)
        let opened = try tenant.open()
        #expect(try opened.claimNext(IdentityProvider.channels) != nil)
    }

    @Test("a claim of a process that sends while the tenant is closed stays", .inFile)
    func claimOfTheLiving() throws {
        try leaveWaiting(1)
        guard let turn = try SendingTurn.attempt(tenant.folder) else {
            Issue.record("somebody else sends")
            return
        }
        #expect(try provider.claimNext(IdentityProvider.channels) != nil)
        #expect(try tenant.open().claimNext(IdentityProvider.channels) == nil)
        _ = consume turn
        #expect(try tenant.open().claimNext(IdentityProvider.channels) != nil)
    }

    @Test("who sends is done although a program that is just being started has the lock's file, too", .inFile)
    func turnBesideAStart() throws {
        guard let turn = try SendingTurn.attempt(tenant.folder) else {
            Issue.record("somebody else sends")
            return
        }
        let path = URL(filePath: tenant.folder.path + "/sending.lock").resolvingSymlinksInPath().path
        let files = FileManager.default
        let file = try files.contentsOfDirectory(atPath: "/proc/self/fd").first {
            (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        }
        let copy = dup(try #require(file.flatMap { Int32($0) }))
        defer { close(copy) }
        #expect(copy >= 0 && !tenant.folder.isNobodySending)
        _ = consume turn
        #expect(tenant.folder.isNobodySending)
    }

    @Test("Rule 31: a message on a slow way is posted, and the answer does not wait for it")
    func slowChannel() throws {
        var slow = provider
        slow.slowChannels = [.email]
        let rings = Mutex(0)
        let ringing = slow.ringing { rings.withLock { $0 += 1 } }
        wayOut.set { _ in Issue.record("sent in the request") }
        let sent = try Scene(tenant, by: Caller { ringing.answer($0) }).codeSent(mira)
        #expect(sent["challenge_type"] == .string("oob"))
        #expect(wayOut.ids.isEmpty)
        #expect(rings.withLock { $0 } == 1)
        wayOut.set { _ in }
        slow.deliverWaiting()
        #expect(wayOut.ids.count == 1)
    }
}
