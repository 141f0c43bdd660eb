// SPDX-License-Identifier: Apache-2.0

import Synchronization
package import Wire

/// What those who watch a tenant learn of a request: no token, no code, no name.
package struct Observation: Sendable {
    package let method: String
    /// The endpoint's path; `other` for what is none, so that nobody can make up names.
    package let endpoint: String
    package let status: Int
    /// What the client was told, where it was refused.
    package let refusal: Refusal?
    package let duration: Duration
    package let time: Int64
    package let correlationID: String
    package let traceID: String
    package let address: String?
    /// What came of it.
    package let events: [AuditEvent]
    /// What failed inside of the tenant, for its owner alone.
    package let failure: String?

    init(_ exchange: Exchange, endpoint: String, _ answer: Answer, took duration: Duration) {
        method = exchange.request.method
        self.endpoint = endpoint
        status = answer.status
        refusal = exchange.noted.refusal
        self.duration = duration
        time = exchange.seconds
        correlationID = exchange.correlationID
        traceID = exchange.traceID
        address = exchange.address
        events = exchange.noted.events
        failure = exchange.noted.failure
    }
}

/// What is noted while a request is answered. All copies of its exchange share it.
final class Noted: Sendable {
    private struct State {
        var events: [AuditEvent] = []
        var parcels: [Parcel] = []
        var postedForOthers = false
        var refusal: Refusal?
        var failure: String?

        /// Takes back what has come to be since then; a failure and a refusal stay told.
        mutating func forget(from former: State) {
            events = former.events
            parcels = former.parcels
            postedForOthers = former.postedForOthers
        }
    }

    private let state = Mutex(State())

    var events: [AuditEvent] { state.withLock { $0.events } }
    var refusal: Refusal? { state.withLock { $0.refusal } }
    var failure: String? { state.withLock { $0.failure } }

    /// Hands over the messages that the request has posted and delivers itself, once, and whether there are some that
    /// others deliver.
    func takePosted() -> (parcels: [Parcel], moreForOthers: Bool) {
        state.withLock { state in
            defer {
                state.parcels = []
                state.postedForOthers = false
            }
            return (state.parcels, state.postedForOthers)
        }
    }

    /// - Parameter parcel: Nil for a message that others deliver.
    func post(_ parcel: Parcel?) {
        state.withLock { state in
            if let parcel { state.parcels.append(parcel) } else { state.postedForOthers = true }
        }
    }

    func add(_ event: AuditEvent) {
        state.withLock { $0.events.append(event) }
    }

    func refuse(_ refusal: Refusal) {
        state.withLock { $0.refusal = refusal }
    }

    /// Of an error that is not the database's, only its kind is told: its words may quote what was sent.
    func fail(_ text: String, _ error: any Error) {
        let reason = (error as? StoreError)?.message ?? "\(type(of: error))"
        state.withLock { $0.failure = "\(text): \(reason)" }
    }

    /// What was noted so far has not come to pass.
    func clear() {
        state.withLock { $0.forget(from: State()) }
    }

    /// To be called before something is noted that rests on a transaction: nothing later counts if that is run again.
    func remember(for connection: inout Connection) {
        let former = state.withLock { $0 }
        connection.ifRunAgain { self.state.withLock { $0.forget(from: former) } }
    }
}

extension IdentityProvider {
    /// The endpoint that a request is for, by a name from a short list.
    func endpoint(_ exchange: Exchange) -> String {
        guard let path = exchange.path(in: settings), Self.endpoints.contains(path) else { return "other" }
        return path
    }

    private static let endpoints: Set<String> = [
        ProviderConfiguration.path, KeySet.path, Authorization.path, Browser.stepPath, Browser.devicePath,
        DeviceAuthorization.Start.path, UserInfo.path, SignUp.Start.path,
        SignUp.Challenge.path, SignUp.Continue.path, SignIn.Initiate.path, SignIn.Challenge.path,
        SignIn.Introspect.path, SignIn.Token.path, RevocationRequest.path, Logout.path, ResetPassword.Start.path,
        ResetPassword.Challenge.path, ResetPassword.Continue.path, ResetPassword.Submit.path, ResetPassword.Poll.path,
        Register.Introspect.path, Register.Challenge.path, Register.Continue.path,
    ]

    /// A refusal that was thrown took with it whatever its transaction had written. That somebody did not get in is
    /// written down all the same.
    func auditRolledBack(_ refusal: Refusal, _ exchange: Exchange) {
        exchange.noted.clear()
        let isSignIn = [SignIn.Initiate.path, SignIn.Challenge.path, SignIn.Token.path, Browser.stepPath]
            .contains(endpoint(exchange))
        guard isSignIn, refusal.isFailedSignIn else { return }
        do {
            try database.transaction { connection in
                try audit(AuditEvent(failedSignIn: refusal), exchange, &connection)
            }
        } catch {
            // Nobody got in, and the log has it.
            exchange.noted.fail("a failed sign-in cannot be written down", error)
        }
    }
}

extension AuditEvent {
    init(failedSignIn refusal: Refusal, of account: String? = nil) {
        self.init(.signInFailed, account: account, detail: refusal.errorCodes?.first.map { "AADSTS\($0)" } ?? "")
    }
}
