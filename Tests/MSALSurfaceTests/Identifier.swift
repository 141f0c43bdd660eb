// SPDX-License-Identifier: Apache-2.0

import Testing

/// A public identifier of Microsoft's SDK, and code that uses it the way an app does.
struct Identifier: Sendable, CustomTestStringConvertible {
    let name: String
    let holds: @Sendable () throws -> Bool

    /// An identifier with a value that can be looked at.
    init(_ name: String, _ holds: @escaping @Sendable () throws -> Bool) {
        self.name = name
        self.holds = holds
    }

    /// An identifier that apps cannot make one of: that this compiles is the test.
    static func compiles<Use>(_ name: String, _ use: Use) -> Identifier {
        Identifier(name) { true }
    }

    var testDescription: String { name }
}

extension Identifier {
    /// A property that apps read and write, with the value that it has at first.
    static func property<Root, Value: Equatable>(
        _ name: String, of make: @escaping @Sendable () throws -> Root,
        _ path: any ReferenceWritableKeyPath<Root, Value> & Sendable, first: Value, then: Value
    ) -> Identifier where Value: Sendable {
        Identifier(name) {
            let root = try make()
            let isFirst = root[keyPath: path] == first
            root[keyPath: path] = then
            return isFirst && root[keyPath: path] == then
        }
    }
}
