// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL
import NativeAuth
import ProgramTesting
import Synchronization
import Testing

/// The articles' code at work, against a tenant that another process serves in test mode.
@Suite("The code of the articles", .inTurns)
struct ArticleCodeTests {
    /// Somebody who answers what the articles ask.
    private final class Visitor: Person {
        let mail: String
        private let codes: Mutex<[String]>
        private let password: String

        init(_ mail: String, codes: [String] = [], password: String = Home.password) {
            self.mail = mail
            self.codes = Mutex(codes)
            self.password = password
        }

        func answer(_ question: String) async -> String {
            switch question {
            case "Your mail address": mail
            case "Password", "A new password": password
            case "country": "Norway"
            case "An address for second factors": "+99900000007"
            case let question where question.hasPrefix("The code"):
                codes.withLock { $0.isEmpty ? "12345678" : $0.removeFirst() }
            default: ""
            }
        }
    }

    private func served(_ body: (String, Home) async throws -> Void) async throws {
        let home = try Home()
        let tenant = try await home.serve("--unsafe-test-mode")
        try await body(tenant.url, home)
        try await tenant.stop()
    }

    @Test("signs somebody up and in, gives tokens and claims, and signs them out")
    func session() async throws {
        try await served { url, home in
            let ada = Visitor("ada@shop.test")
            let configuration = try localClient(at: url).configuration
            let shop = client(configuration, keepingTokensIn: home.path)
            let account = try await signIn(after: signUp(ada, with: shop), ada)
            #expect(facts(about: account).country == "Norway" && facts(about: account).since != nil)
            #expect(try await header(for: account).hasPrefix("Bearer ey"))
            #expect(try await tokenWithClaim(of: account).wasRefreshed)
            #expect(try whoIsSignedIn(shop)?.username == ada.mail)
            try await signOut(account)
            #expect(try whoIsSignedIn(shop) == nil)
            #expect(try await signIn(shop, mail: ada.mail, ada).username == ada.mail)
        }
    }

    @Test("resets a password, and tries a code again")
    func resetAndRetry() async throws {
        try await served { url, _ in
            let shop = try localClient(at: url)
            let ada = Visitor("ada@shop.test", codes: ["87654321", "12345678"])
            guard case .codeRequired(let code) = try await begin(shop, mail: ada.mail),
                case .passwordRequired(let password) = try await proven(code, by: ada)
            else { throw UnexpectedStep() }
            guard case .completed = try await password.submit(Home.password) else { throw UnexpectedStep() }
            let changed = Visitor(ada.mail, password: "An0ther-one-of-them")
            #expect(try await resetPassword(changed, with: shop).canSignIn)
            #expect(try await signIn(shop, mail: ada.mail, changed).username == ada.mail)
        }
    }

    @Test("registers a second factor, and signs in with it")
    func secondFactor() async throws {
        try await served { url, home in
            let shop = try localClient(at: url)
            let app = """
                {"client_id": "\(shop.configuration.clientID)", "name": "Shop", "flow": "email-password",
                 "multi_factor": {"channels": ["sms"]}}
                """
            try await home.succeed("tenant", "app", "set", try home.write("app.json", app))
            let ada = Visitor("ada@shop.test")
            #expect(try await signIn(after: signUp(ada, with: shop), ada).username == ada.mail)
            let account = try await signIn(shop, mail: ada.mail, ada)
            #expect(account.claims.strings("amr") == ["pwd", "sms", "mfa"])
        }
    }

    @Test("tests an app, and plays a network that is down")
    func tests() async throws {
        try await served { url, _ in try await somebodySignsUp(localClient(at: url), as: "grace@shop.test") }
        let shop = NativeAuthClient(try cloudClient().configuration, transport: Unreachable())
        await #expect {
            _ = try await begin(shop, mail: "ada@shop.test")
        } throws: { error in
            (error as? StepError<SignUpStep>).map { explanation(of: $0.error) } == "The server cannot be reached."
        }
    }

    @Test("of the delegates hears of a code, and of an account")
    @MainActor
    func delegates() async throws {
        let home = try Home()
        let tenant = try await home.serve("--unsafe-test-mode")
        let address = try #require(URL(string: tenant.url))
        let model = SignUpModel()
        model.begin(try localApp(at: address), "ada@shop.test")
        try await model.says { $0.hasPrefix("A code of 8 digits went to ") }
        model.submit("1")
        try await model.says { $0 == "That is not the code." }
        model.submit("12345678")
        try await model.says { $0 == "You have an account now." }
        try await tenant.stop()
    }
}

extension SignUpModel {
    /// Leaves the main actor to the callbacks until the message is one of these.
    fileprivate func says(_ isWanted: (String) -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while !isWanted(message) {
            try #require(ContinuousClock.now < end, "it says: \(message)")
            await Task.yield()
        }
    }
}
