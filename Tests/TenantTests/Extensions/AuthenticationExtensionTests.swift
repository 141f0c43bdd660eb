// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import TenantTesting
import Testing

@testable import Tenant

/// What makes a definition, and how it is kept.
struct AuthenticationExtensionTests {
    private static func extensionProblem(
        _ event: AuthenticationExtension.Event = .tokenIssuanceStart, _ url: String = "https://hooks.example/",
        _ change: (inout AuthenticationExtension) -> Void = { _ in }
    ) -> String? {
        CalloutScene.registration(event, at: url, change).problem
    }

    @Test(arguments: [
        "https://hooks.example/", "https://hooks.example:8443/a/b?code=x%20y", "HTTPS://Hooks.Example",
        "http://127.0.0.1:9099/",
        "http://127.9.9.9/", "http://localhost/", "http://LocalHost:1/", "https://10.0.0.1/",
    ])
    func targets(_ url: String) {
        #expect(Self.extensionProblem(.tokenIssuanceStart, url) == nil)
    }

    @Test(arguments: ["http://[::1]:9099/", "https://[::1]/"])
    func targetsInBrackets(_ url: String) {
        #expect(Self.extensionProblem(.tokenIssuanceStart, url) { $0.resourceID = "api://[::1]/\($0.id)" } == nil)
        #expect(Self.extensionProblem(.tokenIssuanceStart, url) { $0.resourceID = "api://::1/\($0.id)" } == nil)
    }

    @Test(
        "Rule 101: what is no target",
        arguments: [
            "", "hooks.example", "/hook", "http://hooks.example/", "http://10.0.0.1/", "http://127.1/",
            "http://0x7f.0.0.1/",
            "http://127.0.0.1.example/", "http://localhost.example/", "http://hook.localhost/", "ftp://hooks.example/",
            "file:///etc/passwd", "gopher://hooks.example/", "https://", "https:///x", "https://user@hooks.example/",
            "https://user:password@hooks.example/", "https://hooks.example/#x", "https://hooks.example\\@127.0.0.1/",
            "https://hooks.example/ x", "https://hooks.example/\n", "https://hööks.example/",
            "https://hooks.example/\u{0}",
        ])
    func targetsThatAreNone(_ url: String) {
        #expect(Self.extensionProblem { $0.targetURL = url }?.hasPrefix("the target is no https URL") == true)
    }

    @Test(arguments: [
        "", "api://hooks.example", "api://hooks.example/", "api://hooks.example/x",
        "https://hooks.example/\(CalloutScene.audience)",
        "api:///\(CalloutScene.audience)", "api://hooks.example/a/\(CalloutScene.audience)", CalloutScene.audience,
    ])
    func resourceIDsThatAreNone(_ id: String) {
        #expect(Self.extensionProblem { $0.resourceID = id }?.hasPrefix("the resource id is not of the form") == true)
    }

    private static let problems: [(String, @Sendable (inout AuthenticationExtension) -> Void)] = [
        ("the extension has no name", { $0.name = "" }),
        ("the id is no GUID", { $0.id = "1" }),
        ("the listener's id is no GUID", { $0.listenerID = "" }),
        ("the list of apps is empty; leave it out for all apps", { $0.apps = [] }),
        (
            "the resource id and the target have different hosts",
            { $0.resourceID = "api://hooks.example.org/\(CalloutScene.audience)" }
        ),
        ("the time-out is not from 200 to 2000 milliseconds", { $0.timeoutMilliseconds = 199 }),
        ("the time-out is not from 200 to 2000 milliseconds", { $0.timeoutMilliseconds = 2001 }),
        ("there is at most 1 retry", { $0.maximumRetries = 2 }),
        ("there is at most 1 retry", { $0.maximumRetries = -1 }),
        ("only an extension for emailOtpSend falls back on an error", { $0.fallsBackOnError = true }),
        (
            "an extension for emailOtpSend cannot fail open: the code would reach nobody",
            {
                $0.event = .emailOtpSend
                $0.failsOpen = true
            }
        ),
    ]

    @Test(arguments: problems.indices)
    func problem(_ index: Int) {
        let (problem, change) = Self.problems[index]
        #expect(Self.extensionProblem(.tokenIssuanceStart, "https://hooks.example/", change) == problem)
    }

    @Test func edgesAreFine() {
        #expect(Self.extensionProblem { $0.timeoutMilliseconds = 200 } == nil)
        #expect(Self.extensionProblem { $0.timeoutMilliseconds = 2000 } == nil)
        #expect(Self.extensionProblem { $0.maximumRetries = 0 } == nil)
        #expect(Self.extensionProblem { $0.failsOpen = true } == nil)
        #expect(Self.extensionProblem(.emailOtpSend) { $0.fallsBackOnError = true } == nil)
    }

    // MARK: - Which one is asked

    @Test func oneForTheAppComesFirst() {
        let all = CalloutScene.registration(at: "https://a.example/") { $0.name = "all" }
        let own = CalloutScene.registration(at: "https://a.example/") {
            $0.name = "own"
            $0.apps = [CalloutScene.clientID.uppercased()]
        }
        let off = CalloutScene.registration(at: "https://a.example/") { $0.enabled = false }
        let other = CalloutScene.registration(.emailOtpSend, at: "https://a.example/")
        let extensions = [off, other, all, own]
        #expect(extensions.first(for: .tokenIssuanceStart, clientID: CalloutScene.clientID) == own)
        #expect(extensions.first(for: .tokenIssuanceStart, clientID: "x") == all)
        #expect([off, own].first(for: .tokenIssuanceStart, clientID: "x") == nil)
        #expect(extensions.first(for: .attributeCollectionStart, clientID: "x") == nil)
    }

    @Test func conflicts() {
        func registration(
            _ id: Int, _ name: String, apps: [String]?, _ event: AuthenticationExtension.Event = .tokenIssuanceStart,
            enabled: Bool = true
        ) -> AuthenticationExtension {
            CalloutScene.registration(event, at: "https://a.example/") {
                $0.id = "00000000-0000-4000-8000-00000000000\(id)"
                $0.name = name
                $0.apps = apps
                $0.enabled = enabled
            }
        }
        let others = [registration(1, "one", apps: nil), registration(2, "two", apps: ["a", "b"])]
        #expect(registration(1, "one", apps: nil).conflict(with: others) == nil)
        #expect(registration(3, "one", apps: ["c"]).conflict(with: others)?.contains("name 'one'") == true)
        #expect(registration(3, "new", apps: nil).conflict(with: others)?.contains("'one'") == true)
        #expect(registration(3, "new", apps: ["c", "B"]).conflict(with: others)?.contains("'two'") == true)
        #expect(registration(3, "new", apps: ["c"]).conflict(with: others) == nil)
        #expect(registration(3, "new", apps: nil, .emailOtpSend).conflict(with: others) == nil)
        #expect(registration(3, "new", apps: nil, enabled: false).conflict(with: others) == nil)
    }
}

/// A definition as a file.
struct ExtensionDraftTests {
    private func registration(
        _ json: String, among others: [AuthenticationExtension] = []
    ) throws -> AuthenticationExtension {
        try ExtensionDraft(json: Data(json.utf8)).registration(among: others)
    }

    private func reason(_ json: String) -> String? {
        do {
            _ = try registration(json)
            return nil
        } catch {
            return (error as? ExtensionDraft.Malformed)?.reason
        }
    }

    @Test func fewestMembers() throws {
        let made = try registration(
            #"{"name": "tiers", "event": "tokenIssuanceStart", "target_url": "https://Hooks.example:8443/tiers"}"#)
        #expect(made.problem == nil)
        #expect(made.resource?.host == "hooks.example")
        #expect(Set([made.id, made.listenerID, made.resource?.applicationID]).count == 3)
        #expect(made.timeoutMilliseconds == 1000 && made.maximumRetries == 1 && made.enabled && made.apps == nil)
        #expect(!made.failsOpen && !made.fallsBackOnError && !made.allowsPrivateAddresses && made.caFile == nil)
        let bracketed = try registration(
            #"{"name": "tiers", "event": "tokenIssuanceStart", "target_url": "http://[::1]:9099/"}"#)
        #expect(bracketed.problem == nil)
    }

    @Test func everyMember() throws {
        let made = try registration(
            """
            {"id": "22bb0000-0000-4000-8000-000000000002", "listener_id": "11aa0000-0000-4000-8000-000000000001",
             "name": "mail", "event": "emailOtpSend", "target_url": "https://hooks.example/",
             "resource_id": "api://hooks.example/66ff0000-0000-4000-8000-000000000006", "timeout_milliseconds": 1500,
             "maximum_retries": 0, "apps": ["a"], "falls_back_on_error": true, "fails_open": false,
             "allows_private_addresses": true, "ca_file": "/ca.pem", "enabled": false}
            """)
        let expected = CalloutScene.registration(.emailOtpSend, at: "https://hooks.example/") {
            $0.name = "mail"
            $0.timeoutMilliseconds = 1500
            $0.maximumRetries = 0
            $0.apps = ["a"]
            $0.fallsBackOnError = true
            $0.allowsPrivateAddresses = true
            $0.caFile = "/ca.pem"
            $0.enabled = false
        }
        #expect(made == expected)
        // What is listed can be set again.
        let listed = String(decoding: try JSONEncoder().encode(made), as: UTF8.self)
        #expect(try registration(listed) == made)
    }

    @Test func idsStayWithTheName() throws {
        let json = #"{"name": "tiers", "event": "tokenIssuanceStart", "target_url": "https://hooks.example/tiers"}"#
        let first = try registration(json)
        #expect(try registration(json, among: [first]) == first)
        let moved = try registration(json.replacing("hooks.example", with: "new.example"), among: [first])
        #expect(moved.id == first.id && moved.listenerID == first.listenerID)
        #expect(moved.resource?.host == "new.example")
        #expect(moved.resource?.applicationID != first.resource?.applicationID)
        #expect(try registration(json.replacing("tiers\"", with: "other\""), among: [first]).id != first.id)
    }

    @Test(arguments: [
        ("", "it is no JSON object"), ("[]", "it is no JSON object"),
        (#"{"name": "a", "name": "b"}"#, "it is no JSON object"),
        (#"{"enabeld": true}"#, "there is no member 'enabeld'"), ("{}", "'name' is missing"),
        (#"{"name": "a", "event": "tokenIssuanceStart"}"#, "'target_url' is missing"),
        (#"{"name": "a", "event": "signIn", "target_url": "x"}"#, "the value of 'event' is not of its kind"),
        (
            #"{"name": "a", "event": "emailOtpSend", "target_url": "x", "apps": "a"}"#,
            "the value of 'apps' is not of its kind"
        ),
        (
            #"{"name": "a", "event": "emailOtpSend", "target_url": "x", "fails_open": "yes"}"#,
            "the value of 'fails_open' is not of its kind"
        ),
    ])
    func malformed(_ json: String, _ reason: String) {
        #expect(self.reason(json) == reason)
    }

    @Test func unusableTargetIsTheDefinitionsProblem() throws {
        let made = try registration(#"{"name": "a", "event": "emailOtpSend", "target_url": "http://10.0.0.1/"}"#)
        #expect(made.problem?.hasPrefix("the target is no https URL") == true)
    }
}

/// Extensions in the tenant's database.
struct ExtensionStoreTests {
    private static func registration(_ number: Int, name: String = "hook") -> AuthenticationExtension {
        CalloutScene.registration(at: "https://hooks.example/") {
            $0.id = "0000000\(number)-0000-4000-8000-00000000000A"
            $0.name = name
        }
    }

    @Test func extensionsAreKept() throws {
        let tenant = try TestTenant()
        #expect(try tenant.provider.extensions().isEmpty)
        try tenant.provider.save(Self.registration(2))
        try tenant.provider.save(Self.registration(1))
        try tenant.provider.save(Self.registration(2, name: "renamed"))
        try tenant.restart()
        #expect(try tenant.provider.extensions() == [Self.registration(1), Self.registration(2, name: "renamed")])
        #expect(try tenant.provider.removeExtension(Self.registration(1).id.lowercased()))
        #expect(try !tenant.provider.removeExtension(Self.registration(1).id))
        #expect(try tenant.provider.extensions().map(\.name) == ["renamed"])
    }

    @Test func newestFailuresAreKept() throws {
        let tenant = try TestTenant()
        #expect(try tenant.provider.failures().isEmpty)
        for number in 1...205 {
            try tenant.provider.record(
                .status(1000 + number), of: Self.registration(1),
                at: Date(timeIntervalSince1970: 1_780_000_000 + Double(number)))
        }
        try tenant.restart()
        let failures = try tenant.provider.failures()
        #expect(failures.count == 200)
        #expect(
            failures.first
                == ExtensionFailure(
                    at: 1_780_000_205, extension: "00000001-0000-4000-8000-00000000000a", code: 1_003_002,
                    text: "The receiver answered with HTTP status 1205, not 200."))
        #expect(failures.last?.at == 1_780_000_006)
        #expect(try tenant.provider.failures(limit: 3).map(\.at) == [1_780_000_205, 1_780_000_204, 1_780_000_203])
        #expect(try tenant.provider.failures(limit: 0).isEmpty)
    }
}
