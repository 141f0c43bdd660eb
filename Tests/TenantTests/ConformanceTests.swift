// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Testing

/// The protocol's conformance vectors, in process.
struct ConformanceTests {
    @Test(arguments: Conformance.vectors)
    func answersAsTheProtocolSays(_ vector: ConformanceVector) throws {
        let scene = Scene(try TestTenant())
        let problems = try vector.problems(in: scene)
        #expect(problems == [], "\(vector)")
    }
}
