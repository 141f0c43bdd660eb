// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import TenantTesting
import Testing
import Wire

@testable import Tenant

/// The receiver of the documentation, in a process of its own. It checks tokens with PyJWT, which has nothing to do with
/// this package, against what the tenant publishes.
@Suite(.timeLimit(.minutes(2)))
struct ExampleReceiverTests {
    private let tenant: TestTenant
    /// The tenant's addresses, served.
    private let front: ReceiverSocket
    private let authority: String

    init() throws {
        let tenant = try TestTenant()
        let front = try ReceiverSocket { peer in
            while let request = peer.request() {
                let path = request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
                let origin = request.split(separator: "Host: ").last?.prefix { !$0.isNewline } ?? ""
                let answer = tenant.provider.served(at: "http://\(origin)").answer(Request(method: "GET", path: path))
                peer.send(ReceiverSocket.ok(String(decoding: answer.body, as: UTF8.self)))
            }
        }
        self.tenant = tenant
        self.front = front
        authority = "http://127.0.0.1:\(front.port)/\(tenant.provider.settings.tenantID)"
    }

    private static let script =
        #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
        + "/docs/examples/extension-receiver/receiver.py"

    private func start(_ more: String...) throws -> (RunningProgram, url: String) {
        let program = try RunningProgram(
            [
                "/usr/bin/python3", Self.script, "--authority", authority, "--audience", CalloutScene.audience,
                "--listen", "127.0.0.1:0",
            ] + more)
        let line = try #require(program.readLine())
        return (program, try #require(line.split(separator: " ").last.map(String.init)))
    }

    private func ask(
        _ callout: Callout, at url: String, signer: Signer? = nil, issuer change: (inout Settings) -> Void = { _ in },
        age: TimeInterval = 0, adjust: (inout AuthenticationExtension) -> Void = { _ in }
    ) async -> CalloutOutcome {
        var settings = tenant.provider.settings
        change(&settings)
        let callouts = Callouts(settings: settings, signer: signer ?? tenant.provider.signer)
        let registration = CalloutScene.registration(callout.event, at: url, adjust)
        return await OwnThread.run {
            callouts.ask(callout, of: registration, CalloutScene.context, now: Date() - age)
        }
    }

    private func submitting(city: String) -> Callout {
        .attributeCollectionSubmit(
            SignUpInfo(
                attributes: ["city": .init(type: .string, value: .string(city))],
                identities: CalloutScene.signUp.identities))
    }

    @Test func answersEveryEvent() async throws {
        let (program, url) = try start()
        #expect(
            await ask(CalloutScene.callout(for: .tokenIssuanceStart), at: url)
                == .claims([
                    "shopTier": .string("gold"), "shopRoles": .array([.string("buyer"), .string("reviewer")]),
                ]))
        #expect(
            await ask(CalloutScene.callout(for: .attributeCollectionStart), at: url)
                == .prefill(["country": .string("Norway")]))
        #expect(await ask(submitting(city: "Oslo"), at: url) == .goOn)
        #expect(await ask(submitting(city: " oslo"), at: url) == .modify(["city": .string("Oslo")]))
        #expect(
            await ask(submitting(city: "Atlantis"), at: url)
                == .validationError(
                    message: "Please correct your answers.", attributes: ["city": "There is no such city."]))
        #expect(await ask(CalloutScene.callout(for: .emailOtpSend), at: url) == .goOn)
        #expect(program.readLine() == "mail for mira@lofoten.example: your code is 40518826")
        let blocked = SignUpInfo(
            attributes: [:], identities: [.init(issuer: "x", issuerAssignedID: "ada@blocked.example")])
        #expect(
            await ask(.attributeCollectionStart(blocked), at: url)
                == .block(title: "No accounts here", message: "Ask your employer for an account."))
    }

    @Test func refusesWhatItShouldNotBelieve() async throws {
        let (program, url) = try start()
        defer { program.end() }
        let callout = CalloutScene.callout(for: .tokenIssuanceStart)
        #expect(await ask(callout, at: url).code == nil)
        #expect(await ask(callout, at: url, signer: Signer.generate()).code == 1_003_002)
        #expect(await ask(callout, at: url, issuer: { $0.origin = "http://127.0.0.1:1" }).code == 1_003_002)
        #expect(await ask(callout, at: url, age: 600).code == 1_003_002)
        #expect(
            await ask(callout, at: url, adjust: { $0.resourceID = "api://127.0.0.1/\(CalloutScene.apiID)" }).code
                == 1_003_002)
    }

    /// A person's access token for the same API has the right issuer, audience and signature.
    @Test func refusesAPersonsToken() async throws {
        let (program, url) = try start()
        defer { program.end() }
        let resource = try #require(CalloutResource("api://127.0.0.1/\(CalloutScene.audience)"))
        let target = try #require(CalloutTarget(url))
        let envelope = CalloutEnvelope(
            callout: CalloutScene.callout(for: .tokenIssuanceStart), registration: CalloutScene.registration(at: url),
            context: CalloutScene.context, tenantID: tenant.provider.settings.tenantID)
        for (azp, status) in [(CalloutToken.caller, 200), (CalloutScene.clientID, 401)] {
            var claims = CalloutToken.claims(id: UUID().uuidString, resource, tenant.provider.settings, Date())
            claims["azp"] = .string(azp)
            let call = CalloutConnection.Call(
                target: target, policy: .loopbackOnly, caFile: nil,
                headers: ["Authorization: Bearer \(try tenant.provider.signer.sign(claims))"],
                body: try envelope.json.compact, hosts: nil)
            #expect(try CalloutConnection().send(call, timeout: .seconds(10)).status == status)
        }
    }

    @Test func tlsWithAnAuthorityOfItsOwn() async throws {
        let certificate = tenant.folder.path + "/certificate.pem"
        let key = tenant.folder.path + "/key.pem"
        let openssl = try RunningProgram([
            "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-days",
            "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out",
            certificate,
        ])
        #expect(openssl.wait() == 0)
        let (program, address) = try start("--tls-cert", certificate, "--tls-key", key)
        defer { program.end() }
        let url = address.replacing("127.0.0.1", with: "localhost")
        #expect(url.hasPrefix("https://localhost:"))
        let callout = CalloutScene.callout(for: .tokenIssuanceStart)
        #expect(await ask(callout, at: url, adjust: { $0.caFile = certificate }).code == nil)
        #expect(await ask(callout, at: url).code == 1_003_027)
        #expect(await ask(callout, at: url, adjust: { $0.caFile = "/nowhere.pem" }).code == 1_003_027)
        #expect(await ask(callout, at: address, adjust: { $0.caFile = certificate }).code == 1_003_027)
    }
}
