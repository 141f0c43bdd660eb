// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Testing

/// The protocol's conformance vectors, in process.
struct ConformanceTests {
    /// The rate of requests, which vector 120 is about, is each server's own.
    @Test(arguments: Conformance.vectors.filter { TestTenant.store != .replicas || $0.number != "120" })
    func answersAsTheProtocolSays(_ vector: ConformanceVector) throws {
        let scene = Scene(try TestTenant(vector.settings))
        let problems = try vector.problems(in: scene)
        #expect(problems == [], "\(vector)")
    }

    /// The table has no gap, and no line that the protocol does not have.
    @Test func everyVectorHasALine() {
        let numbers = Set(Conformance.vectors.map(\.number))
        #expect((1...124).map(String.init).filter { !numbers.contains($0) } == [])
        #expect(numbers.subtracting((1...124).map(String.init)) == [])
    }
}
