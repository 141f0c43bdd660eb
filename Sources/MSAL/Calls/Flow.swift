// SPDX-License-Identifier: Apache-2.0

import Foundation
import NativeAuth

/// How one call of an app ended.
enum Outcome<Value: Sendable>: Sendable {
    case done(Value)
    /// - Parameter retry: What `NativeAuth` leaves to try again from.
    case failed(Failure, retry: Value?)
}

/// A flow of an app: what its calls go through, and the id that ties them together.
struct Flow: Sendable {
    let client: NativeAuthClient
    let correlation: Correlation

    /// - Parameter correlationID: The app's own id; nil for a new one.
    init(_ client: NativeAuthClient, _ correlationID: UUID?) {
        self.client = client
        correlation = Correlation(correlationID)
    }

    /// A failure that nothing more is known about.
    var general: Failure { .general(correlation) }

    /// Does what an app asked for, and then says one word to its delegate: on the main actor, and never before the call
    /// has returned.
    ///
    /// Where that word is an optional method that the delegate leaves out, the delegate hears of it by its error method.
    ///
    /// - Parameters:
    ///   - user: Whom it is about, for the log.
    ///   - name: The app's call, for the log.
    ///   - work: What to do; it runs off the main actor.
    ///   - tell: Says the outcome.
    func perform<Delegate, Value: Sendable>(
        _ delegate: Delegate, about user: String? = nil, name: String = #function,
        _ work: @escaping @Sendable () async throws -> Value,
        _ tell: @escaping @MainActor @Sendable (Delegate, Outcome<Value>) -> Void
    ) {
        let delegate = Handed(value: delegate)
        Log.info("\(name) begins" + (user.map { " for \(Log.euii($0))" } ?? ""), correlation)
        Task(executorPreference: Worker.shared) {
            let outcome = await Outcome(of: work, correlation)
            outcome.log(name, correlation)
            await MainActor.run {
                guard let missing = OptionalMethod.missing(in: { tell(delegate.value, outcome) }) else { return }
                Log.error("\(name): the delegate has no \(missing)", correlation)
                tell(delegate.value, .failed(.missing(missing, correlation), retry: nil))
            }
        }
    }
}

/// A delegate on its way to the main actor. It is only touched there, so it needs not be `Sendable`.
private struct Handed<Value>: @unchecked Sendable {
    let value: Value
}

extension Outcome {
    fileprivate init(of work: @Sendable () async throws -> Value, _ correlation: Correlation) async {
        do {
            self = .done(try await work())
        } catch let failure as StepError<Value> {
            self = .failed(Failure(failure.error, correlation), retry: failure.retry)
        } catch let error as AuthError {
            self = .failed(Failure(error, correlation), retry: nil)
        } catch {
            self = .failed(.general(correlation), retry: nil)
        }
    }

    fileprivate func log(_ name: String, _ correlation: Correlation) {
        switch self {
        case .done: Log.info("\(name) ends well", correlation)
        case .failed(let failure, _): Log.error("\(name) fails: \(failure.forLog)", correlation)
        }
    }
}
