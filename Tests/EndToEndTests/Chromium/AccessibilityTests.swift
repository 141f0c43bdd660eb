// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

extension ChromiumPageTests {
    /// Everybody can use every page.
    @Suite("Accessibility")
    struct AccessibilityTests {
        private let home: Home
        private let checker: Accessibility
        private let ada = "ada@shop.test"

        init() throws {
            home = try Home()
            checker = try Accessibility()
        }

        private func check(
            _ browser: Chromium, _ title: String, sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            let shown = try await browser.title
            try #require(shown.hasPrefix(title), sourceLocation: sourceLocation)
            let problems = try await checker.problems(in: browser)
            #expect(problems.isEmpty, "\(title)", sourceLocation: sourceLocation)
        }

        @Test("the checker finds what is wrong")
        func checker() async throws {
            try await Chromium.run(in: home) { browser in
                try await browser.go(to: "data:text/html,<input><p style='width:999px;color:%23eee'>Faint</p>")
                let problems = try await checker.problems(in: browser).joined()
                for problem in ["label (critical)", "color-contrast", "html-has-lang", "sideways"] {
                    #expect(problems.contains(problem), "\(problem)")
                }
            }
        }

        @Test("the pages of a sign-up, with whatever can go wrong")
        func signUp() async throws {
            let shop = try await Shop.open(home, settings: #""multi_factor": {"channels": ["email", "sms"]},"#)
            try await Chromium.run(in: home) { browser in
                try await browser.go(to: shop.address())
                try await check(browser, "Sign in to Fjord shop")
                try await browser.enter("nobody@shop.test")
                try await check(browser, "Error: Sign in to Fjord shop")
                try await browser.press("Create an account")
                try await check(browser, "Create an account")
                try await browser.fill("username", ada)
                try await browser.press("Next")
                try await check(browser, "Enter the code")
                try await browser.enter("1")
                try await check(browser, "Error: Enter the code")
                try await browser.enter(Shop.code)
                try await check(browser, "Choose a password")
                try await browser.enter("short\tshort")
                try await check(browser, "Error: Choose a password")
                try await browser.enter("\(Home.password)\t\(Home.password)")
                try await browser.enter("Ada")
                try await check(browser, "About you")
                try await browser.fill("attribute-0", "Norway")
                try await browser.fill("attribute-1", "north")
                try await browser.fill("attribute-3", "M")
                try await browser.press("Next")
                try await check(browser, "Error: About you")
                try await shop.fillIn(browser)
                try await browser.press("Next")
                try await check(browser, "Where do second codes go?")
                try await browser.fill("contact", "+4712345678")
                try await browser.press("Send a code")
                try await check(browser, "Enter the code")
            }
            try await shop.tenant.stop()
        }

        @Test("the pages of a sign-in, of a device, and those that end something")
        func others() async throws {
            let shop = try await Shop.open(home)
            try await Chromium.run(in: home) { browser in
                try await shop.signUp(ada, in: browser)
                try await browser.go(to: shop.address(["response_mode": "form_post"]))
                try await browser.enter(ada)
                try await check(browser, "Enter your password")
                try await browser.enter("wrong")
                try await check(browser, "Error: Enter your password")
                try await browser.press("I have forgotten my password")
                try await browser.enter(Shop.code)
                try await check(browser, "Choose a password")
                try await browser.press("Cancel")
                try await check(browser, "You are nearly there")

                let device = try await shop.device()
                try await browser.go(to: shop.tenant.url + "/device")
                try await check(browser, "Enter the code of your device")
                try await browser.enter("wrong")
                try await check(browser, "Error: Enter the code of your device")
                try await browser.fill("code", device.string("user_code") ?? "")
                try await browser.press("Next")
                try await check(browser, "Sign in to Fjord shop on another device")
                try await browser.press("Cancel")
                try await check(browser, "Nobody was signed in")

                try await browser.go(to: shop.address(["redirect_uri": "http://elsewhere.test"]))
                try await check(browser, "This sign-in cannot begin")
                try await browser.go(to: shop.address())
                try await home.succeed("tenant", "clock", "--advance", "40m")
                try await browser.enter(ada)
                try await check(browser, "This page has been used, or is too old")
                try await browser.go(to: shop.tenant.url + "/oauth2/v2.0/logout")
                try await check(browser, "Sign out in the app")
            }
            try await shop.tenant.stop()
        }

        @Test("the page at which the program gets its answer")
        func loopback() async throws {
            let tenant = try await home.serve()
            let session = try home.session("signin", "--browser")
            try await session.expect("Go to this address in a browser:\r\n")
            let address = try await session.expect("\r\n").trimmingCharacters(in: .whitespacesAndNewlines)
            try await Chromium.run(in: home) { browser in
                try await browser.go(to: address)
                try await browser.press("Cancel")
                try await check(browser, "Signing in")
            }
            try await session.expect("did not want to sign in")
            _ = try await session.finish()
            try await tenant.stop()
        }
    }
}
