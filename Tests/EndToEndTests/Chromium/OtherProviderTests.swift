// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

extension ChromiumPageTests {
    /// An OpenID provider that other people wrote, at pages of its own.
    @Suite("Another provider")
    struct OtherProviderTests {
        private let home: Home
        private let ada = "ada@elsewhere.example"

        init() throws { home = try Home(.fresh) }

        /// Glewlwyd, and the flags that lead to it.
        private struct Provider {
            let process: TerminalSession
            let flags: [String]
            let redirect: String
        }

        private func serve() async throws -> Provider {
            let script = URL(filePath: #filePath).appending(path: "../../../Support/glewlwyd.py").standardized.path
            let folder = home.path + "/glewlwyd"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let process = try TerminalSession.spawn(
                executable: "/usr/bin/python3", arguments: [script, folder], environment: home.environment)
            try await process.send(Home.password + "\r")
            try await process.expect("ready ", timeout: .seconds(60))
            let words = try await process.expect("\r\n").split { $0.isWhitespace }.map(String.init)
            try #require(words.count == 2)
            return Provider(
                process: process, flags: ["--issuer", words[0], "--client-id", "terminal"], redirect: words[1])
        }

        private func succeed(_ words: [String], _ provider: Provider) async throws -> String {
            let outcome = try await home.run(words + provider.flags)()
            try #require(outcome.ending == .exit(0), "\(outcome)")
            return outcome.output
        }

        private func logIn(_ browser: Chromium) async throws {
            try await browser.wait(for: "[name=username]")
            try await browser.fill("username", "ada")
            try await browser.fill("password", Home.password)
            try await browser.click("OK")
            try await browser.wait(forButton: "Continue")
            try await browser.press("Continue")
        }

        @Test("signin --browser by a profile, token, a refresh, and a sign-out")
        func browser() async throws {
            let provider = try await serve()
            _ = try await succeed(["config", "init", "--profile", "other", "--no-input", "--default"], provider)
            try await home.succeed("config", "set", "redirect_uri", provider.redirect)
            let session = try home.session("signin", "--browser")
            try await session.expect("Go to this address in a browser:\r\n")
            let address = try await session.expect("\r\n").trimmingCharacters(in: .whitespacesAndNewlines)
            try await Chromium.run(in: home) { browser in
                try await browser.go(to: address)
                try await logIn(browser)
                #expect(try await browser.text(of: "main")?.contains("You can close this page") == true)
            }
            try await session.expect("Signed in as \(ada).")
            try await session.endWell()

            let account = try object(await home.succeed("whoami", "--json")).object("account")
            #expect(account.string("username") == ada && account.string("name") == "Ada Lovelace")
            let first = try await home.succeed("token")
            #expect(try await home.succeed("token") == first)
            let second = try await home.succeed("token", "--force-refresh")
            #expect(second != first)
            let third = try await home.succeed("token", "--force-refresh")
            #expect(third != second, "its refresh tokens are good once")
            #expect(try await home.succeed("claims", "--field", "sub").isEmpty == false)
            try await home.succeed("signout")
            #expect(try await home.nativeauth("token").ending == .exit(4))
            await provider.process.signal(15)
        }

        @Test("signin --device, and other flags for the same")
        func device() async throws {
            let provider = try await serve()
            let session = try TerminalSession.spawn(
                executable: BuiltProgram.path("nativeauth"), arguments: ["signin", "--device"] + provider.flags,
                environment: home.environment)
            try await session.expect("Go to ")
            let separator = " in a browser, and enter the code "
            let address = try await session.expect(separator).dropLast(separator.count)
            let code = try await session.expect("\r\n").dropLast()
            try await Chromium.run(in: home) { browser in
                try await browser.go(to: String(address))
                try await browser.wait(for: "input[type=text]")
                try await browser.script("document.querySelector('input[type=text]').focus()")
                try await browser.type(String(code))
                try await browser.press("OK")
                try await logIn(browser)
            }
            try await session.expect("Signed in as \(ada).")
            try await session.endWell()
            _ = try await succeed(["token", "--force-refresh"], provider)
            _ = try await succeed(["signout"], provider)
            await provider.process.signal(15)
        }

        @Test("a provider that calls itself otherwise is not believed, and none is asked for native authentication")
        func refused() async throws {
            let provider = try await serve()
            let other = try await home.nativeauth(
                "signin", "--device", "--issuer", provider.flags[1] + "/", "--client-id", "terminal")
            #expect(other.ending != .exit(0) && other.errors.contains("another issuer"), "\(other)")
            let words = ["signin", "--username", "ada", "--no-input", "--password-file", try home.passwordFile()]
            let native = try await home.run(words + provider.flags)()
            #expect(native.ending == .exit(77) && native.errors.contains("--browser"), "\(native)")
            let both = try await home.run(["token", "--authority", "contoso"] + provider.flags)()
            #expect(both.ending == .exit(64), "\(both)")
            await provider.process.signal(15)
        }
    }
}
