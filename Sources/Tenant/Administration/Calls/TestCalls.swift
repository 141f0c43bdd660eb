// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials

extension OpenTenant {
    /// What only a server in test mode has.
    fileprivate func aids() throws(AdminRefusal) -> TestAids {
        guard let aids = provider.aids else { throw .notInTestMode }
        return aids
    }
}

/// Reads the tenant's clock, or moves it.
package struct MoveClock: AdminCall {
    package enum Move: Codable, Sendable {
        case stay
        case advance(seconds: Int)
        /// Back to the machine's time.
        case reset
    }

    package var move: Move

    package init(_ move: Move) { self.move = move }

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> Date {
        let aids = try tenant.aids()
        switch move {
        case .stay: break
        case .advance(let seconds):
            aids.advance(by: .seconds(seconds))
            // What waited for that time to come does not know that it has.
            tenant.provider.ring()
        case .reset: aids.resetClock()
        }
        return tenant.provider.now()
    }
}

/// Lets requests meet a fault.
package struct AddFault: AdminCall {
    package var fault: TestFault

    package init(_ fault: TestFault) { self.fault = fault }

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> Done {
        try tenant.aids().add(fault)
        return Done()
    }
}

/// Reads the faults that requests are going to meet.
package struct ReadFaults: AdminCall {
    package init() {}

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> [TestFault] {
        try tenant.aids().faults
    }
}

/// Takes all faults away.
package struct ClearFaults: AdminCall {
    package init() {}

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> Done {
        try tenant.aids().clearFaults()
        return Done()
    }
}

/// Reads the requests that the tenant has met.
package struct ReadJournal: AdminCall {
    /// The number of the last request that is known already.
    package var after: Int

    package init(after: Int = 0) { self.after = after }

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> [JournalEntry] {
        try tenant.aids().journal(after: after)
    }
}
