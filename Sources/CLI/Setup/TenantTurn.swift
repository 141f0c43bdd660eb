// SPDX-License-Identifier: Apache-2.0

import Console
import Dispatch
import Glibc
import Synchronization
import Tenant

/// The wait until another process has let go of the local tenant: it has a time to end, and ends at once when the task
/// does that waits.
final class TenantTurn: Sendable {
    private let deadline: ContinuousClock.Instant
    private let isOver = Atomic(false)

    /// Other commands have the tenant open for a moment each.
    static let patience: Duration = .seconds(30)

    init(within time: Duration? = nil) {
        deadline = .now + min(time ?? Self.patience, Self.patience)
    }

    func end() {
        isOver.store(true, ordering: .relaxed)
    }

    /// Pauses, and says whether to try again. The pause is random, since whoever has just released a lock would otherwise
    /// be the first to take it again.
    func wait() -> Bool {
        usleep(UInt32.random(in: 2_000...20_000))
        return !isOver.load(ordering: .relaxed) && .now < deadline
    }
}

extension TenantAccess {
    /// Runs `body` with the tenant open in this process, or says where it is served.
    ///
    /// A password's hash takes its time, and so does waiting, so neither happens on the cooperative pool.
    ///
    /// - Parameter time: How long to wait for another process.
    func useInTime<Value: Sendable>(
        _ time: Duration? = nil, _ body: @escaping @Sendable (IdentityProvider) throws -> Value
    ) async -> Swift.Result<Result<Value>, any Error> {
        let turn = TenantTurn(within: time)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(
                        returning: Swift.Result { try use(waiting: { _ in turn.wait() }, body) })
                }
            }
        } onCancel: {
            turn.end()
        }
    }

    /// Sends the messages that are due, each once. What does not leave stays in the outbox, which has the reason.
    func sendInTime() async {
        let turn = TenantTurn()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    try? sendWaiting(waiting: { _ in turn.wait() })
                    continuation.resume()
                }
            }
        } onCancel: {
            turn.end()
        }
    }

    /// Makes the tenant if it is not there yet, and says what stands in the way.
    ///
    /// - Returns: Whether another process serves it.
    func prepare(within time: Duration?) async throws(CommandFailure) -> Bool {
        switch await useInTime(time, { _ in }) {
        case .success(.served): true
        case .success(.done): false
        case .failure(let error): throw CommandFailure(tenant: error)
        }
    }
}
