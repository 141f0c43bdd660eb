// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

/// Each exit code that scripts may rely on; those of signals are in other suites.
@Suite("Exit codes", .inTurns)
struct ExitCodeTests {
    let home: Home

    init() throws { home = try Home() }

    /// A failure has to say the same to a person and to a program, and nothing on standard output.
    private func expect(
        _ status: Int32, _ words: String, _ arguments: [String], environment: [String: String?] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let plain = try await home.run(arguments, environment: environment)()
        #expect(plain.ending == .exit(status), "\(plain)", sourceLocation: sourceLocation)
        #expect(plain.output.isEmpty, sourceLocation: sourceLocation)
        #expect(plain.errors.contains(words), "\(plain)", sourceLocation: sourceLocation)
        let json = try await home.run(arguments + ["--json"], environment: environment)()
        #expect(json.ending == .exit(status), "\(json)", sourceLocation: sourceLocation)
        #expect(json.output.isEmpty, sourceLocation: sourceLocation)
        #expect(json.errors.occurrences(of: "\n") == 1, "\(json)", sourceLocation: sourceLocation)
        let error = try object(json.errors, sourceLocation: sourceLocation).object("error")
        #expect(error["exit_code"] as? Int == Int(status), sourceLocation: sourceLocation)
        #expect(error.string("message")?.contains(words) == true, "\(json)", sourceLocation: sourceLocation)
    }

    @Test("0, and help for every command")
    func done() async throws {
        let home = try Home(.fresh)
        for command in ["signup", "signin", "signout", "token", "whoami", "claims"] {
            let help = try await home.succeed("help", command)
            #expect(try await home.succeed(command, "--help") == help && help.contains("Usage:"))
        }
        #expect(try await home.succeed("--version").hasPrefix("nativeauth "))
        #expect(home.names(in: home.path) == [], "looking at help makes no files")
    }

    @Test("1: a failure of no kind of its own")
    func failed() async throws {
        let outcome = try await home.nativeauth("tenant", "inbox", "--to", "eve@example.com")
        #expect(outcome.ending == .exit(1) && outcome.output.isEmpty)
        #expect(outcome.errors == "nativeauth tenant: There is no mail to eve@example.com.\n")
    }

    @Test("4: sign in first")
    func signInNeeded() async throws {
        for command in ["token", "whoami", "claims"] { try await expect(4, "Nobody is signed in.", [command]) }
    }

    static let misuses: [(arguments: [String], words: String)] = [
        (["token", "--nope"], "unknown flag '--nope'"), (["nope"], "unknown command 'nope'"),
        (["token", "more"], "unexpected argument 'more'"), (["signup", "--username"], "'--username' needs a value"),
        (["signup", "--attribute", "country"], "'country' is no attribute: write NAME=VALUE"),
        (["signup", "--attribute", "a=1", "--attribute", "a=2"], "the attribute 'a' is given twice"),
        (["signin", "--profile", "../x"], "'../x' cannot be a profile's name"),
        (["signin", "--password-stdin", "--otp-stdin"], "standard input cannot be both"),
        (["signin", "--password-stdin", "--password-file", "x"], "give one of --password-file"),
    ]

    @Test("64: wrong use", arguments: misuses)
    func usage(misuse: (arguments: [String], words: String)) async throws {
        try await expect(64, misuse.words, misuse.arguments)
    }

    @Test(
        "T65: a damaged cache, which is moved aside and named; signing in works again",
        arguments: [
            "", "{", "no JSON", "[]", "{\"AccessToken\": []}", "{}\0", "{\"Account\": 1}",
        ])
    func invalidData(content: String) async throws {
        try await home.signUp("ada@example.com")
        try home.write(".config/nativeauth/accounts/local.json", content)
        let outcome = try await home.nativeauth("token", "--json")
        #expect(outcome.ending == .exit(65), "\(outcome)")
        let aside = try #require(home.names(in: home.configFolder + "/accounts").first { $0.contains(".corrupt-") })
        #expect(try object(outcome.errors).object("error").string("message")?.contains(aside) == true)
        #expect(home.read(home.configFolder + "/accounts/" + aside) == content)
        #expect(try await home.nativeauth("token").ending == .exit(4))
        try await home.succeed("signin", "-u", "ada@example.com", "--password-file", try home.passwordFile())
        try await home.succeed("token")
    }

    @Test("65: signing in over a damaged cache keeps it and says where")
    func damagedAtSignIn() async throws {
        try await home.signUp("ada@example.com")
        try home.write(".config/nativeauth/accounts/local.json", "no JSON")
        let outcome = try await home.nativeauth(
            "signin", "-u", "ada@example.com", "--password-file", try home.passwordFile())
        #expect(outcome.ending == .exit(0), "\(outcome)")
        #expect(outcome.errors.contains("nativeauth: the token cache was damaged. It is now at \(home.cache).corrupt-"))
        try await home.succeed("token")
    }

    @Test("66: input is missing")
    func missingInput() async throws {
        try await expect(
            66, "The password file '/nonexistent': The secret cannot be read: No such file or directory.",
            ["signup", "-u", "ada@example.com", "--password-file", "/nonexistent", "--otp-command", "true"])
    }

    @Test("68: an unknown host")
    func unknownHost() async throws {
        try await expect(
            68, "The tenant's host is not known",
            ["signin", "-u", "ada@example.com", "--authority", "https://nonexistent.invalid/t", "--client-id", "x"])
    }

    @Test("69: nobody answers")
    func unavailable() async throws {
        let port = try ClosedPort()
        try await expect(
            69, "Nobody answers at the tenant's address",
            ["signin", "-u", "ada@example.com", "--authority", "http://127.0.0.1:\(port.number)/t", "--client-id", "x"])
        withExtendedLifetime(port) {}
    }

    @Test("70: the other program cannot be run, and 78: it is not there")
    func otherProgram() async throws {
        let program = home.path + "/bin/nativeauth"
        // Copied by another process: one that this process forks meanwhile would hold the copy open for writing.
        let source = try BuiltProgram.path("nativeauth")
        #expect(try await home.shell("mkdir '\(home.path)/bin' && cp '\(source)' '\(program)'").ending == .exit(0))
        let run = Run(program, ["tenant", "inbox"], environment: home.environment(["PATH": "/usr/bin:/bin"]))
        let absent = try await run()
        #expect(absent.ending == .exit(78), "\(absent)")
        #expect(absent.errors.contains("neither beside 'nativeauth' nor on PATH"))
        let other = program + "-tenant"
        #expect(try await home.shell("echo no program >'\(other)' && chmod 755 '\(other)'").ending == .exit(0))
        let broken = try await run()
        #expect(broken.ending == .exit(70), "\(broken)")
        #expect(broken.errors.contains("Cannot run \(other)"))
    }

    @Test("75: try again later")
    func tryAgain() async throws {
        try await home.signUpWithCode("ada@example.com")
        try await home.succeed("tenant", "config", "set", "codes_per_address", "1")
        try await expect(
            75, "The tenant sends no more codes to this address for now.",
            ["signin", "--profile", "local-code", "-u", "ada@example.com", "--otp-command", "true"])
    }

    @Test("77: refused")
    func refused() async throws {
        try await expect(
            77, "No account has this address.", ["signin", "-u", "ada@example.com", "--password-command", "echo x"])
    }

    @Test("64: an argument that is no UTF-8", arguments: ["nativeauth token", "nativeauth-tenant inbox"])
    func notUTF8(program: String) async throws {
        let outcome = try await home.shell(#"\#(program) --profile "$(printf 'caf\351')""#)
        #expect(outcome.ending == .exit(64), "\(outcome)")
        #expect(outcome.errors.contains("argument 3 is not UTF-8 text"), "\(outcome)")
    }

    @Test("75: another process keeps the local tenant")
    func tenantBusy() async throws {
        try await home.signUp("ada@example.com")
        let outcome = try await home.shell(
            "flock '\(home.tenantFolder)/tenant.lock' nativeauth token --force-refresh --json")
        #expect(outcome.ending == .exit(75), "\(outcome)")
        #expect(try object(outcome.errors).object("error")["exit_code"] as? Int == 75)
    }

    @Test("78: the configuration")
    func configuration() async throws {
        try await expect(78, "There is no profile 'nope'.", ["token", "--profile", "nope"])
        try await expect(78, "There is no profile 'nope'.", ["token"], environment: ["NATIVEAUTH_PROFILE": "nope"])
        try await expect(78, "is no address of a tenant", ["token", "--authority", "nonsense"])
        try await expect(78, "is not https", ["token", "--authority", "http://example.com/t"])
        try home.write(".config/nativeauth/config.json", "no JSON")
        try await expect(78, "is no configuration", ["token"])
    }
}

/// A port of this machine that nobody else gets, and on which nobody listens.
final class ClosedPort {
    let number: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        number = try #require(bindToLoopback(descriptor), "no port: errno \(errno)")
    }

    deinit { close(descriptor) }
}

/// Gives a socket a free port of the loopback address; returns it.
func bindToLoopback(_ descriptor: Int32) -> UInt16? {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            bind(descriptor, address, length) == 0 ? getsockname(descriptor, address, &length) : -1
        }
    }
    return result == 0 ? UInt16(bigEndian: address.sin_port) : nil
}
