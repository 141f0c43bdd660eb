// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Testing
import Wire

@testable import Tenant

/// A receiver that repeats what it was sent, wherever it can: the owner's log has none of it.
@Suite(.timeLimit(.minutes(10)))
struct CalloutSecrecyTests {
    /// Answers with the request's token and code in the place of `ECHO`.
    private static let answers = [
        "HTTP/1.1 500 ECHO\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 302 ECHO\r\nLocation: https://hooks.example/ECHO\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Type: ECHO\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Length: ECHO\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: ECHO\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nECHO\r\n",
        "HTTP/ECHO 200 OK\r\n\r\n",
        "ECHO\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\nECHO",
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"
            + #"{"data": {"@odata.type": "ECHO", "actions": []}}"#,
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"
            + #"{"data": {"@odata.type": "microsoft.graph.OnOtpSendResponseData", "actions": [{"@odata.type": "ECHO"}]}}"#,
    ]

    @Test(arguments: answers.indices)
    func failuresQuoteNothing(_ index: Int) async throws {
        let answer = Self.answers[index]
        let receiver = try ReceiverSocket { peer in
            guard let request = peer.request() else { return }
            let token = request.split(separator: "Bearer ").last?.prefix { !$0.isNewline } ?? ""
            peer.send(answer.replacing("ECHO", with: "\(token) \(CalloutScene.code)"))
        }
        let registration = CalloutScene.registration(.emailOtpSend, at: receiver.url + "?code=function-key") {
            $0.maximumRetries = 0
        }
        guard case .failed(let failure) = try await CalloutScene().asking(registration) else {
            Issue.record("no failure")
            return
        }
        // The receiver did have them.
        let request = try #require(receiver.requests.first)
        #expect(request.contains(CalloutScene.code) && request.contains("Bearer ey"))
        for secret in [CalloutScene.code, "ey", "Bearer", "function-key"] { #expect(!failure.text.contains(secret)) }
        #expect(failure.text.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) })
    }

    /// Only the payload whose task it is has a code, and none has a password or a token.
    @Test("Rule 108: payloads hold no secrets") func payloadsHoldNoSecrets() throws {
        for event in AuthenticationExtension.Event.allCases {
            let envelope = CalloutEnvelope(
                callout: CalloutScene.callout(for: event),
                registration: CalloutScene.registration(event, at: "https://hooks.example/?code=function-key"),
                context: CalloutScene.context, tenantID: CalloutScene.tenantID)
            let text = String(decoding: try envelope.json.compact, as: UTF8.self)
            #expect(text.contains(CalloutScene.code) == (event == .emailOtpSend))
            #expect(!text.lowercased().contains("password") && !text.contains("function-key"))
        }
    }
}
