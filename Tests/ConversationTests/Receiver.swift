// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import NativeAuth
import Synchronization
import Tenant
import TenantTesting
import Testing
import Wire

/// A receiver on this machine: it says what the test wants, and tells what it was asked.
final class Receiver: Sendable {
    private let socket: ReceiverSocket
    private let mood: Mood

    private final class Mood: Sendable {
        let says: Mutex<Reply>
        let held = Mutex<HeldRequest?>(nil)
        init(_ reply: Reply) { says = Mutex(reply) }
    }

    init(_ reply: Reply) throws {
        let mood = Mood(reply)
        self.mood = mood
        socket = try ReceiverSocket { peer in
            while peer.request() != nil {
                mood.held.withLock { held in
                    defer { held = nil }
                    return held
                }?.stay()
                guard let text = mood.says.withLock({ $0 }).text else { return peer.waitForEnd() }
                peer.send(text)
            }
        }
    }

    /// Says something else from now on.
    func say(_ reply: Reply) { mood.says.withLock { $0 = reply } }

    /// Holds the next request, until the test lets it go.
    func hold() -> HeldRequest {
        let held = HeldRequest()
        mood.held.withLock { $0 = held }
        return held
    }

    /// The bodies of the requests so far.
    var asked: [JSONValue] {
        socket.requests.map { request in
            let body = request.firstRange(of: "\r\n\r\n").map { request[$0.upperBound...] } ?? ""
            return JSONValue(json: body.utf8) ?? .null
        }
    }

    /// The codes that it was given to send.
    var codes: [String] { asked.compactMap { $0["data"]?["otpContext"]?["oneTimeCode"]?.string } }

    var url: String { socket.url }
}

/// What a receiver says.
struct Reply: Sendable {
    /// The answer as it is sent; nil for silence until the tenant gives up.
    let text: String?

    static let silence = Reply(text: nil)
    static let failure = Reply(text: "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")

    /// An answer with one action; `members` is the rest of its JSON object.
    private static func action(_ data: String, _ name: String, _ members: String = "") -> Reply {
        Reply(
            text: ReceiverSocket.ok(
                """
                {"data": {"@odata.type": "microsoft.graph.\(data)ResponseData",
                  "actions": [{"@odata.type": "microsoft.graph.\(name)"\(members)}]}}
                """))
    }

    static func claims(_ claims: String) -> Reply {
        action("onTokenIssuanceStart", "tokenIssuanceStart.provideClaimsForToken", #", "claims": \#(claims)"#)
    }

    static func start(_ name: String, _ members: String = "") -> Reply {
        action("onAttributeCollectionStart", "attributeCollectionStart.\(name)", members)
    }

    static func submit(_ name: String, _ members: String = "") -> Reply {
        action("onAttributeCollectionSubmit", "attributeCollectionSubmit.\(name)", members)
    }

    static let sent = action("onOtpSend", "otpSend.continueWithDefaultBehavior")
    static let goOn = submit("continueWithDefaultBehavior")
    static let block = #", "title": "Not here", "message": "Ask your grocer.""#
}

extension ServedScene {
    /// Registers a receiver for an event, as the tenant's owner does.
    func ask(
        _ receiver: Receiver, on event: AuthenticationExtension.Event,
        _ change: (inout AuthenticationExtension) -> Void = { _ in }
    ) throws {
        var registration = AuthenticationExtension(
            id: UUID().uuidString.lowercased(), listenerID: UUID().uuidString.lowercased(), name: "hook",
            event: event, targetURL: receiver.url, resourceID: "api://127.0.0.1/\(UUID().uuidString.lowercased())")
        // Time enough on a busy machine.
        registration.timeoutMilliseconds = 2000
        change(&registration)
        #expect(registration.problem == nil)
        try tenant.provider.save(registration)
        receivers.withLock { $0.append(receiver) }
    }
}

/// The number that a client gets for any failing extension.
let extensionFailed = 1_100_001

/// Runs a call that a failing extension refuses, and gives the step to try again from.
func failing<Step: Sendable>(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Step
) async throws -> Step {
    do {
        throw UnexpectedStep(try await body())
    } catch let failure as StepError<Step> {
        #expect(failure.error.codes == [extensionFailed], sourceLocation: sourceLocation)
        return try #require(failure.retry, "no step is left", sourceLocation: sourceLocation)
    }
}
