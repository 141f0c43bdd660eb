// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

@Suite("The configuration", .inTurns)
struct ConfigTests {
    let home: Home

    init() throws { home = try Home() }

    private var path: String { home.configFolder + "/config.json" }

    private func fails(_ status: Int32, _ words: String, _ arguments: String...) async throws {
        let outcome = try await home.run(arguments)()
        #expect(outcome.ending == .exit(status) && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors.contains(words), "\(outcome)")
    }

    @Test("what is set is listed, printed, used, and can be taken away")
    func settings() async throws {
        #expect(try await home.succeed("config", "path") == path + "\n")
        #expect(try await home.succeed("config", "list").isEmpty)
        try await home.succeed("config", "set", "authority", "contoso", "--profile", "work")
        try await home.succeed("config", "set", "client_id", "app-1", "--profile", "work")
        try await home.succeed("config", "set", "scopes", "api://a/Read api://a/Write", "openid", "--profile", "work")
        try await home.succeed("config", "set", "profile", "work")
        #expect(
            try await home.succeed("config", "list") == """
                profile=work
                work.authority=https://contoso.ciamlogin.com/contoso.onmicrosoft.com
                work.client_id=app-1
                work.scopes=api://a/Read api://a/Write openid

                """)
        #expect(try await home.succeed("config", "get", "scopes") == "api://a/Read\napi://a/Write\nopenid\n")
        let status = try object(try await home.nativeauth("status", "--json").output)
        #expect(status.string("profile") == "work" && status.string("client_id") == "app-1")
        let other = try await home.nativeauth("status", "--json", environment: ["NATIVEAUTH_PROFILE": "local"])
        #expect(try object(other.output).string("profile") == "local", "the environment comes first")
        try await home.succeed("config", "unset", "scopes")
        #expect(try await home.nativeauth("config", "get", "scopes").ending == .exit(1))
        try await home.succeed("config", "unset", "--all", "--profile", "work")
        #expect(try object(home.read(path) ?? "").isEmpty, "the default goes with its profile")
        #expect(try permissions(path) == 0o600)
    }

    @Test("what is wrong is said, and nothing is changed")
    func mistakes() async throws {
        try await fails(64, "'passwort' is none of oob, password.", "config", "set", "challenge_types", "oob,passwort")
        try await fails(64, "Did you mean 'password'?", "config", "set", "challenge_types", "oob,passwort")
        try await fails(64, "Plain http is for this machine only", "config", "set", "authority", "http://contoso.com/t")
        try await fails(64, "'client_id' takes one value.", "config", "set", "client_id", "a", "b")
        try await fails(64, "cannot be a profile's name", "config", "set", "client_id", "a", "--profile", "a/b")
        try await fails(64, "'colour' is not one of profile, authority", "config", "set", "colour", "red")
        try await fails(64, "--all needs --profile", "config", "unset", "--all")
        try await fails(64, "needs one of these after it: init, get, set, unset, list, path", "config")
        try await fails(64, "Did you mean 'config get'?", "config", "gett")
        try await fails(78, "There is no profile 'nope'", "config", "set", "profile", "nope")
        try await fails(78, "has no profile 'nope'", "config", "unset", "--all", "--profile", "nope")
        #expect(home.read(path) == nil)
    }

    @Test("a damaged file is not written over", arguments: ["{", "[]", "{\"profiles\": 7}", "\u{FEFF}{}x"])
    func damaged(content: String) async throws {
        try home.write(".config/nativeauth/config.json", content)
        try await fails(78, "is no configuration", "config", "set", "client_id", "a")
        try await fails(78, "is no configuration", "config", "list")
        #expect(home.read(path) == content)
    }

    @Test("a link stays a link, and members that nobody here knows stay as they are")
    func dotfiles() async throws {
        let place = try home.write(
            "dotfiles/nativeauth.json", #"{"later": [1, 2.5], "profiles": {"w": {"color": "red"}}}"#)
        try FileManager.default.createDirectory(atPath: home.configFolder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: place)
        try await home.succeed("config", "set", "client_id", "a", "--profile", "w")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == place)
        let file = try object(home.read(place) ?? "")
        #expect(file["later"] as? [Double] == [1, 2.5])
        let profile = try #require(file.object("profiles")["w"] as? [String: Any])
        #expect(profile.string("color") == "red" && profile.string("client_id") == "a")
    }

    @Test("nothing is lost when many change it at once")
    func parallel() async throws {
        let home = home
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...12 {
                group.addTask { try await home.succeed("config", "set", "client_id", "a", "--profile", "p\(number)") }
            }
            try await group.waitForAll()
        }
        #expect(try object(home.read(path) ?? "").object("profiles").count == 12)
    }

    // MARK: - init

    /// Registrations that do not fit, and what is said about them.
    static let misfits: [(app: String, words: String)] = [
        (#""native_authentication": false"#, "Native authentication is switched off for this app."),
        (#""public_client": false"#, "The app is a confidential client."),
        (#""flow": null"#, "The tenant sends everybody to a browser."),
    ]

    @Test("the check says what the app's registration lacks", arguments: misfits)
    func misfit(app: String, words: String) async throws {
        let client = "7d1c0000-0000-4000-8000-00000000000a"
        let flow = app.contains("flow") ? "" : #", "flow": "email-password""#
        let definition = try home.write(
            "app.json", "{\"client_id\": \"\(client)\", \"name\": \"Misfit\"\(flow), \(app)}")
        try await home.succeed("tenant", "app", "set", definition)
        let server = try await home.serve()
        let flags = [
            "config", "init", "--profile", "m", "--authority", server.url, "--client-id", client, "--no-input",
        ]
        let outcome = try await home.run(flags)()
        #expect(outcome.ending == .exit(78) && outcome.errors.contains(words), "\(outcome)")
        #expect(outcome.errors.contains("-> "), "it says what to do: \(outcome)")
        #expect(home.read(path) == nil)
        let json = try await home.run(flags + ["--json"])()
        #expect(json.ending == .exit(78) && json.errors.isEmpty, "one object: \(json)")
        #expect(try object(json.output)["saved"] as? Bool == false)
        try await home.run(flags + ["--no-check", "--default", "-q"])().expectSilence()
        #expect(try await home.succeed("config", "get", "profile") == "m\n")
        try await server.stop()
    }

    @Test("an app that fits is saved, and signs people up at once; the check leaves nothing behind")
    func fit() async throws {
        let server = try await home.serve()
        let outcome = try await home.nativeauth(
            "config", "init", "--profile", "w", "--authority", server.url, "--client-id",
            "5a3d1e00-0000-4000-8000-000000000001", "--no-input")
        #expect(outcome.ending == .exit(0) && outcome.output.isEmpty, "\(outcome)")
        for line in [
            "sign-in: The tenant is ready for it.", "sign-up: The tenant is ready for it.", "Saved the profile 'w'",
        ] {
            #expect(outcome.errors.contains(line), "\(outcome)")
        }
        #expect(try await home.succeed("tenant", "inbox", "--json") == "[]\n", "no message was sent")
        let signUp = try await home.run(try home.signUpFlags("ada@example.com") + ["--profile", "w"])()
        #expect(signUp.ending == .exit(0), "\(signUp)")
        try await server.stop()
    }

    @Test("a person is asked, may correct, and decides")
    func dialogue() async throws {
        let server = try await home.serve()
        let session = try home.session("config", "init")
        try await session.answer("Name of the profile [work]: ", "a/b")
        try await session.answer("Name of the profile [work]: ", "")
        try await session.answer("Tenant, as contoso or https://…: ", "http://contoso.example/t")
        try await session.expect("is not https")
        try await session.answer("Tenant, as contoso or https://…: ", server.url)
        try await session.answer("Client id of the app: ", "5a3d1e00-0000-4000-8000-00000000000f")
        try await session.expect("The tenant knows no app with this client id.", timeout: .seconds(60))
        try await session.answer("Save the profile all the same? [y/N] ", "y")
        try await session.answer("Use it by default? [y/N] ", "y")
        try await session.expect("Try it: 'nativeauth signup'.")
        #expect(try await session.end() == .exit(0))
        #expect(try await home.succeed("config", "get", "profile") == "work\n")
        try await server.stop()
    }

    @Test("without a person everything that is missing is named at once")
    func missing() async throws {
        try await fails(64, "--authority and --client-id are missing", "config", "init", "--no-input")
        try await fails(64, "--client-id is missing", "config", "init", "--no-input", "--authority", "contoso")
    }

    private func permissions(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }
}

extension Run.Outcome {
    fileprivate func expectSilence() {
        #expect(ending == .exit(0) && output.isEmpty && errors.isEmpty, "\(self)")
    }
}
