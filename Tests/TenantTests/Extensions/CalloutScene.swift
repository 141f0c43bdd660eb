// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import TenantTesting
import Wire

@testable import Tenant

/// A tenant with fixed ids, and what it asks its receivers.
struct CalloutScene: Sendable {
    static let tenantID = "8d0f6c1e-52b7-4f0a-9a55-1b7e0c9d2f31"
    static let extensionID = "22bb0000-0000-4000-8000-000000000002"
    static let listenerID = "11aa0000-0000-4000-8000-000000000001"
    static let audience = "66ff0000-0000-4000-8000-000000000006"
    static let clientID = "3b6a2d54-0c1f-4f7e-8f43-6d1f2f3f4a10"
    static let apiID = "55ee0000-0000-4000-8000-000000000005"
    /// 2026-03-14T09:30:00Z.
    static let now = Date(timeIntervalSince1970: 1_773_480_600)
    static let code = "40518826"

    let signer: Signer
    let callouts: Callouts

    init(random: RandomSource = .system, hosts: String? = nil) throws {
        signer = try Self.key.get()
        callouts = Callouts(settings: Self.settings, signer: signer, random: random, hosts: hosts)
    }

    static let settings = Settings(tenantID: tenantID, name: "fjordshop", origin: "https://login.fjord.example")

    /// One key for all tests: making one takes a while.
    private static let key = Result { () throws(NoKey) in
        guard let key = Signer.generate() else { throw NoKey() }
        return key
    }

    struct NoKey: Error {}

    static let context = CalloutContext(
        correlationID: "5e1c0b0a-7d5b-4c55-9a0e-2f3b7a5d9911",
        client: .init(id: clientID, name: "Fjord app"), resource: .init(id: apiID, name: "Fjord orders"),
        clientAddress: "203.0.113.9", locale: "nb-no")

    static func registration(
        _ event: AuthenticationExtension.Event = .tokenIssuanceStart, at url: String,
        _ change: (inout AuthenticationExtension) -> Void = { _ in }
    ) -> AuthenticationExtension {
        let authority = url.split(separator: "/").dropFirst().first ?? ""
        let host =
            authority.hasPrefix("[")
            ? authority.prefix { $0 != "]" } + "]" : authority.split(separator: ":").first ?? ""
        var registration = AuthenticationExtension(
            id: extensionID, listenerID: listenerID, name: "hook", event: event, targetURL: url,
            resourceID: "api://\(host)/\(audience)")
        // Time enough on a busy machine.
        registration.timeoutMilliseconds = 2000
        change(&registration)
        return registration
    }

    static let user: CalloutUser = {
        var user = CalloutUser(
            id: "2f1d0c77-0000-4000-8000-000000000007",
            userPrincipalName: "2f1d0c77-0000-4000-8000-000000000007@fjordshop.onmicrosoft.com",
            createdAt: Date(timeIntervalSince1970: 1_773_480_490))
        user.mail = "mira@lofoten.example"
        user.displayName = "Mira L"
        return user
    }()

    static let signUp = SignUpInfo(
        attributes: [
            "displayName": .init(type: .string, value: .string("Mira L")),
            "extension_77a1c0de77a1c0de77a1c0de77a1c0de_age": .init(type: .integer, value: .integer(31)),
            "extension_77a1c0de77a1c0de77a1c0de77a1c0de_news": .init(type: .boolean, value: .bool(false)),
        ],
        identities: [.init(issuer: "fjordshop.onmicrosoft.com", issuerAssignedID: "mira@lofoten.example")])

    static func callout(for event: AuthenticationExtension.Event) -> Callout {
        switch event {
        case .tokenIssuanceStart: .tokenIssuanceStart(user: user)
        case .attributeCollectionStart: .attributeCollectionStart(signUp)
        case .attributeCollectionSubmit: .attributeCollectionSubmit(signUp)
        case .emailOtpSend: .emailOtpSend(address: "mira@lofoten.example", code: code, requestType: "signUp")
        }
    }

    func ask(_ registration: AuthenticationExtension, at now: Date = now) -> CalloutOutcome {
        callouts.ask(Self.callout(for: registration.event), of: registration, Self.context, now: now)
    }

    /// Asks on a thread of its own.
    func asking(_ registration: AuthenticationExtension, at now: Date = now) async -> CalloutOutcome {
        await OwnThread.run { ask(registration, at: now) }
    }
}

extension CalloutOutcome {
    /// The number of a failure.
    var code: Int? {
        if case .failed(let failure) = self { failure.code } else { nil }
    }
}
