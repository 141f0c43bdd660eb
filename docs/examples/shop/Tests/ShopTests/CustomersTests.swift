import Foundation
import NativeAuth
import Testing

@testable import Shop

/// The tenant that `nativeauth tenant run -- swift test` brings. Codes for addresses below `.test` are 12345678 there.
struct CustomersTests {
    private let customers: Customers

    init() throws {
        let tenant = try #require(
            ProcessInfo.processInfo.environment["TENANT_AUTHORITY"], "Run this by: nativeauth tenant run -- swift test")
        // The app for codes of a fresh tenant.
        customers = try Customers(tenant: tenant, app: "5a3d1e00-0000-4000-8000-000000000002")
    }

    @Test("somebody new gets an account, after a slip of the finger")
    func newcomer() async throws {
        var typed = ["12345679", "12345678"]
        let account = try await customers.register("ada@shop.test", country: "Norway") { sent in
            #expect(sent.codeLength == 8)
            return typed.removeFirst()
        }
        #expect(account.username == "ada@shop.test" && account.claims.string("country") == "Norway")
        #expect(typed.isEmpty)
    }

    @Test("nobody gets a second account")
    func known() async throws {
        _ = try await customers.register("bob@shop.test", country: "Norway") { _ in "12345678" }
        let refusal = await #expect(throws: StepError<SignUpStep>.self) {
            try await customers.register("bob@shop.test", country: "Norway") { _ in "12345678" }
        }
        #expect(refusal?.error.reason == .userAlreadyExists)
    }
}
