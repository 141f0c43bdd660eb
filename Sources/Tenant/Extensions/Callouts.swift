// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Synchronization
import Wire

/// Asks receivers. A call blocks its thread for at most ``budget``, and no receiver makes another one's callers wait.
final class Callouts: Sendable {
    /// For all attempts of a call together.
    static let budget = Duration.seconds(2)

    private let settings: Settings
    private let keys: SigningKeys
    private let random: RandomSource
    private let hosts: String?
    let patience: Int
    private let lines = Mutex<[String: CalloutLine]>([:])

    /// - Parameters:
    ///   - hosts: An address for a name, ahead of what the name service knows: `HOST:PORT:ADDRESS,…`.
    ///   - patience: So many times as long as a receiver has; for tests that are not about time.
    init(
        settings: Settings, keys: SigningKeys, random: RandomSource = .system, hosts: String? = nil, patience: Int = 1
    ) {
        self.settings = settings
        self.keys = keys
        self.random = random
        self.hosts = hosts
        self.patience = patience
    }

    /// Asks a receiver, and reads its answer.
    ///
    /// - Parameter now: The time of the request that leads to this; the token is good for five minutes from then.
    func ask(
        _ callout: Callout, of registration: AuthenticationExtension, _ context: CalloutContext, now: Date
    ) -> CalloutOutcome {
        do throws(CalloutFailure) {
            let call = try self.call(callout, registration, context, now)
            let admission = try admit(registration, now)
            let outcome = outcome(of: call, callout.event, registration)
            end(registration, admission, failed: outcome.isFailure, now)
            return outcome
        } catch {
            return .failed(error)
        }
    }

    /// The request, the same for each attempt: a receiver tells by its id that it has seen it.
    private func call(
        _ callout: Callout, _ registration: AuthenticationExtension, _ context: CalloutContext, _ now: Date
    ) throws(CalloutFailure) -> CalloutConnection.Call {
        guard registration.enabled else { throw .disabled }
        guard callout.event == registration.event else { throw .unexpected("The extension is for another event.") }
        guard let resource = registration.resource else { throw .malformedResource }
        guard let target = registration.target else { throw .unexpected("The target is no URL that can be called.") }
        guard resource.host == target.host else { throw .otherResource }
        let id = random.uuid()
        let envelope = CalloutEnvelope(
            callout: callout, registration: registration, context: context, tenantID: settings.tenantID)
        do {
            let signer = keys.current(at: Int64(now.timeIntervalSince1970))
            let token = try signer.sign(CalloutToken.claims(id: id, resource, settings, now))
            return CalloutConnection.Call(
                target: target,
                policy: AddressPolicy(target, allowsPrivateAddresses: registration.allowsPrivateAddresses),
                caFile: registration.caFile,
                headers: [
                    "Content-Type: application/json", "Accept: application/json", "Authorization: Bearer \(token)",
                    "client-request-id: \(id)",
                ],
                body: try envelope.json.compact, hosts: hosts)
        } catch {
            throw .unexpected("The request cannot be signed or written.")
        }
    }

    private func outcome(
        of call: CalloutConnection.Call, _ event: AuthenticationExtension.Event,
        _ registration: AuthenticationExtension
    ) -> CalloutOutcome {
        let deadline = ContinuousClock.now + Self.budget * patience
        var retries = min(1, max(0, registration.maximumRetries))
        let timeout = Duration.milliseconds(min(2000, max(200, registration.timeoutMilliseconds)) * patience)
        while true {
            let outcome = attempt(call, event, registration, min(timeout, deadline - .now))
            guard case .failed(let failure) = outcome, failure.mayPass, retries > 0,
                deadline - .now >= .milliseconds(50)
            else { return outcome }
            retries -= 1
        }
    }

    private func attempt(
        _ call: CalloutConnection.Call, _ event: AuthenticationExtension.Event,
        _ registration: AuthenticationExtension, _ timeout: Duration
    ) -> CalloutOutcome {
        do throws(CalloutFailure) {
            let idle = lines.withLock { $0[registration.id]?.takeIdle(for: registration) }
            let connection = if let idle { idle } else { try CalloutConnection() }
            let reply = try connection.send(call, timeout: timeout)
            lines.withLock { $0[registration.id]?.keep(connection, for: registration) }
            return reply.outcome(for: event)
        } catch {
            return .failed(error)
        }
    }
}

extension Callouts {
    private func admit(
        _ registration: AuthenticationExtension, _ now: Date
    ) throws(CalloutFailure) -> CircuitBreaker.Admission {
        let result = lines.withLock { lines in
            lines[registration.id, default: CalloutLine(registration)].admit(registration, at: now)
        }
        return try result.get()
    }

    private func end(
        _ registration: AuthenticationExtension, _ admission: CircuitBreaker.Admission, failed: Bool, _ now: Date
    ) {
        lines.withLock { $0[registration.id]?.end(registration, admission, failed: failed, at: now) }
    }
}

extension CalloutOutcome {
    /// Whether nothing came of the callout.
    var isFailure: Bool {
        if case .failed = self { true } else { false }
    }
}
