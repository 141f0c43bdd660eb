// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization
package import Wire

/// Threads of a server's that send what is in the outbox: at once what was posted, and again what did not leave.
///
/// Threads of their own, since a mail server may take half a minute, and Swift's pool has one for each core.
package final class OutboxWorker: Sendable {
    private let bell: Bell
    private let threads: Int
    private let running = DispatchGroup()

    /// Wakes the threads, one for each time it is rung.
    package final class Bell: Sendable {
        fileprivate let semaphore = DispatchSemaphore(value: 0)
        fileprivate let isOver = Atomic(false)

        package init() {}

        fileprivate var isRungOut: Bool { isOver.load(ordering: .acquiring) }

        package func ring() { semaphore.signal() }
    }

    /// Starts the threads.
    ///
    /// - Parameter provider: The tenant as it is then: its owner may change it while it is served.
    package init(
        _ provider: @escaping @Sendable () -> IdentityProvider, _ channels: Set<Channel>, threads: Int, bell: Bell
    ) {
        self.bell = bell
        self.threads = threads
        for _ in 0..<threads {
            running.enter()
            DetachedThread.start { [provider, channels, bell, running] in
                Self.work(provider, channels, bell)
                running.leave()
            }
        }
    }

    /// Lets the threads end, and waits for those that are sending; what they leave goes out after the next start.
    package func stop(within time: Duration) {
        bell.isOver.store(true, ordering: .releasing)
        for _ in 0..<threads { bell.ring() }
        _ = running.wait(timeout: .now() + .milliseconds(Int(time / .milliseconds(1))))
    }

    private static func work(_ provider: () -> IdentityProvider, _ channels: Set<Channel>, _ bell: Bell) {
        while !bell.isRungOut {
            while !bell.isRungOut, provider().deliverNext(channels) {}
            guard !bell.isRungOut else { return }
            _ = bell.semaphore.wait(timeout: rest(provider(), channels))
        }
    }

    /// Until when nothing is due, as far as is known. A database that fails is asked again in a while.
    private static func rest(_ provider: IdentityProvider, _ channels: Set<Channel>) -> DispatchTime {
        do {
            return try provider.rest(channels).map { .now() + .seconds(Int(min($0, 3600))) } ?? .distantFuture
        } catch {
            return .now() + .seconds(5)
        }
    }
}
