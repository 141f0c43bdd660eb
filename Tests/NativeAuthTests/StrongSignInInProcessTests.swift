// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import NativeAuth
import Tenant
import TenantTesting
import Testing

/// The SDK and the local tenant, which were written apart, at the later steps of the protocol.
struct StrongSignInInProcessTests {
    private let tenant: TestTenant
    private let client: NativeAuthClient
    private let mail = "ada@example.com"
    private let phone = "+4790000007"

    init() throws {
        tenant = try TestTenant()
        client = try tenant.client()
    }

    /// The newest code. Time goes on after that, so that the next one is newer.
    private func code(_ address: String) throws -> String {
        defer { tenant.clock.advance(by: 1) }
        return try #require(try tenant.code(for: address))
    }

    private func signUp() async throws -> SignUpCompletion {
        let first = try await client.signUp(
            username: mail, password: "Tr0ub4dor-and-3", attributes: ["country": "Norway"])
        return try #require(try await first.code?.submit(try code(mail)).completion)
    }

    private func demandSecondFactor() throws {
        var app = try #require(try tenant.provider.apps().first { $0.clientID == AppRegistration.passwordSampleID })
        app.multiFactor = MultiFactorPolicy()
        try tenant.provider.save(app)
    }

    private func signIn() async throws -> SignInStep {
        try await client.signIn(username: mail, password: "Tr0ub4dor-and-3")
    }

    @Test func strongMethodIsRegisteredAndUsed() async throws {
        _ = try await signUp()
        try demandSecondFactor()
        let choice = try #require(try await signIn().registration)
        let sms = try #require(choice.methods.first { $0.channel == "sms" })
        let bad = await signInFailure { try await choice.register(sms, contact: "not-a-phone") }
        #expect(bad?.error.reason == .invalidContact)
        let again = try #require(bad?.retry?.registration)
        let first = try #require(try await again.register(sms, contact: phone).registrationCode)
        #expect(first.delivery.sentTo == phone)
        let wrong = await signInFailure { try await first.submit("00000000") }
        #expect(wrong?.error.reason == .invalidCode)
        let account = try #require(
            try await wrong?.retry?.registrationCode?.submit(try code(phone)).account)
        #expect(account.username == mail)

        let factor = try #require(try await signIn().factor)
        #expect(factor.methods.map(\.channel) == ["sms"])
        #expect(factor.methods.first?.hint?.contains("*") == true)
        var next = try #require(try await factor.challenge(factor.methods[0]).factorCode)
        tenant.clock.advance(by: 1)
        next = try #require(try await next.resend().factorCode)
        #expect(try await next.submit(try code(phone)).account?.username == mail)
        #expect(try await client.accessToken(forceRefresh: true).wasRefreshed)
    }

    @Test func provenAddressNeedsNoCode() async throws {
        try demandSecondFactor()
        let choice = try #require(try await signUp().signIn().registration)
        let method = try #require(choice.methods.first { $0.channel == "email" })
        let mails = try tenant.mails(to: mail)
        #expect(try await choice.register(method, contact: try #require(method.hint)).account?.username == mail)
        #expect(try tenant.mails(to: mail) == mails)
    }

    @Test func passwordIsReset() async throws {
        _ = try await signUp()
        let first = try #require(try await client.resetPassword(username: mail).code)
        let wrong = await resetFailure { try await first.submit("00000000") }
        #expect(wrong?.error.reason == .invalidCode)
        tenant.clock.advance(by: 1)
        let second = try #require(try await wrong?.retry?.code?.resend().code)
        let password = try #require(try await second.submit(try code(mail)).password)
        let weak = await resetFailure { try await password.submit("password") }
        guard case .invalidPassword? = weak?.error.reason else {
            Issue.record("a weak password was taken")
            return
        }
        let done = try #require(try await weak?.retry?.password?.submit("Fjord-Salmon-47").completion)
        #expect(try await done.signIn().account?.username == mail)
        #expect(await signInFailure { try await signIn() }?.error.reason == .invalidCredentials)
    }

    @Test func secondFactorIsWantedAfterAResetToo() async throws {
        _ = try await signUp()
        try demandSecondFactor()
        #expect(try tenant.provider.addMethod(try #require(Contact(phone)), to: mail))
        let reset = try #require(try await client.resetPassword(username: mail).code)
        let done = try #require(
            try await reset.submit(try code(mail)).password?.submit("Fjord-Salmon-47").completion)
        let factor = try #require(try await done.signIn().factor)
        let last = try #require(try await factor.challenge(factor.methods[0]).factorCode)
        #expect(try await last.submit(try code(phone)).account?.username == mail)
    }

    /// A client that cannot follow is sent to a browser, and told why.
    @Test func withoutTheCapabilityABrowserIsNeeded() async throws {
        _ = try await signUp()
        try demandSecondFactor()
        var configuration = client.configuration
        configuration.capabilities = .multiFactor
        let poor = NativeAuthClient(
            configuration, transport: TenantTransport(provider: tenant.provider), time: tenant.clock.source)
        let error = await signInFailure { try await poor.signIn(username: mail, password: "Tr0ub4dor-and-3") }
        #expect(error?.error.reason == .browserRequired)
        #expect(error?.error.message == "Client is missing registration_required capability")
        #expect(error?.retry == nil)
    }
}
