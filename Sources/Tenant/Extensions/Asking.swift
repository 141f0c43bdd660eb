// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoundationEssentials
import Synchronization
import Wire

/// What a request has asked of extensions, and what came of it. All copies of its exchange share it.
final class CalloutAnswers: Sendable {
    private let answers = Mutex<[AuthenticationExtension.Event: (callout: Callout, outcome: CalloutOutcome)]>([:])

    func outcome(of event: AuthenticationExtension.Event) -> CalloutOutcome? {
        answers.withLock { $0[event]?.outcome }
    }

    func keep(_ outcome: CalloutOutcome, of callout: Callout) {
        answers.withLock { $0[callout.event] = (callout, outcome) }
    }

    /// The code that an extension was given to send; the flow has to expect that one and no other.
    var code: String? {
        answers.withLock { answers in
            if case .emailOtpSend(_, let code, _)? = answers[.emailOtpSend]?.callout { code } else { nil }
        }
    }
}

/// Thrown by rules that cannot go on before an extension was asked.
struct NeedsCallout: Error {
    let callout: Callout
    let registration: AuthenticationExtension
    let context: CalloutContext
}

/// Lets one request of a flow in, and makes a few others wait until it has left.
final class FlowGate: Sendable {
    /// A client sends a request again, once or twice; more is no client.
    static let places = 4

    struct Full: Error {}

    private let waiting = Mutex<[[UInt8]: [DispatchSemaphore]]>([:])

    /// - Returns: False if somebody was inside, and has left by now.
    /// - Throws: ``Full`` where enough wait already.
    func enter(_ flow: [UInt8]) throws(Full) -> Bool {
        let place: DispatchSemaphore? = try waiting.withLock { waiting throws(Full) in
            guard let others = waiting[flow] else {
                waiting[flow] = []
                return nil
            }
            guard others.count < Self.places else { throw Full() }
            let place = DispatchSemaphore(value: 0)
            waiting[flow, default: []].append(place)
            return place
        }
        place?.wait()
        return place == nil
    }

    func leave(_ flow: [UInt8]) {
        let places = waiting.withLock { $0.removeValue(forKey: flow) }
        places?.forEach { $0.signal() }
    }
}

// MARK: - Between the rules and the receivers

/// Rules run inside a transaction, and a receiver may take two seconds. So the rules run as far as they get; what they did
/// is rolled back when they need to know something; the receiver is asked with no lock held; and then they run again, with
/// its answer. A proof that does not hold never gets as far as an extension, and one that holds is used up once.
extension IdentityProvider {
    /// - Parameter flow: What tells the flow from others. Two requests of one flow never ask at the same time, so that a
    ///   request that is sent twice leads to one mail.
    func asking<T>(for flow: [UInt8], _ exchange: Exchange, _ body: () throws -> T) throws -> T {
        var isInside = false
        defer { if isInside { gate.leave(flow) } }
        while true {
            do {
                // What the rules noted before was rolled back.
                exchange.noted.clear()
                return try body()
            } catch let need as NeedsCallout {
                // Whoever was inside may have changed what there is to ask, so the rules run again in any case.
                if isInside { ask(need, exchange) } else { isInside = try gate.enter(flow) }
            }
        }
    }

    private func ask(_ need: NeedsCallout, _ exchange: Exchange) {
        var outcome = callouts.ask(need.callout, of: need.registration, need.context, now: exchange.time)
        if case .failed(let failure) = outcome {
            // The log is for the owner's eyes; that it cannot be written takes nothing from the answer.
            try? record(failure, of: need.registration, at: exchange.time)
            if need.registration.failsOpen { outcome = .goOn }
        }
        exchange.callouts.keep(outcome, of: need.callout)
    }

    /// What the extension for an event says; nil if there is none for the app.
    ///
    /// - Throws: ``NeedsCallout`` where it has not been asked yet, which ``asking(for:_:_:)`` sees to.
    func outcome(
        of callout: Callout, _ app: AppRegistration, _ resource: Resource, _ exchange: Exchange,
        _ connection: inout Connection
    ) throws -> CalloutOutcome? {
        let registered = try connection.extensions().first(for: callout.event, clientID: app.clientID)
        guard let registered else { return nil }
        if let outcome = exchange.callouts.outcome(of: callout.event) {
            if case .failed = outcome, !registered.fallsBackOnError { throw Refusal.extensionFailed }
            return outcome
        }
        let context = CalloutContext(
            correlationID: exchange.correlationID, client: .init(id: app.clientID.lowercased(), name: app.name),
            resource: .init(id: resource.id, name: resource.name), clientAddress: exchange.address,
            locale: exchange.locale)
        throw NeedsCallout(callout: callout, registration: registered, context: context)
    }
}

extension Exchange {
    /// The first language that the client asks for, if it does: `nb-no`.
    fileprivate var locale: String? {
        let first = (request.headers["accept-language"] ?? "").split(whereSeparator: { ",;".contains($0) }).first
        guard let first, first.utf8.count <= 16, first.allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "-") }) else {
            return nil
        }
        return first.lowercased()
    }
}
