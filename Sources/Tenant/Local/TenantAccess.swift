// SPDX-License-Identifier: Apache-2.0

import Files
package import FoundationEssentials
import Glibc
import Sockets

/// A way to a tenant of this user that may be open in another process: by its database if that is free, by the URL of
/// the process that serves it if not.
package struct TenantAccess: Sendable {
    package let folder: TenantFolder
    package let name: String
    private let now: @Sendable () -> Date

    package init(folder: TenantFolder, name: String, now: @escaping @Sendable () -> Date = { Date() }) {
        self.folder = folder
        self.name = name
        self.now = now
    }

    /// Why there is no way in.
    package enum Refused: Error, Sendable {
        case problem(TenantFolder.Problem)
        /// Another process has the database open, and does not let go.
        case busy
        /// Another process serves the tenant.
        case served(ServedPlace)
    }

    /// What came of ``use(_:)``.
    package enum Result<Value: Sendable>: Sendable {
        case done(Value)
        case served(ServedPlace)
    }

    /// Takes the right to have the tenant open; throws ``Refused/served(_:)`` where another process serves it.
    ///
    /// A command has the tenant open for a few milliseconds, so it is worth waiting for; `wait` is asked before each
    /// further attempt and gives up by returning false.
    package func lock(waiting wait: (_ attempt: Int) -> Bool) throws(Refused) -> TenantLock {
        var attempt = 0
        while true {
            switch try attemptLock() {
            case .acquired(let lock): return lock
            case .served(let place): throw .served(place)
            case .busy:
                attempt += 1
                guard wait(attempt) else { throw .busy }
            }
        }
    }

    /// Runs `body` with the tenant open in this process, or says where it is served.
    package func use<Value: Sendable>(
        waiting wait: (_ attempt: Int) -> Bool, _ body: (IdentityProvider) throws -> Value
    ) throws -> Result<Value> {
        do {
            let lock = try lock(waiting: wait)
            let value = try body(try open())
            _ = consume lock
            return .done(value)
        } catch Refused.served(let place) {
            return .served(place)
        }
    }

    /// Has a call carried out: here, or by the process that serves the tenant.
    ///
    /// - Throws: What keeps the call from being carried out as an ``AdminRefusal``; a ``Refused`` where there is no way in.
    package func perform<C: AdminCall>(
        _ call: C, waiting wait: (_ attempt: Int) -> Bool, _ tell: (AdminProgress) throws -> Void = { _ in }
    ) throws -> C.Reply {
        let result = try use(waiting: wait) { provider in
            let reply = try call.run(on: OpenTenant(provider, in: folder), tell)
            if C.changesContents { try folder.updateCard(of: folder.reload(provider)) }
            return reply
        }
        switch result {
        case .done(let reply): return reply
        case .served(let place):
            do {
                return try AdminSocket(folder).ask(call, tell)
            } catch let error as SocketError where error.isNobody {
                throw Refused.served(place)
            }
        }
    }

    /// The tenant's card; makes the tenant if it is not there yet.
    package func card(waiting wait: (_ attempt: Int) -> Bool) throws -> TenantCard {
        do {
            if let card = try folder.card() { return card }
        } catch {
            throw Refused.problem(error)
        }
        switch try use(waiting: wait, { try folder.updateCard(of: $0) }) {
        case .done(let card): return card
        case .served(let place): throw Refused.served(place)
        }
    }

    /// Opens the tenant for the holder of the lock.
    package func open(origin: String = TenantDefaults.origin) throws(Refused) -> IdentityProvider {
        do {
            let cores = ProcessInfo.processInfo.activeProcessorCount
            let provider = try folder.open(
                name: name, origin: origin, cores: cores, now: now, elapsed: SteadyTime.sinceStart)
            try folder.updateCard(of: provider)
            return provider
        } catch {
            throw .problem(error)
        }
    }

    /// Looks at the tenant, here or in the process that serves it, and changes nothing: one that is damaged is not opened
    /// by its own rules first.
    package func check(waiting wait: (_ attempt: Int) -> Bool) throws -> [Finding] {
        do {
            let lock = try lock(waiting: wait)
            let findings = try folder.check()
            _ = consume lock
            return findings
        } catch Refused.served {
            return try perform(CheckTenant(), waiting: wait)
        }
    }

    private func attemptLock() throws(Refused) -> TenantLock.Attempt {
        do { return try TenantLock.attempt(folder) } catch { throw .problem(.file(error)) }
    }
}
