// SPDX-License-Identifier: Apache-2.0

/// Notices when a delegate is told by a method that it does not have.
///
/// Swift has no optional requirements outside of Objective-C. Each optional method has a default implementation instead,
/// which does nothing but leave its name here.
@MainActor
final class OptionalMethod {
    @TaskLocal private static var current: OptionalMethod?
    private var name: String?

    private init() {}

    /// Tells a delegate.
    ///
    /// - Returns: The method that was called and is not there.
    static func missing(in tell: () -> Void) -> String? {
        let method = OptionalMethod()
        $current.withValue(method, operation: tell)
        return method.name
    }

    /// To be called by a default implementation.
    ///
    /// - Parameter function: The method; its labels are not part of the name that apps are told.
    static func isMissing(_ function: String = #function) {
        current?.name = String(function.prefix { $0 != "(" })
    }
}
