// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL
import ProgramTesting
import Testing

@Suite("The tutorials' objects for apps", .inTurns)
@MainActor
struct AppObjectTests {
    @Test("from a sign-up to a refresh and the sign-out")
    func objects() async throws {
        let home = try Home()
        let tenant = try await home.serve()
        let app = try shopApp(["shop", tenant.url, "5a3d1e00-0000-4000-8000-000000000001", home.path + "/shop"])

        let state = try await signUp(SignUpModel(app), home)
        let welcome = WelcomeModel()
        await change({ welcome.changed = $0 }) { welcome.begin(state) }
        #expect(welcome.greeting == "Welcome, ada@example.com.")

        let session = SessionModel(app)
        let account = try #require(session.account, "the account is in the cache")
        let customer = CustomerModel(account)
        await change({ customer.changed = $0 }) { customer.refresh() }
        #expect(customer.message.isEmpty && customer.customer.tier == "none", "\(customer.message)")

        session.signOut()
        #expect(session.account == nil && SessionModel(app).account == nil)
        await change({ customer.changed = $0 }) { customer.refresh() }
        #expect(customer.message.contains("No token matching arguments found in the cache"))

        await change({ session.changed = $0 }) { session.signIn(username: "ada@example.com", password: "wrong") }
        #expect(session.message == "The address and the password do not belong together.")
        await change({ session.changed = $0 }) {
            session.signIn(username: "ada@example.com", password: Home.password)
        }
        #expect(session.account?.account.username == "ada@example.com")
        try await tenant.stop()
    }

    /// Goes through the screens of a sign-up; gives the state of the last one.
    private func signUp(_ model: SignUpModel, _ home: Home) async throws -> SignInAfterSignUpState {
        await change({ model.changed = $0 }) { model.start(username: "ada@example.com", password: "short") }
        #expect(model.message.hasPrefix("The password has fewer than 8 characters."))
        await change({ model.changed = $0 }) { model.start(username: "ada@example.com", password: Home.password) }
        guard case .code(_, "a***a@ex*****.com") = model.screen else { throw WrongScreen() }

        await change({ model.changed = $0 }) { model.submit(code: "00000000") }
        #expect(model.message == "This is not the code.")
        let code = try await home.code(for: "ada@example.com")
        await change({ model.changed = $0 }) { model.submit(code: code) }
        guard case .page(_, let attributes) = model.screen else { throw WrongScreen() }
        #expect(attributes.map(\.name) == ["country", "city"] && attributes.map(\.required) == [true, false])

        await change({ model.changed = $0 }) { model.submit(answers: ["country": 7]) }
        #expect(model.message == "Please look at country again.")
        await change({ model.changed = $0 }) { model.submit(answers: ["country": "Norway"]) }
        guard case .done(let state) = model.screen else { throw WrongScreen() }
        return state
    }

    private struct WrongScreen: Error {}

    /// Does something, and waits until the object says that it has changed.
    private func change(_ observe: (@escaping () -> Void) -> Void, by action: () -> Void) async {
        await withCheckedContinuation { changed in
            var isOver = false
            observe {
                if !isOver { changed.resume() }
                isOver = true
            }
            action()
        }
    }
}
