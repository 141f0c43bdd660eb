// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import TenantTesting
import Testing

struct SignUpInProcessTests {
    @Test func passwordSignUpEndsSignedIn() async throws {
        let tenant = try TestTenant()
        let client = try tenant.client()
        let mail = "ada@example.com"
        guard case .codeRequired(let code) = try await client.signUp(username: mail) else {
            Issue.record("no code")
            return
        }
        #expect(code.delivery.codeLength == 8)
        guard case .passwordRequired(let password) = try await code.submit(try tenant.code(for: mail) ?? "") else {
            Issue.record("no password")
            return
        }
        guard case .attributesRequired(let page) = try await password.submit("Tr0ub4dor-and-3") else {
            Issue.record("no attributes")
            return
        }
        #expect(page.attributes.map(\.name) == ["country", "city"])
        guard case .completed(let done) = try await page.submit(["country": "Norway"]),
            case .completed(let account) = try await done.signIn()
        else {
            Issue.record("not completed")
            return
        }
        #expect(account.username == mail)
        #expect(account.claims.string("country") == "Norway")
        #expect(try await account.accessToken().wasRefreshed == false)
        #expect(try await account.accessToken(forceRefresh: true).wasRefreshed)
        try await account.signOut()
        #expect(try client.account()?.username == nil)
    }
}
