// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

/// The pages of the sign-in, in a browser that people have. One runs at a time, for it takes what a machine has; so no test of
/// these waits for its turn among the others besides.
@Suite("Pages in Chromium", .serialized)
struct ChromiumPageTests {
    private let home: Home
    private let ada = "ada@shop.test"

    init() throws { home = try Home() }

    /// Where a command of the program asks for a browser to go.
    private func address(_ session: TerminalSession) async throws -> String {
        try await session.expect("Go to this address in a browser:\r\n")
        return try await session.expect("\r\n").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    // MARK: - The ways through

    @Test("by the keyboard alone: a wrong password is read out, and the right one signs in")
    func keyboard() async throws {
        try await home.signUp(ada)
        try await home.succeed("signout")
        let tenant = try await home.serve()
        let session = try home.session("signin", "--browser")
        let address = try await address(session)
        try await Chromium.run(in: home) { browser in
            try await browser.go(to: address)
            #expect(try await browser.spoken.name == "E-mail address")
            try await browser.enter(ada)
            #expect(try await browser.title == "Enter your password")
            try await browser.enter("Wrong-Salmon-1")
            #expect(try await browser.title == "Error: Enter your password")
            let spoken = try await browser.spoken
            #expect(spoken.name == "Password" && spoken.description == "The username or the password is wrong.")
            for control in ["Sign in", "I have forgotten my password", "Use another address", "Cancel"] {
                try await browser.type("\t")
                #expect(try await browser.spoken.name == control)
            }
            try await browser.fill("password", "")
            try await browser.enter(Home.password)
            #expect(try await browser.text(of: "main")?.contains("You can close this page") == true)
        }
        try await session.expect("Signed in as \(ada).")
        try await session.endWell()
        try await home.succeed("token", "--force-refresh")
        try await tenant.stop()
    }

    @Test("by a code, in a browser whose owner has switched scripts off")
    func code() async throws {
        try await home.signUpWithCode(ada)
        try await home.succeed("signout", "--profile", "local-code")
        let tenant = try await home.serve("--unsafe-test-mode")
        let session = try home.session("signin", "--browser", "--profile", "local-code")
        let address = try await address(session)
        try await Chromium.run(in: home, Chromium.Setting(hasScripts: false)) { browser in
            try await browser.go(to: address)
            try await browser.fill("username", ada)
            try await browser.press("Next")
            try await browser.fill("code", "00000000")
            try await browser.press("Next")
            #expect(try await browser.problem == "The code is wrong or no longer valid.")
            try await browser.fill("code", "1234 5678")
            try await browser.press("Next")
            #expect(try await browser.source.contains("You can close this page"))
        }
        try await session.expect("Signed in as \(ada).")
        try await session.endWell()
        try await tenant.stop()
    }

    @Test("a sign-up says which answer is wrong, goes there, and keeps the others")
    func signUp() async throws {
        let shop = try await Shop.open(home)
        try await Chromium.run(in: home) { browser in
            try await browser.go(to: shop.address())
            try await browser.press("Create an account")
            try await browser.type("ada\n")
            #expect(try await browser.title.hasPrefix("Create"), "the browser itself wants an address")
            try await browser.fill("username", ada)
            try await browser.press("Next")
            try await browser.enter(Shop.code)
            for (password, problem) in [("short", "fewer than 8 characters"), ("Password1", "too easy to guess")] {
                try await browser.fill("password", password)
                try await browser.fill("again", password)
                try await browser.press("Next")
                let description = try await browser.spoken.description
                #expect(description.contains(problem), "\(description)")
            }
            try await browser.enter("\(Home.password)\t\(Home.password)")
            try await browser.enter("Ada")
            try await shop.fillIn(browser)
            try await browser.fill("attribute-1", "north")
            try await browser.press("Next")
            #expect(try await browser.spoken == ("Postal code", "This is not accepted: Postal code."))
            #expect(try await browser.script("return document.querySelectorAll('[aria-invalid]').length") as? Int == 1)
            try await browser.fill("attribute-1", "8392")
            try await browser.script("document.getElementById('attribute-4-1').click()")
            try await browser.press("Next")
            #expect(try await browser.problem == "This is needed: Colours.", "boxes are kept, and one was unticked")
            try await browser.script("document.getElementById('attribute-4-0').click()")
            try await browser.press("Next")
            #expect(try await browser.query["code"] != nil)
        }
        let user = try await home.succeed("tenant", "user", "show", ada, "--json")
        for value in ["Norway", "8392", #""M""#, "Blue"] { #expect(user.contains(value), "\(value) in \(user)") }
        try await shop.tenant.stop()
    }

    @Test("a device: a wrong code is refused, the right one has to be confirmed, and then somebody signs in")
    func device() async throws {
        try await home.signUp(ada)
        try await home.succeed("signout")
        let tenant = try await home.serve()
        let session = try home.session("signin", "--device")
        try await session.expect("Go to ")
        let separator = " in a browser, and enter the code "
        let address = try await session.expect(separator).dropLast(separator.count)
        let code = try await session.expect("\r\n").dropLast()
        try await Chromium.run(in: home) { browser in
            try await browser.go(to: String(address))
            try await browser.enter("BBBB-BBBB")
            #expect(try await browser.spoken.description.hasPrefix("This code is not known, or has expired."))
            try await browser.fill("code", code.lowercased())
            try await browser.press("Next")
            #expect(try await browser.text(of: "main")?.contains("The device shows the code \(code).") == true)
            try await browser.press("Continue")
            try await browser.enter(ada)
            try await browser.enter(Home.password)
            #expect(try await browser.title == "You are signed in")
        }
        try await session.expect("Signed in as \(ada).")
        try await session.endWell()
        try await tenant.stop()
    }

    // MARK: - What people do besides

    @Test("who clicks twice, goes back, or comes late, is signed in all the same")
    func odd() async throws {
        let shop = try await Shop.open(home, method: "code")
        try await Chromium.run(in: home) { browser in
            try await shop.signUp(ada, in: browser)
            let before = try await shop.mails(to: ada)
            try await browser.go(to: shop.address())
            try await browser.fill("username", ada)
            try await browser.pressTwice("Next")
            #expect(try await browser.title == "Enter the code")
            try await browser.reload()
            #expect(try await browser.title == "Enter the code")
            #expect(try await shop.mails(to: ada) == before + 1, "one mail for two clicks, and for another look")
            try await browser.goBack()
            #expect(try await browser.title == "Sign in to Fjord shop")
            try await browser.fill("username", ada)
            try await browser.press("Next")
            try await browser.fill("code", Shop.code)
            try await browser.pressTwice("Next")
            let brought = try await browser.query
            #expect(brought["code"] != nil && brought["state"] == "s")

            try await browser.go(to: shop.address())
            try await browser.fill("username", ada)
            try await home.succeed("tenant", "clock", "--advance", "40m")
            try await browser.press("Next")
            #expect(try await browser.title == "This page has been used, or is too old")
            try await browser.press("Begin again")
            try await browser.fill("username", ada)
            try await browser.press("Next")
            try await browser.press("Cancel")
            #expect(try await browser.query["error"] == "access_denied")
        }
        try await shop.tenant.stop()
    }

    // MARK: - What protects the pages

    @Test("nothing runs, nothing is loaded, and nothing is sent elsewhere, whatever gets into a page")
    func policy() async throws {
        let shop = try await Shop.open(home)
        try await Chromium.run(in: home) { browser in
            try await browser.go(to: shop.address())
            #expect(try await browser.script("return document.scripts.length") as? Int == 0)
            #expect(
                try await browser.script("return getComputedStyle(document.querySelector('main')).maxWidth")
                    as? String == "432px", "the style sheet is let in")
            try await browser.script(
                """
                const script = document.createElement('script');
                script.textContent = 'window.wasRun = true';
                document.body.append(script);
                document.body.insertAdjacentHTML(
                    'beforeend', '<i onclick="window.wasRun = true" style="color:red">x</i>');
                document.querySelector('i').click();
                """)
            #expect(try await browser.script("return window.wasRun === true") as? Bool == false)
            #expect(
                try await browser.script(
                    "const color = e => getComputedStyle(document.querySelector(e)).color; return color('i') == color('h1')"
                ) as? Bool == true, "nor are styles let in")
            let isLoaded = try await browser.script(
                "return fetch('/', {mode: 'no-cors'}).then(() => true, () => false)")
            #expect(isLoaded as? Bool == false)
            try await browser.script(
                "document.forms[0].action = 'http://localhost:1/'; document.forms[0].requestSubmit()")
            try await browser.fill("username", ada)
            try await browser.click("Next")
            #expect(try await browser.title == "Sign in to Fjord shop", "the form goes nowhere else")
        }
        try await shop.tenant.stop()
    }

    @Test("a page shows itself in no frame")
    func frame() async throws {
        let shop = try await Shop.open(home)
        try await Chromium.run(in: home) { browser in
            for (address, isShown) in [
                (shop.tenant.url + "/discovery/v2.0/keys", true), (shop.address(), false),
                (shop.tenant.url + "/device", false),
            ] {
                try await browser.go(to: shop.tenant.url + "/discovery/v2.0/keys")
                let seen = try await browser.frame(of: address)
                #expect(seen.hasPrefix("http") == isShown, "\(address) is \(seen)")
            }
        }
        try await shop.tenant.stop()
    }
}
