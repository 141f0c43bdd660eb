// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

@Suite("Sign-in in a browser", .inTurns)
struct BrowserProgramTests {
    let home: Home

    init() throws { home = try Home() }

    /// A browser that fills in the forms of the pages by curl: each line of `steps` is what one form is sent with.
    private func browser(_ steps: String...) throws -> String {
        let posts = steps.map { "post \($0)" }.joined(separator: "\n")
        let script = """
            #!/bin/sh
            jar="$HOME/jar" page="$HOME/page"
            get() { curl -sS --max-time 60 -L -c "$jar" -b "$jar" -o "$page" "$@"; }
            post() {
                action=$(sed -n 's/.*<form method="post" action="\\([^"]*\\)".*/\\1/p' "$page")
                token=$(sed -n 's/.*name="page" value="\\([^"]*\\)".*/\\1/p' "$page")
                get --data-urlencode "page=$token" "$@" "$origin$action"
            }
            origin=$(echo "$1" | sed 's#^\\(http[s]*://[^/]*\\).*#\\1#')
            get "$1"
            \(posts)

            """
        let path = try home.write("browser", script)
        #expect(chmod(path, 0o700) == 0)
        return path
    }

    private func signInSteps(_ address: String) throws -> String {
        try browser(
            "--data-urlencode username=\(address)", "--data-urlencode password@\"$HOME/secret\"")
    }

    /// A browser whose owner has said yes to a certificate that the tenant signed itself.
    private func pathWithLaxCurl() throws -> String {
        let curl = try home.write("bin/curl", "#!/bin/sh\nexec /usr/bin/curl -k \"$@\"\n")
        #expect(chmod(curl, 0o700) == 0)
        return "\(home.path)/bin:\(home.environment["PATH"] ?? "")"
    }

    private func account(_ address: String) async throws {
        try await home.signUp(address)
        try await home.succeed("signout")
        try home.write("secret", Home.password)
    }

    @Test("signin --browser: the local tenant is served as long as it takes, and the session is kept as any other")
    func embedded() async throws {
        try await account("ada@example.com")
        let outcome = try await home.nativeauth(
            "signin", "--browser", environment: ["BROWSER": try signInSteps("ada@example.com")])
        #expect(outcome.ending == .exit(0) && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors.contains("/oauth2/v2.0/authorize?"))
        #expect(outcome.errors.contains("Signed in as ada@example.com."))
        #expect(home.read(home.path + "/page")?.contains("You can close this page") == true)
        #expect(try await home.succeed("whoami") == "ada@example.com\n")
        try await home.succeed("token", "--force-refresh")
        try await home.succeed("signout")
    }

    @Test("the same at a tenant that is served, over TLS too", arguments: [false, true])
    func served(isSecure: Bool) async throws {
        try await account("ada@example.com")
        let server = try await isSecure ? home.serve("--tls-self-signed") : home.serve()
        let outcome = try await home.nativeauth(
            "signin", "--browser", "--json",
            environment: ["BROWSER": try signInSteps("ada@example.com"), "PATH": try pathWithLaxCurl()])
        #expect(outcome.ending == .exit(0), "\(outcome)")
        #expect(try object(outcome.output).object("account").string("username") == "ada@example.com")
        try await home.succeed("token", "--force-refresh")
        try await server.stop()
    }

    @Test("somebody who says no in the browser is not signed in")
    func cancelled() async throws {
        let outcome = try await home.nativeauth(
            "signin", "--browser", environment: ["BROWSER": try browser("--data-urlencode do=cancel")])
        #expect(outcome.ending == .exit(77), "\(outcome)")
        #expect(outcome.errors.contains("did not want to sign in"))
        #expect(try await home.nativeauth("token").ending == .exit(4))
    }

    @Test("signin --device: a code is typed elsewhere")
    func device() async throws {
        try await account("ada@example.com")
        let server = try await home.serve()
        let session = try home.session("signin", "--device")
        try await session.expect("Go to ")
        let address = try await session.expect(" in a browser, and enter the code ").dropLast(
            " in a browser, and enter the code ".count)
        let code = try await session.expect("\r\n").dropLast()
        #expect(code.wholeMatch(of: /[A-Z]{4}-[A-Z]{4}/) != nil)
        let browser = try browser(
            "--data-urlencode code=\(code)", "", "--data-urlencode username=ada@example.com",
            "--data-urlencode password@\"$HOME/secret\"")
        let outcome = try await home.shell("\(browser) '\(address)'")
        #expect(outcome.ending == .exit(0), "\(outcome)")
        #expect(home.read(home.path + "/page")?.contains("You are signed in") == true)
        try await session.expect("Signed in as ada@example.com.")
        try await session.endWell()
        try await home.succeed("token")
        try await server.stop()
    }

    @Test("where the tenant wants a browser, a person goes on in one")
    func instead() async throws {
        try await account("ada@example.com")
        try await home.succeed("config", "set", "--profile", "local", "capabilities", "mfa_required")
        let app = """
            {"client_id": "5a3d1e00-0000-4000-8000-000000000001", "name": "Shop", "flow": "email-password",
             "redirect_uris": ["http://127.0.0.1"], "multi_factor": {"channels": ["email"]}}
            """
        try await home.succeed("tenant", "app", "set", try home.write("app.json", app))
        let listed = try await home.succeed("tenant", "app", "list", "--json")
        #expect(listed.contains(#""redirect_uris":["http://127.0.0.1"]"#), "\(listed)")
        let browser = try browser(
            "--data-urlencode username=ada@example.com", "--data-urlencode password@\"$HOME/secret\"",
            "--data-urlencode contact=second@example.com",
            "--data-urlencode code=$(nativeauth tenant inbox --code --to second@example.com)")
        let session = try home.session(
            "signin", "-u", "ada@example.com", "--password-file", try home.passwordFile(),
            environment: ["BROWSER": browser])
        try await session.expect("Client is missing")
        try await session.answer("Go on in the browser? [Y/n]", "y")
        try await session.expect("Signed in as ada@example.com.", timeout: .seconds(60))
        try await session.endWell()
        let claims = try await home.succeed("claims", "--field", "amr", "--json")
        #expect(claims.contains("mfa"), "\(claims)")
    }

    @Test("MSAL for Python signs in by the same pages")
    func python() async throws {
        try await account("ada@example.com")
        let server = try await home.serve("--tls-self-signed")
        let script = """
            import msal, sys
            app = msal.PublicClientApplication(
                "5a3d1e00-0000-4000-8000-000000000001", authority=sys.argv[1], instance_discovery=False, verify=sys.argv[2])
            got = app.acquire_token_interactive(["api://sample/Orders.Read"], timeout=60)
            print(got.get("id_token_claims", {}).get("preferred_username"), got.get("scope"), got.get("error_description"))
            """
        let python = Run(
            "/usr/bin/python3", ["-c", script, server.url, home.tenantFolder + "/tls-certificate.pem"],
            environment: home.environment([
                "BROWSER": try signInSteps("ada@example.com") + " %s &", "PATH": try pathWithLaxCurl(),
            ]))
        let outcome = try await python()
        #expect(outcome.output.hasPrefix("ada@example.com api://sample/Orders.Read"), "\(outcome)")
        try await server.stop()
    }

    @Test("Ctrl-C ends the wait, and the server that was there for the browser")
    func interrupted() async throws {
        try await account("ada@example.com")
        for flag in ["--browser", "--device"] {
            let session = try home.session("signin", flag)
            try await session.expect("Go to ")
            try await session.expect("\r\n")
            try await session.send("\u{3}")
            #expect(try await session.finish(timeout: .seconds(60)) == .signal(2))
            // Nobody else has the tenant, so this is answered in the program itself.
            try await home.succeed("tenant", "user", "list")
            #expect(try await home.nativeauth("token").ending == .exit(4))
        }
    }

    @Test("flags that do not go together are refused")
    func flags() async throws {
        for words in [
            ["--browser", "--device"], ["--browser", "--password-stdin"], ["--device", "--resume"],
            ["--browser", "--protocol", "jsonl"],
        ] {
            #expect(try await home.run(["signin"] + words)().ending == .exit(64), "\(words)")
        }
    }
}
