// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import NativeAuth
import Synchronization
import TenantTesting
import Testing

@testable import MSAL

/// Signing out waits for a refresh that is under way, even if nobody else in the process can do anything meanwhile.
@Suite(.timeLimit(.minutes(10)))
struct SignOutTests {
    @Test func everyThreadOfThePoolMayWait() async throws {
        let transport = HeldTransport(
            ScriptedTransport([
                .ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")), .ok(Issuer.shared.tokens()),
                .ok(Issuer.shared.tokens(access: "AT2.secret")),
            ]))
        let authority = try MSALCIAMAuthority(url: #require(URL(string: Fjordshop.authority)))
        let app = try MSALNativeAuthPublicClientApplication(
            MSALNativeAuthPublicClientApplicationConfig(
                clientId: Fjordshop.clientID, authority: authority, challengeTypes: [.OOB, .password]),
            storage: MemoryStorage(), transport: transport, time: ManualClock().source)
        let parameters = MSALNativeAuthSignInParameters(username: Fjordshop.mira)
        parameters.password = "Fjord-Salmon-47"
        let account = await withCheckedContinuation { end in
            app.signIn(parameters: parameters, delegate: Account { end.resume(returning: $0) })
        }
        let result = try #require(account)

        let refreshed = Token()
        let wish = MSALNativeAuthGetAccessTokenParameters()
        wish.forceRefresh = true
        transport.holdNext()
        result.getAccessToken(parameters: wish, delegate: refreshed)
        await transport.arrival()

        let waiting = Waiting()
        let all = ProcessInfo.processInfo.activeProcessorCount
        // A thread of its own: a queue's may be one of those that are waiting. It waits for them all, and not for ever,
        // since other tests may keep one busy.
        Thread.detachNewThread {
            while waiting.count == 0 { sched_yield() }
            let start = ContinuousClock.now
            while waiting.count < all, ContinuousClock.now - start < .seconds(1) { sched_yield() }
            transport.release()
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<all {
                group.addTask {
                    waiting.add()
                    result.signOut()
                }
            }
        }
        #expect(app.getNativeAuthUserAccount() == nil)
        #expect(await refreshed.text() == "AT2.secret")
    }
}

/// How many threads wait.
private final class Waiting: Sendable {
    private let number = Mutex(0)
    var count: Int { number.withLock { $0 } }
    func add() { number.withLock { $0 += 1 } }
}

/// Holds one request until a thread lets it go.
private final class HeldTransport: Transport {
    private let inner: ScriptedTransport
    private let isHolding = Mutex(false)
    private let arrived = AsyncStream<Void>.makeStream()
    private let released = AsyncStream<Void>.makeStream()

    init(_ inner: ScriptedTransport) { self.inner = inner }

    func holdNext() { isHolding.withLock { $0 = true } }
    func arrival() async { for await _ in arrived.stream { return } }
    func release() { released.continuation.yield() }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let isHeld = isHolding.withLock { isHolding in
            defer { isHolding = false }
            return isHolding
        }
        if isHeld {
            arrived.continuation.yield()
            for await _ in released.stream { break }
        }
        return try await inner.send(request)
    }
}

private final class Account: SignInStartDelegate {
    private let finish: (MSALNativeAuthUserAccountResult?) -> Void
    init(finish: @escaping (MSALNativeAuthUserAccountResult?) -> Void) { self.finish = finish }
    func onSignInStartError(error: SignInStartError) { finish(nil) }
    func onSignInCompleted(result: MSALNativeAuthUserAccountResult) { finish(result) }
}

private final class Token: CredentialsDelegate, Sendable {
    private let stream = AsyncStream<String>.makeStream()
    func text() async -> String? { await stream.stream.first { _ in true } }
    func onAccessTokenRetrieveError(error: RetrieveAccessTokenError) {
        stream.continuation.yield(error.localizedDescription)
    }
    func onAccessTokenRetrieveCompleted(result: MSALNativeAuthTokenResult) {
        stream.continuation.yield(result.accessToken)
    }
}
