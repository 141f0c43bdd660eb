// SPDX-License-Identifier: Apache-2.0

import ProgramTesting
import TerminalTesting
import Testing

@Suite("Without a person", .inTurns)
struct ScriptTests {
    let home: Home

    init() throws { home = try Home() }

    @Test("the documented sign-up, as a shell runs it")
    func documented() async throws {
        _ = try home.passwordFile()
        let outcome = try await home.shell(
            """
            cd "$HOME" && nativeauth signup --username ada@example.com --password-file pw --attribute country=Norway \\
                --otp-command 'nativeauth tenant inbox --code --to ada@example.com' --json
            """)
        #expect(outcome.ending == .exit(0), "\(outcome)")
        #expect(outcome.errors.isEmpty)
        #expect(outcome.output.occurrences(of: "\n") == 1 && outcome.output.hasSuffix("}\n"))
        let result = try object(outcome.output)
        #expect(result["schema"] as? Int == 1)
        #expect(result.string("profile") == "local")
        #expect(result.object("account").string("username") == "ada@example.com")
        #expect(result.object("account").string("id")?.contains(".") == true)
        #expect((result["scopes"] as? [String])?.contains("openid") == true)
        #expect(result.string("expires_at")?.contains(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) == true)
    }

    @Test(
        "the password from a file, a command or standard input",
        arguments: ["file", "command", "stdin", "pipe", "crlf"])
    func passwords(way: String) async throws {
        let file = try home.write("pw", way == "crlf" ? Home.password + "\r\n" : Home.password)
        let command =
            "nativeauth signup -u ada@example.com --attribute country=Norway --otp-command 'nativeauth tenant inbox --code'"
        let script =
            switch way {
            case "command": "\(command) --password-command 'cat \(file)'"
            case "stdin": "\(command) --password-stdin <\(file)"
            case "pipe": "cat \(file) | \(command) --password-stdin"
            default: "\(command) --password-file \(file)"
            }
        let outcome = try await home.shell(script)
        #expect(outcome.ending == .exit(0), "\(outcome)")
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("Signed up and signed in as ada@example.com. The token is valid until "))
        try await home.succeed("signin", "-u", "ada@example.com", "--password-file", try home.passwordFile())
    }

    @Test("a password is taken with its blanks; only a line end at its end is not part of it")
    func blanks() async throws {
        let password = "  \(Home.password) \"x y\"  "
        let flags = [
            "-u", "ada@example.com", "--attribute", "country=Norway", "--otp-command", "nativeauth tenant inbox --code",
        ]
        var signUp = home.run(["signup"] + flags + ["--password-stdin"])
        signUp.input = .text(password + "\n")
        #expect(try await signUp().ending == .exit(0))
        for (text, status) in [(password, Int32(0)), (Home.password, 77), (password + "\n\n", 77)] {
            var signIn = home.run(["signin", "-u", "ada@example.com", "--password-stdin"])
            signIn.input = .text(text)
            #expect(try await signIn().ending == .exit(status))
        }
    }

    @Test("the code from a mail that a command prints")
    func codes() async throws {
        try await home.signUpWithCode("ada@example.com")
        let flags = ["signin", "--profile", "local-code", "-u", "ada@example.com"]
        let whole = try await home.run(
            flags + ["--otp-command", "nativeauth tenant inbox --to ada@example.com | head -n 8"])()
        #expect(whole.ending == .exit(0), "\(whole)")
        var late = home.run(
            flags + ["--otp-command", "nativeauth tenant inbox --code --to ada@example.com | tr -d '\\n'"])
        late.input = .closed
        #expect(try await late().ending == .exit(0))
    }

    @Test("T47: a code that comes later on standard input, from a program that waits for the mail")
    func lateCode() async throws {
        try await home.signUpWithCode("ada@example.com")
        let outcome = try await home.shell(
            """
            count() { ls "$HOME/.local/share/nativeauth/tenants/local/mail" | wc -l; }
            before=$(count)
            { until [ "$(count)" -gt "$before" ]; do :; done
              printf 'Your code is %s.\\r\\n' "$(nativeauth tenant inbox --code)"
            } | nativeauth signin --profile local-code -u ada@example.com --otp-stdin --json
            """)
        #expect(outcome.ending == .exit(0), "\(outcome)")
        #expect(try object(outcome.output).string("profile") == "local-code")
    }

    @Test("what was answered with the wrong value ends it, since nobody is there to ask again")
    func wrongValues() async throws {
        try await home.signUp("ada@example.com")
        let password = try home.write("wrong", "Wr0ng-password")
        let refused = try await home.nativeauth("signin", "-u", "ada@example.com", "--password-file", password)
        #expect(refused.ending == .exit(77))
        #expect(refused.errors.hasPrefix("nativeauth: The password is wrong.\n"))
        let weak = try await home.nativeauth(
            "signup", "-u", "eve@example.com", "--password-command", "echo abc", "--otp-command", "echo 12345678",
            "--json")
        #expect(weak.ending == .exit(77))
        #expect(try object(weak.errors).object("error").string("sub_code") == "password_too_short")
        let code = try await home.nativeauth(
            "signup", "-u", "eve@example.com", "--password-file", try home.passwordFile(), "--otp-command",
            "echo 00000000")
        #expect(code.ending == .exit(77))
        #expect(code.errors.hasPrefix("nativeauth: The code is wrong, or no longer valid.\n"))
        let exists = try await home.run(try home.signUpFlags("ada@example.com") + ["--json"])()
        #expect(exists.ending == .exit(77))
        #expect(try object(exists.errors).object("error").string("code") == "user_already_exists")
        #expect(exists.output.isEmpty)
    }

    @Test("token prints one line and says nothing else; after signing out it asks to sign in")
    func token() async throws {
        try await home.signUp("ada@example.com")
        let token = try await home.nativeauth("token")
        #expect(token.ending == .exit(0) && token.errors.isEmpty)
        #expect(token.output.occurrences(of: "\n") == 1 && token.output.hasSuffix("\n"))
        #expect(token.output.occurrences(of: ".") == 2)
        let cached = try object(await home.succeed("token", "--json"))
        #expect(cached.string("access_token").map { $0 + "\n" } == token.output)
        #expect(cached.string("token_type") == "Bearer" && cached.string("source") == "cache")
        let fresh = try object(await home.succeed("token", "--force-refresh", "--json"))
        #expect(fresh.string("source") == "refresh" && fresh.string("access_token") != cached.string("access_token"))
        #expect(try await home.succeed("token") == fresh.string("access_token").map { $0 + "\n" })
        try await home.succeed("signout")
        for command in ["token", "whoami", "claims"] {
            let outcome = try await home.nativeauth(command)
            #expect(outcome.ending == .exit(4) && outcome.output.isEmpty)
            #expect(outcome.errors == "nativeauth: Nobody is signed in.\nSign in with 'nativeauth signin'.\n")
        }
        #expect(home.read(home.cache)?.contains("eyJ") != true, "no token is left in the file")
    }

    @Test("--quiet says nothing")
    func quiet() async throws {
        let up = try await home.run(try home.signUpFlags("ada@example.com") + ["--quiet"])()
        let out = try await home.nativeauth("signout", "-q")
        for outcome in [up, out] {
            #expect(outcome.ending == .exit(0) && outcome.output.isEmpty && outcome.errors.isEmpty)
        }
    }

    @Test("attributes from a file, whose types are kept; flags come first")
    func attributesFile() async throws {
        try await home.setFlow(
            """
            {"name": "email-password", "method": "password",
             "attributes": [{"name": "country"}, {"name": "age", "type": "integer"}, {"name": "news", "type": "boolean"}]}
            """)
        let file = try home.write("attributes.json", #"{"country": "Sweden", "age": 36, "news": true}"#)
        let answers = [
            "-u", "ada@example.com", "--password-file", try home.passwordFile(), "--otp-command",
            "nativeauth tenant inbox --code",
        ]
        let outcome = try await home.run(
            ["signup", "--attributes-file", file, "--attribute", "country=Norway"] + answers)()
        #expect(outcome.ending == .exit(0), "\(outcome)")
        let claims = try object(await home.succeed("claims", "--json"))
        #expect(claims.string("country") == "Norway")
        var piped = home.run(
            ["signup", "-u", "eve@example.com", "--password-file", try home.passwordFile(), "--attributes-file", "-"]
                + ["--otp-command", "nativeauth tenant inbox --code --to eve@example.com"])
        piped.input = .text("{\"country\": \"Norway\", \"age\": 36, \"news\": false}\n")
        #expect(try await piped().ending == .exit(0))
    }

    /// A file of attributes that is none, the exit code, and the words for it.
    static let badAttributes: [(content: String?, status: Int32, words: String)] = [
        (nil, 66, "No such file or directory"), ("", 65, "line 1"), ("{\n  \"a\": 1,\n  \"b\": }\n", 65, "line 3"),
        ("{\"a\": 1,\n\"a\": 2}", 65, "line 2"), ("[1]", 65, "no JSON object"), ("{\"a\": null}", 65, "'a'"),
        ("{\"a\": {}}", 65, "'a'"), ("{\"a\": [1]}", 65, "'a'"), (String(repeating: " ", count: 70_000), 66, "longer"),
    ]

    @Test("a file of attributes that is none is refused by its line", arguments: badAttributes.indices)
    func brokenFile(index: Int) async throws {
        let (content, status, words) = Self.badAttributes[index]
        if let content { try home.write("attributes.json", content) }
        let outcome = try await home.run(
            try home.signUpFlags("ada@example.com") + ["--attributes-file", home.path + "/attributes.json", "--json"])()
        #expect(outcome.ending == .exit(status) && outcome.output.isEmpty, "\(outcome)")
        #expect(try object(outcome.errors).object("error").string("message")?.contains(words) == true, "\(outcome)")
        #expect(home.names(in: home.tenantFolder + "/mail") == [], "nothing was sent")
    }
}
