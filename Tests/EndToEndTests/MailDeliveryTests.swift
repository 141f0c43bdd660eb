// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

/// Mail by a real mail server, which checks what it is told.
@Suite("Mail by SMTP", .inTurns)
struct MailDeliveryTests {
    let home: Home

    init() throws { home = try Home() }

    /// A relay that takes mail of a user with a password alone.
    private func relay(_ kind: String) async throws -> MailServer {
        let server = try await MailServer.relay(kind, "shop", Home.password, home: home)
        try await home.sendMail(
            by: server,
            [
                "smtp_user": "shop", "smtp_password_file": try home.passwordFile(),
                "smtp_url": "\(kind == "tls" ? "smtps" : "smtp")://127.0.0.1:\(server.port)",
                "smtp_ca_file": kind == "plain" ? "" : home.path + "/ca.pem",
            ])
        return server
    }

    @Test(
        "Rules 111 to 113: signed in, over STARTTLS, TLS or plainly on this machine, a mail as it should be",
        arguments: ["starttls", "tls", "plain"])
    func kinds(_ kind: String) async throws {
        let server = try await relay(kind)
        let tenant = try await home.serve()
        var signUp = try await PlainSignUp(home, at: tenant.url)
        try await signUp.askForCode(at: tenant.url)
        let mail = try await server.mail()
        #expect(mail["recipients"] as? [String] == ["ada@example.com"])
        #expect(mail["encrypted"] as? Bool == (kind != "plain") && mail.string("user") == "shop")
        #expect(mail.string("sender") == "no-reply@fjord.example")
        #expect(mail.string("from") == "Fjord shop <no-reply@fjord.example>" && mail.string("to") == "ada@example.com")
        #expect(mail["types"] as? [String] == ["multipart/alternative", "text/plain", "text/html"])
        #expect(mail["defects"] as? [String] == [] && mail["bare"] as? Bool == false)
        #expect(mail["longest"] as? Int ?? 1000 <= 78 && mail["ascii"] as? Bool == true)
        #expect(mail.string("auto") == "auto-generated" && mail.string("id")?.hasSuffix("@fjord.example>") == true)
        let lines = try #require(mail.string("text")).split(whereSeparator: \.isNewline)
        let code = try #require(lines.first { $0.count == 8 && $0.allSatisfy(\.isNumber) }.map(String.init))
        #expect(mail.string("html")?.contains("<strong>\(code)</strong>") == true)
        try await signUp.give(code, at: tenant.url)
        try await tenant.stop()
        #expect(home.names(in: home.tenantFolder + "/mail") == [], "nothing is spooled")
        try await server.end()
    }

    @Test("Rule 114: an address of an internationalised domain gets mail, and is one account however it is written")
    func internationalised() async throws {
        let server = try await relay("starttls")
        let tenant = try await home.serve()
        var signUp = try await PlainSignUp(home, "Ada@M%C3%9CNCHEN.de", at: tenant.url)
        try await signUp.askForCode(at: tenant.url)
        let mail = try await server.mail()
        #expect(mail["recipients"] as? [String] == ["Ada@xn--mnchen-3ya.de"])
        let lines = try #require(mail.string("text")).split(whereSeparator: \.isNewline)
        try await signUp.give(
            try #require(lines.first { $0.count == 8 && $0.allSatisfy(\.isNumber) }.map(String.init)), at: tenant.url)
        let again = try await home.shell(
            """
            curl -s --data 'client_id=5a3d1e00-0000-4000-8000-000000000002&username=ada@xn--mnchen-3ya.de&challenge_type=oob+redirect' \
            '\(tenant.url)/signup/v1.0/start'
            """)
        #expect(try object(again.output).string("error") == "user_already_exists", "\(again)")
        try await tenant.stop()
        try await server.end()
    }

    @Test("a person signs up at a tenant that nobody serves: the mail leaves after the answer")
    func embedded() async throws {
        let server = try await relay("starttls")
        let session = try home.session("signup", "--profile", "local-code")
        try await session.answer(Question.email, "ada@m\u{FC}nchen.de")
        let mail = try await server.mail()
        #expect(mail["recipients"] as? [String] == ["ada@xn--mnchen-3ya.de"])
        let lines = try #require(mail.string("text")).split(whereSeparator: \.isNewline)
        let code = try #require(lines.first { $0.count == 8 && $0.allSatisfy(\.isNumber) }.map(String.init))
        try await session.answer(Question.code, code)
        try await session.answer(Question.country, "Norway")
        try await session.answer(Question.city, "")
        try await session.endWell()
        #expect(try await home.outbox().isEmpty)
        #expect(try await home.succeed("whoami", "--profile", "local-code") == "ada@m\u{FC}nchen.de\n")
        try await server.end()
    }

    @Test("a test mail says what the server answered")
    func testMail() async throws {
        let server = try await relay("starttls")
        let outcome = try await home.nativeauth("tenant", "mail", "test", "ada@example.com")
        #expect(outcome.ending == .exit(0), "\(outcome)")
        #expect(outcome.output == "The mail server took the mail: 250 2.0.0 Taken\n")
        #expect(try await server.mail()["recipients"] as? [String] == ["ada@example.com"])
        try await home.succeed(
            "tenant", "config", "set", "smtp_password_file", try home.write("other", "wrong\n"))
        let refused = try await home.nativeauth("tenant", "mail", "test", "ada@example.com")
        #expect(refused.ending == .exit(69), "\(refused)")
        #expect(refused.errors.contains("refused the user or the password: 535"), "\(refused)")
        try await server.end()
    }

    @Test("a test mail that cannot leave says why, and with which exit code")
    func testMailFails() async throws {
        let unset = try await home.nativeauth("tenant", "mail", "test", "ada@example.com")
        #expect(unset.ending == .exit(78) && unset.errors.contains("smtp_url"), "\(unset)")
        #expect(try await home.nativeauth("tenant", "mail", "test", "ada").ending == .exit(64))
        let server = try await relay("tls")
        try await home.succeed("tenant", "config", "set", "smtp_ca_file", "")
        let untrusted = try await home.nativeauth("tenant", "mail", "test", "ada@example.com")
        #expect(untrusted.ending == .exit(69) && untrusted.errors.contains("smtp_ca_file"), "\(untrusted)")
        try await home.succeed("tenant", "config", "set", "smtp_from", "")
        let nobody = try await home.nativeauth("tenant", "mail", "test", "ada@example.com")
        #expect(nobody.ending == .exit(78) && nobody.errors.contains("smtp_from"), "\(nobody)")
        try await server.end()
    }

    @Test(
        "a setting for mail that makes no sense is refused",
        arguments: [
            ("smtp_url", "http://mail.example"), ("smtp_url", "smtp://a:b@mail.example"),
            ("smtp_from", "nobody"), ("smtp_from", "x\r\nBcc: e@x.example <a@b.example>"),
            ("smtp_password_file", "password"), ("smtp_ca_file", "ca.pem"), ("smtp_timeout", "0"),
            ("smtp_user", "a\nb"),
        ])
    func refusedSetting(_ name: String, _ value: String) async throws {
        let outcome = try await home.nativeauth("tenant", "config", "set", name, value)
        #expect(outcome.ending == .exit(64), "\(outcome)")
    }
}
