// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import Synchronization
import TenantTesting
import TerminalTesting
import Testing

@Suite("nativeauth exec", .inTurns)
struct ExecTests {
    let home: Home

    init() throws { home = try Home() }

    @Test("by default the program reads the token, and no argument list, environment or file shows it")
    func discreet() async throws {
        try await home.signUp("ada@example.com")
        let token = try await home.token()
        let seen = Mutex<[String]?>(nil)
        let server = try ReceiverSocket { peer in
            guard peer.request() != nil else { return }
            // The program runs now, and waits for the answer.
            let places = TokenSight.places(of: token)
            seen.withLock { $0 = places }
            peer.send(ReceiverSocket.answer("200 OK"))
        }
        let script = """
            curl -sS \(server.origin); cat "$NATIVEAUTH_ACCESS_TOKEN_FILE"; echo; cat "$NATIVEAUTH_ACCESS_TOKEN_FILE"; echo
            cat <&"$NATIVEAUTH_ACCESS_TOKEN_FD"; echo; echo "${NATIVEAUTH_ACCESS_TOKEN-none}"
            """
        let outcome = try await home.nativeauth("exec", "--", "sh", "-c", script)
        #expect(outcome.ending == .exit(0) && outcome.errors.isEmpty, "\(outcome)")
        #expect(outcome.output == "\(token)\n\(token)\n\(token)\nnone\n")
        #expect(seen.withLock { $0 } == [])
        #expect(TokenSight.files(with: token, below: home.path) == [".config/nativeauth/accounts/local.json"])
    }

    @Test("as a number, or in a variable, under names of the person's choice")
    func ways() async throws {
        try await home.signUp("ada@example.com")
        let token = try await home.token()
        let rows: [(flags: [String], script: String)] = [
            (["--as", "fd"], #"cat <&$NATIVEAUTH_ACCESS_TOKEN_FD"#),
            (["--as", "fd", "--name", "FD"], #"cat <&$FD"#),
            (["--name", "AWS_WEB_IDENTITY_TOKEN_FILE"], #"cat $AWS_WEB_IDENTITY_TOKEN_FILE"#),
            (["--as", "env"], #"printf %s "$NATIVEAUTH_ACCESS_TOKEN""#),
            (["--as=env", "--name", "_T1"], #"printf %s "$_T1""#),
        ]
        for (flags, script) in rows {
            let outcome = try await home.run(["exec"] + flags + ["sh", "-c", script])()
            #expect(outcome.ending == .exit(0) && outcome.output == token, "\(flags): \(outcome)")
        }
        let idToken = try await home.token("--id-token")
        let outcome = try await home.nativeauth("exec", "--id-token", "sh", "-c", "cat $NATIVEAUTH_ID_TOKEN_FILE")
        #expect(outcome.output == idToken && idToken != token)
        for name in ["", "1A", "A-B", "A=B"] {
            #expect(try await home.nativeauth("exec", "--name=\(name)", "true").ending == .exit(64), "\(name)")
        }
    }

    @Test(
        "the program finds what it would find without us: descriptors, variables, words, mask, and SIGPIPE",
        arguments: ["", "trap '' PIPE; "])
    func surroundings(start: String) async throws {
        try await home.signUp("ada@example.com")
        let look = #"ls /proc/self/fd; umask; printf %s "$ODD|$1|$2" | od -An -c; (yes; echo $? >&2) | true"#
        let script = start + "cd /; umask 027; exec 7<\"$HOME\"; ODD=$(printf 'a\\n\\377'); export ODD; "
        let words = "sh -c '\(look)' sh -x \"$(printf 'a \\376')\""
        let plain = try await home.shell(script + words)
        let ours = try await home.shell(script + "nativeauth exec --force-refresh -- " + words)
        let more = Set(ours.output.split(separator: "\n")).symmetricDifference(plain.output.split(separator: "\n"))
        #expect(more.count == 1 && more.allSatisfy { Int($0) != nil }, "one descriptor more: \(ours) \(plain)")
        #expect(plain.output.contains("377") && plain.output.contains("376"))
        #expect(ours.errors == plain.errors && ours.ending == plain.ending)
    }

    @Test("its exit code and its signals are the command's; 126 and 127 where it cannot be run")
    func endings() async throws {
        try await home.signUp("ada@example.com")
        #expect(try await home.nativeauth("exec", "sh", "-c", "exit 42").ending == .exit(42))
        #expect(try await home.nativeauth("exec", "sh", "-c", "kill -TERM $$").ending == .signal(15))
        let absent = try await home.nativeauth("exec", "--", "no-such-program")
        #expect(absent.ending == .exit(127) && absent.errors.contains("The program 'no-such-program' is not on PATH."))
        let plain = try home.write("plain", "no program")
        #expect(try await home.nativeauth("exec", plain).ending == .exit(126))
        #expect(try await home.shell("chmod 755 '\(plain)'").ending == .exit(0))
        let broken = try await home.nativeauth("exec", plain)
        #expect(
            broken.ending == .exit(126) && broken.errors.contains("cannot be executed: Exec format error."), "\(broken)"
        )
        #expect(try await home.nativeauth("exec").ending == .exit(64))
    }

    @Test("nobody is signed in: 4, and the program is not run")
    func signedOut() async throws {
        let outcome = try await home.nativeauth("exec", "touch", home.path + "/ran")
        #expect(outcome.ending == .exit(4) && home.read(home.path + "/ran") == nil, "\(outcome)")
    }

    @Test("inside, token and curl find the token; a flag that means another comes first")
    func nested() async throws {
        try await home.signUp("ada@example.com")
        let token = try await home.token()
        let sources = try await home.nativeauth(
            "exec", "--", "sh", "-c",
            "nativeauth token; nativeauth token --field source; nativeauth token --scope openid --field source")
        #expect(sources.output == "\(token)\nfile\ncache\n", "\(sources)")
        let again = try await home.nativeauth("exec", "--as", "env", "nativeauth", "exec", "sh", "-c", "env")
        #expect(!again.output.contains(token), "an inner command takes the variable away")
        let doctor = try await home.nativeauth("exec", "--as", "env", "nativeauth", "doctor")
        #expect(doctor.ending == .exit(0) && doctor.output.contains("NATIVEAUTH_ACCESS_TOKEN\n"), "\(doctor)")
        #expect(!doctor.output.contains(token))
    }
}
