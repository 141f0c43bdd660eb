// SPDX-License-Identifier: Apache-2.0

/// A reader of hostile bytes, and what has to hold whatever it reads.
package struct FuzzTarget: Sendable {
    package typealias Check = @Sendable ([UInt8]) throws(Violation) -> Void

    /// The name of its corpus, and of the target in `make fuzz`.
    package let name: String
    /// Makes what checks one input after the other, and throws where a property does not hold. A crash or a hang is a
    /// fault in any case.
    package let prepare: @Sendable () throws(Violation) -> Check

    package static let all: [FuzzTarget] = [
        FuzzTarget(name: "form") { FormProperties.check },
        FuzzTarget(name: "json") { JSONProperties.check },
        FuzzTarget(name: "jwt") { JWTProperties.check },
        FuzzTarget(name: "mail-address") { MailAddressProperties.check },
        FuzzTarget(name: "page") { () throws(Violation) in
            let pages = try PageProperties()
            return { (bytes) throws(Violation) in try pages.check(bytes) }
        },
        FuzzTarget(name: "password-hash") { PasswordHashProperties.check },
        FuzzTarget(name: "terminal") { TerminalProperties.check },
        FuzzTarget(name: "http") { () throws(Violation) in
            let door = try HTTPDoor()
            return { (bytes) throws(Violation) in try HTTPProperties.check(bytes, at: door) }
        },
    ]

    private init(name: String, prepare: @escaping @Sendable () throws(Violation) -> Check) {
        self.name = name
        self.prepare = prepare
    }
}

/// A property that does not hold.
package struct Violation: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Throws unless the condition holds.
func require(_ condition: Bool, _ property: @autoclosure () -> String) throws(Violation) {
    guard condition else { throw Violation(property()) }
}
