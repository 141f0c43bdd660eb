// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth
import Synchronization

/// Goes through another transport, says when that takes long, and waits no longer than it may: in all, not each time.
final class PatientTransport: Transport {
    private let inner: any Transport
    private let notice: WaitingNotice?
    private let allowance: Duration?
    private let spent = Mutex(Duration.zero)

    /// - Parameters:
    ///   - allowance: How long to wait in all; nil for as long as the transport below does.
    ///   - notice: What says so; nil where nothing is to be said.
    init(_ inner: any Transport, allowance: Duration?, notice: WaitingNotice?) {
        self.inner = inner
        self.allowance = allowance
        self.notice = notice
    }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let start = ContinuousClock.now
        defer { spent.withLock { $0 += ContinuousClock.now - start } }
        guard let notice else { return try await sendInTime(request) }
        return try await notice.during { () async throws(TransportFailure) in try await sendInTime(request) }
    }

    private func sendInTime(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        guard let allowance else { return try await inner.send(request) }
        let left = allowance - spent.withLock { $0 }
        let result = left > .zero ? await race(request, against: left) : nil
        guard let result else {
            throw TransportFailure(.timedOut, message: "the command was given \(allowance.words)")
        }
        return try result.get()
    }

    /// The answer, or nil where the time was over first. The request is cancelled then, and ends at once.
    private func race(
        _ request: HTTPRequest, against time: Duration
    ) async -> Result<HTTPResponse, TransportFailure>? {
        await withTaskGroup(of: Result<HTTPResponse, TransportFailure>?.self) { group in
            group.addTask { [inner] in
                do throws(TransportFailure) {
                    return .success(try await inner.send(request))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await Task.sleep(for: time)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }
}

extension Duration {
    /// `30 seconds`, `1 second`, `0.5 seconds`.
    fileprivate var words: String {
        let milliseconds = Int64(self / .milliseconds(1))
        if milliseconds == 1000 { return "1 second" }
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) seconds" : "\(milliseconds) milliseconds"
    }
}
