// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import TenantTesting
import Testing

@testable import Tenant

/// One mail at a server of a few lines: what is said to it, and what its answers mean.
struct MailRelayTests {
    /// A server that says what it is told to say to each verb, and "250 OK" to the others.
    private static func server(
        greeting: String = "220 mail.test", _ answers: [String: String] = [:]
    ) throws -> ReceiverSocket {
        try ReceiverSocket { peer in
            peer.send(greeting + "\r\n")
            while let line = peer.line() {
                let verb = String(line.prefix { $0 != " " && $0 != ":" }).uppercased()
                let answer = answers[verb] ?? (verb == "DATA" ? "354 Go on" : "250 OK")
                if answer.isEmpty { return }
                peer.send(answer + "\r\n")
                if verb == "DATA", answer.hasPrefix("354") {
                    while let text = peer.line(), text != "." {}
                    peer.send((answers["."] ?? "250 Taken") + "\r\n")
                }
                if verb == "QUIT" { return }
            }
        }
    }

    private static func relay(_ url: String, hosts: String? = nil, _ change: (inout Settings) -> Void = { _ in }) throws
        -> MailRelay
    {
        var settings = Settings(tenantID: "t", name: "local", origin: "http://127.0.0.1:8400")
        settings.smtpURL = url
        settings.smtpFrom = "Fjord <no-reply@fjord.example>"
        settings.smtpTimeout = 20
        change(&settings)
        return try #require(MailRelay(settings, hosts: hosts))
    }

    private static func message(_ to: String = "mira@lofoten.example") throws -> CodeMessage {
        CodeMessage(
            purpose: .signUp, to: try #require(Contact(to)), code: "01234567", lifetime: 600, id: "id-1", date: Date())
    }

    /// What came of a mail.
    private static func outcome(_ relay: MailRelay, _ message: CodeMessage) async -> Result<String, DeliveryFailure> {
        await OwnThread.run {
            do throws(DeliveryFailure) { return .success(try relay.send(message)) } catch { return .failure(error) }
        }
    }

    @Test(
        "Rules 109 and 114: exactly one recipient, its domain in ASCII",
        arguments: ["mira@lofoten.example", "mira@l\u{F8}foten.example"])
    func conversation(_ to: String) async throws {
        let server = try Self.server()
        let message = try Self.message(to)
        let outcome = await Self.outcome(try Self.relay("smtp://127.0.0.1:\(server.port)"), message)
        #expect(outcome == .success("250 Taken"))
        let ascii = try #require(EmailAddress(to)).ascii
        #expect(server.requests.filter { $0.hasPrefix("RCPT") } == ["RCPT TO:<\(ascii)>"])
        #expect(
            server.requests.filter { $0.hasPrefix("MAIL") }.allSatisfy {
                $0.hasPrefix("MAIL FROM:<no-reply@fjord.example>")
            })
        let text = try message.rendered(from: #require(MailSender("Fjord <no-reply@fjord.example>")))
        let lines = text.components(separatedBy: "\r\n").dropLast()
        let begin = try #require(server.requests.firstIndex(of: "DATA")) + 1
        #expect(Array(server.requests[begin..<(begin + lines.count)]) == Array(lines))
        #expect(server.requests[begin + lines.count] == ".")
    }

    @Test("two mails take one connection")
    func connectionIsKept() async throws {
        let server = try Self.server()
        let relay = try Self.relay("smtp://127.0.0.1:\(server.port)")
        let messages = try (0..<2).map { _ in try Self.message() }
        // One after the other without a pause, in which the server might hang up.
        let replies = await OwnThread.run {
            messages.map { message in
                Result { () throws(DeliveryFailure) in try relay.send(message) }
            }
        }
        #expect(replies == [.success("250 Taken"), .success("250 Taken")])
        #expect(server.accepted == 1)
    }

    @Test(
        "a refusal is final where it is of this mail and for good",
        arguments: [
            (["MAIL": "550 not you"], DeliveryFailure.Problem.refused, "550 not you", false),
            (["RCPT": "451 later"], .recipientRefused, "451 later", false),
            (["RCPT": "550 nobody"], .recipientRefused, "550 nobody", true),
            (["DATA": "554 no"], .refused, "554 no", true), ([".": "452 full"], .refused, "452 full", false),
            ([".": "554 spam"], .refused, "554 spam", true),
            (["EHLO": "502 what", "HELO": "502 what"], .refused, "502 what", false),
        ])
    func refusal(_ answers: [String: String], _ problem: DeliveryFailure.Problem, _ reply: String, _ isFinal: Bool)
        async throws
    {
        let server = try Self.server(answers)
        let outcome = await Self.outcome(try Self.relay("smtp://127.0.0.1:\(server.port)"), try Self.message())
        #expect(outcome == .failure(DeliveryFailure(problem, reply: reply, isFinal: isFinal)))
    }

    @Test func busyServer() async throws {
        let server = try Self.server(greeting: "421 not now")
        let outcome = await Self.outcome(try Self.relay("smtp://127.0.0.1:\(server.port)"), try Self.message())
        #expect(outcome == .failure(DeliveryFailure(.refused, reply: "421 not now")))
    }

    @Test("a server that says nothing has its time, and no more")
    func silentServer() async throws {
        let server = try ReceiverSocket { $0.waitForEnd() }
        let relay = try Self.relay("smtp://127.0.0.1:\(server.port)") { $0.smtpTimeout = 1 }
        #expect(await Self.outcome(relay, try Self.message()) == .failure(DeliveryFailure(.timedOut)))
    }

    @Test("a server that hangs up is told apart from one that is not there")
    func connectionLost() async throws {
        let server = try Self.server(["DATA": ""])
        let outcome = await Self.outcome(try Self.relay("smtp://127.0.0.1:\(server.port)"), try Self.message())
        guard case .failure(let failure) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(failure.problem == .connectionLost && !failure.isFinal)
    }

    @Test("Rule 111: another machine's server without STARTTLS hears nothing but a greeting")
    func noEncryption() async throws {
        let server = try Self.server(["EHLO": "250-mail.test\r\n250 AUTH PLAIN LOGIN"])
        let relay = try Self.relay("smtp://mail.test:\(server.port)", hosts: "mail.test:\(server.port):127.0.0.1") {
            $0.smtpUser = "ada"
            $0.smtpPasswordFile = "/etc/hostname"
        }
        #expect(await Self.outcome(relay, try Self.message()) == .failure(DeliveryFailure(.notEncrypted)))
        #expect(server.requests.allSatisfy { $0.hasPrefix("EHLO") || $0 == "QUIT" }, "\(server.requests)")
    }

    @Test("Rule 111: on this machine a plain server is good enough, unless an authority is named")
    func namedAuthority() async throws {
        let server = try Self.server()
        let relay = try Self.relay("smtp://127.0.0.1:\(server.port)") {
            $0.smtpCAFile = "/etc/ssl/certs/ca-certificates.crt"
        }
        #expect(await Self.outcome(relay, try Self.message()) == .failure(DeliveryFailure(.notEncrypted)))
    }

    @Test("a name that claims to be this machine and leads elsewhere is not followed")
    func localhostElsewhere() async throws {
        let relay = try Self.relay("smtp://localhost:2525", hosts: "localhost:2525:192.0.2.1")
        #expect(await Self.outcome(relay, try Self.message()) == .failure(DeliveryFailure(.noConnection)))
    }

    @Test("what is missing in the settings is said, and nothing is sent")
    func notConfigured() async throws {
        let server = try Self.server()
        let url = "smtp://127.0.0.1:\(server.port)"
        let noSender = try Self.relay(url) { $0.smtpFrom = "" }
        #expect(await Self.outcome(noSender, try Self.message()) == .failure(DeliveryFailure(.notConfigured)))
        let noPassword = try Self.relay(url) {
            $0.smtpUser = "ada"
            $0.smtpPasswordFile = "/nowhere/password"
        }
        #expect(await Self.outcome(noPassword, try Self.message()) == .failure(DeliveryFailure(.passwordFile)))
        #expect(server.accepted == 0)
    }

    @Test(
        "what is no mail server",
        arguments: [
            "http://mail.example", "smtp://", "smtp://a:b@mail.example", "mail.example", "smtp://mail.example/x",
            "smtp://mail.example?x", "smtp://mail.example:0", "smtp://mail.example:70000", "smtp://ma il.example",
            "smtp://a\\b",
        ])
    func noServer(_ text: String) {
        #expect(MailServer(text) == nil)
    }

    @Test(
        "ports and addresses",
        arguments: [
            ("smtp://Mail.Example", "smtp://mail.example:587"), ("SMTPS://mail.example/", "smtps://mail.example:465"),
            ("smtp://[::1]:25", "smtp://[::1]:25"), ("smtp://127.0.0.1:1025", "smtp://127.0.0.1:1025"),
        ])
    func serverAddress(_ text: String, _ url: String) throws {
        #expect(try #require(MailServer(text)).url == url)
    }
}
