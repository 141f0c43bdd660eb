// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import Tenant
import Testing
import Wire

/// Codes that a system outside of the tenant sends.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct CodeExtensionConversations {
    private let scene: ServedScene
    private let client: NativeAuthClient
    private let mail = ServedScene.mail

    init() throws {
        scene = try ServedScene()
        client = scene.client
    }

    // MARK: - Codes

    @Test func codeIsSentByTheReceiver() async throws {
        let receiver = try Receiver(.sent)
        try scene.ask(receiver, on: .emailOtpSend)
        let step = try await scene.codeClient().signUp(username: mail, attributes: ["country": "Norway"])
        let code = try #require(receiver.codes.last)
        #expect(try scene.mails() == 0)
        #expect(receiver.asked[0]["data"]?["otpContext"]?["identifier"]?.string == mail)
        _ = try await step.code.submit(code).completion
        let signIn = try await scene.codeClient().signIn(username: mail)
        _ = try await signIn.code.submit(#require(receiver.codes.last)).account
        #expect(receiver.codes.count == 2)
        #expect(try scene.mails() == 0)
    }

    @Test func codeOfAResetIsSentByTheReceiver() async throws {
        try await scene.member()
        let receiver = try Receiver(.sent)
        try scene.ask(receiver, on: .emailOtpSend)
        let step = try await client.resetPassword(username: mail)
        _ = try await step.code.submit(#require(receiver.codes.last)).password
        #expect(try scene.mails() == 1)
    }

    @Test func resendIsSentByTheReceiver() async throws {
        let receiver = try Receiver(.sent)
        try scene.ask(receiver, on: .emailOtpSend)
        var step = try await client.signUp(username: mail)
        step = try await step.code.resend()
        #expect(receiver.codes.count == 2)
        step = try await retry(after: .invalidCode) { try await step.code.submit(receiver.codes[0]) }
        _ = try await step.code.submit(receiver.codes[1]).password
    }

    @Test func textMessagesAreTheTenants() async throws {
        try await scene.member()
        try scene.demandSecondFactor()
        try scene.addMethod(ServedScene.phone)
        let receiver = try Receiver(.failure)
        try scene.ask(receiver, on: .emailOtpSend)
        var step = try await scene.signIn()
        step = try await step.factor.challenge(step.factor.methods[0])
        _ = try await step.factorCode.submit(scene.code(ServedScene.phone)).account
        #expect(receiver.asked.isEmpty)
    }

    @Test func spoolTakesTheCodeWhereConfigured() async throws {
        let receiver = try Receiver(.failure)
        try scene.ask(receiver, on: .emailOtpSend) { $0.fallsBackOnError = true }
        let step = try await client.signUp(username: mail)
        #expect(receiver.asked.count == 1)
        #expect(try scene.mails() == 1)
        _ = try await step.code.submit(scene.code()).password
    }

    @Test func resendWaitsForTheReceiverToComeBack() async throws {
        let receiver = try Receiver(.sent)
        try scene.ask(receiver, on: .emailOtpSend)
        let step = try await client.signUp(username: mail)
        receiver.say(.failure)
        let again = try await failing { try await step.code.resend() }
        receiver.say(.sent)
        // Before another one is sent, the first code is good: nobody has got the one that failed.
        _ = try await again.code.submit(receiver.codes[0]).password
    }

    @Test func failingReceiverEndsTheStart() async throws {
        let receiver = try Receiver(.failure)
        try scene.ask(receiver, on: .emailOtpSend)
        let error = try await end(by: .refused) { try await client.signUp(username: mail) }
        #expect(error.codes == [extensionFailed])
        #expect(try scene.mails() == 0)
        receiver.say(.sent)
        let step = try await client.signUp(username: mail)
        _ = try await step.code.submit(#require(receiver.codes.last)).password
    }
}
