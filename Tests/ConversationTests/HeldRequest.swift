// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// A request that waits in the server, or in a receiver, until the test lets it go.
struct HeldRequest: Sendable {
    private let arrived = AsyncStream.makeStream(of: Void.self)
    private let answered = AsyncStream.makeStream(of: Void.self)
    private let departure = DispatchSemaphore(value: 0)

    /// For the thread of the request: says that it is here, and waits; not for ever, should the test have failed.
    func stay() {
        arrived.continuation.yield()
        _ = departure.wait(timeout: .now() + 20)
    }

    /// For the test: waits until the request is here.
    func arrival() async {
        for await _ in arrived.stream { return }
    }

    /// For the test: lets one request go.
    func release() { departure.signal() }

    /// For the thread of the request: says that its answer is made.
    func leave() { answered.continuation.yield() }

    /// For the test: waits until the answer to a request is made, whether somebody hears it or not.
    func answer() async {
        for await _ in answered.stream { return }
    }
}
