// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// The threads on which the work of apps is done.
///
/// They are not those of the cooperative pool. An app may block one of these in `signOut()`, or all of them, and what it
/// waits for has to go on all the same: a refresh that is under way holds the cache until it ends.
final class Worker: TaskExecutor {
    static let shared = Worker()

    private let queue = DispatchQueue(label: "nativeauth.msal", attributes: .concurrent)

    private init() {}

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Waits for asynchronous work where Microsoft's names leave no other way.
    func wait(for work: @escaping @Sendable () async throws -> Void) throws {
        let done = DispatchSemaphore(value: 0)
        let result = Mutex<Result<Void, any Error>>(.success(()))
        Task(executorPreference: self) {
            do { try await work() } catch { result.withLock { $0 = .failure(error) } }
            done.signal()
        }
        done.wait()
        try result.withLock { $0 }.get()
    }
}
