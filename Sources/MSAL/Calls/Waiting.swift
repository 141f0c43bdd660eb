// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Waits for asynchronous work where Microsoft's names leave no other way.
///
/// The work runs on a thread of its own. It cannot wait for the threads of the cooperative pool, which may all be waiting
/// here themselves.
enum Waiting {
    static func wait(for work: @escaping @Sendable () async throws -> Void) throws {
        let done = DispatchSemaphore(value: 0)
        let result = Mutex<Result<Void, any Error>>(.success(()))
        Task(executorPreference: OneThread()) {
            do { try await work() } catch { result.withLock { $0 = .failure(error) } }
            done.signal()
        }
        done.wait()
        try result.withLock { $0 }.get()
    }
}

/// Runs tasks on a thread of its own.
private final class OneThread: TaskExecutor {
    private let queue = DispatchQueue(label: "nativeauth.waiting")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
