// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import TenantTesting
import Testing
import Wire

@testable import Tenant

private let mira = "mira@lofoten.example"
private let phone = "+4790000007"

/// Text messages by a command of the owner's.
final class TextMessageTests {
    /// Where the command leaves what it read, a line for each message.
    private let file = "/tmp/nativeauth-text-\(UUID().uuidString)"

    init() { signal(SIGPIPE, SIG_IGN) }

    deinit { unlink(file) }

    private var received: [JSONValue] {
        let data = (try? Data(contentsOf: URL(filePath: file))) ?? Data()
        return data.split(separator: UInt8(ascii: "\n")).compactMap { JSONValue(json: $0) }
    }

    private func scene(_ command: String) throws -> Scene {
        Scene(try TestTenant { $0.smsCommand = command })
    }

    private var keeping: String { "{ cat; echo; } >> \(file)" }

    @Test func commandReadsOneObject() throws {
        let scene = try scene(keeping)
        let (app, sent) = try scene.secondCodeSent(mira, [phone], by: "sms")
        #expect(received.isEmpty, "the answer does not wait for it")
        scene.tenant.provider.deliverWaiting()
        let message = try #require(received.first)
        #expect(received.count == 1)
        #expect(message.object?.keys.sorted() == ["code", "id", "text", "to"])
        #expect(message["to"] == .string(phone))
        let code = try #require(message["code"]?.string)
        #expect(message["text"]?.string?.contains(code) == true)
        #expect(UUID(uuidString: message["id"]?.string ?? "") != nil)
        let proof = "grant_type=mfa_oob&continuation_token=\(sent.token)&oob=\(code)"
        #expect(try scene.token(proof, app: app).status == 200)
    }

    @Test func mailDoesNotGoByTheCommand() throws {
        let scene = try scene(keeping)
        try scene.passwordAccount(mira)
        #expect(received.isEmpty)
        #expect(try scene.tenant.mails(to: mira) == 1)
    }

    @Test func textMessageDoesNotGoToTheSpool() throws {
        let scene = try scene(keeping)
        _ = try scene.secondCodeSent(mira, [phone], by: "sms")
        scene.tenant.provider.deliverWaiting()
        #expect(received.count == 1)
        #expect(try scene.tenant.mails(to: phone) == 0)
    }

    // MARK: - A service

    /// A service gets what a command gets, as the body of a POST; anything but a 2xx means that it did not take it.
    @Test(arguments: ["200 OK", "202 Accepted", "500 Broken", "302 Found"])
    func serviceTakesOneObject(_ status: String) throws {
        let service = try ReceiverSocket { peer in
            while peer.request() != nil { peer.send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n") }
        }
        let url = service.url
        let scene = Scene(try TestTenant { $0.smsURL = url })
        let (app, sent) = try scene.secondCodeSent(mira, [phone], by: "sms")
        scene.tenant.provider.deliverWaiting()
        let request = try #require(service.requests.first)
        #expect(request.hasPrefix("POST /hook HTTP/1.1\r\n"))
        let end = try #require(request.firstRange(of: "\r\n\r\n")).upperBound
        let message = try #require(JSONValue(json: request[end...].utf8))
        #expect(message.object?.keys.sorted() == ["code", "id", "text", "to"])
        #expect(message["to"] == .string(phone))
        let proof = "grant_type=mfa_oob&continuation_token=\(sent.token)&oob=\(message["code"]?.string ?? "")"
        #expect(try scene.token(proof, app: app).status == 200)
        scene.tenant.clock.advance(by: 5)
        scene.tenant.provider.deliverWaiting()
        #expect(service.requests.count == (status.hasPrefix("2") ? 1 : 2))
        #expect(try scene.tenant.mails(to: phone) == 0)
    }

    // MARK: - Another try

    /// The answer does not tell, and the message is tried again under its id.
    @Test(arguments: ["exit 1", "kill -9 $$"])
    func messageThatDidNotLeaveIsTriedAgain(_ end: String) throws {
        let scene = try scene("\(keeping); \(end)")
        let (app, sent) = try scene.secondCodeSent(mira, [phone], by: "sms")
        #expect(sent.status == 200)
        scene.tenant.provider.deliverWaiting()
        #expect(received.count == 1)
        scene.tenant.clock.advance(by: 1)
        scene.tenant.provider.deliverWaiting()
        scene.tenant.clock.advance(by: 2)
        var settings = scene.tenant.provider.currentSettings
        settings.smsCommand = keeping
        try scene.tenant.provider.save(settings)
        try scene.tenant.restart()
        scene.tenant.provider.deliverWaiting()
        scene.tenant.provider.deliverWaiting()
        #expect(received.count == 3)
        #expect(Set(received.compactMap { $0["id"]?.string }).count == 1)
        let proof = "grant_type=mfa_oob&continuation_token=\(sent.token)&oob=\(received[2]["code"]?.string ?? "")"
        #expect(try scene.token(proof, app: app).status == 200)
    }

    @Test func commandThatReadsNothingIsGoodEnough() throws {
        let scene = try scene("true")
        _ = try scene.secondCodeSent(mira, [phone], by: "sms")
        scene.tenant.provider.deliverWaiting()
        #expect(try scene.tenant.provider.database.transaction { try $0.rows("SELECT 1 FROM outbox").isEmpty })
    }
}
