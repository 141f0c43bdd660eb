// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import NativeAuth
import TenantTesting
import Testing
import Wire

/// The socket that a browser comes back to.
struct LoopbackReceiverTests {
    private func signIn(to redirect: String) async throws -> BrowserSignIn {
        let server = ScriptedTransport([])
        let base = "https://fjordshop.ciamlogin.com/\(Fjordshop.tenantID)/oauth2/v2.0"
        server.publish(
            Issuer.description(more: #","authorization_endpoint":"\#(base)/authorize""#),
            at: "/.well-known/openid-configuration")
        return try await Fjordshop.client(server).signInInBrowser(redirect: redirect)
    }

    private func state(of signIn: BrowserSignIn) throws -> String {
        let query = try #require(signIn.address.split(separator: "?").last)
        return try #require(try Form(body: Array(query.utf8))["state"])
    }

    /// What curl prints for an address: its status and the page.
    private func curl(_ address: String, _ more: [String] = []) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "curl").async {
                let result = Result<String, any Error> {
                    let process = Process()
                    process.executableURL = URL(filePath: "/usr/bin/curl")
                    process.arguments = ["-s", "-w", " %{http_code}", "--max-time", "300", address] + more
                    let pipe = Pipe()
                    process.standardOutput = pipe
                    try process.run()
                    let data = pipe.fileHandleForReading.readDataToEndOfFile()
                    process.waitUntilExit()
                    return String(decoding: data, as: UTF8.self)
                }
                continuation.resume(with: result)
            }
        }
    }

    @Test("the browser's answer is taken, and whatever else calls is sent away", arguments: ["", "/", "/in"])
    func answers(path: String) async throws {
        let receiver = try LoopbackReceiver("http://127.0.0.1" + path)
        #expect(receiver.address.wholeMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+(.*)/)?.1 == Substring(path))
        let signIn = try await signIn(to: receiver.address)
        let state = try state(of: signIn)
        async let answer = receiver.answer(to: signIn)
        let root = receiver.address + (path.isEmpty ? "/" : "")
        for wrong in ["", "?code=C", "?code=C&state=wrong", "?state=\(state)&state=\(state)", "x?state=\(state)"] {
            #expect(try await curl(root + wrong).hasSuffix(" 404"), "\(wrong)")
        }
        #expect(try await curl(root + "?code=C&state=\(state)", ["-d", "x=y"]).hasSuffix(" 400"))
        #expect(try await curl(root + "?code=C&state=\(state)").contains("You can close this page"))
        #expect(try await answer == "code=C&state=\(state)")
    }

    @Test("whoever stops waiting is let go at once")
    func cancelled() async throws {
        let receiver = try LoopbackReceiver()
        let signIn = try await signIn(to: receiver.address)
        let task = Task { try await receiver.answer(to: signIn) }
        task.cancel()
        let result = await task.result
        #expect(throws: AuthError(.cancelled)) { try result.get() }
    }

    @Test(
        "only loopback is listened on",
        arguments: [
            "http://0.0.0.0", "https://127.0.0.1", "http://example.com", "msal://auth", "", "http://127.0.0.1?x",
        ])
    func addresses(address: String) {
        #expect(throws: AuthError.self) { try LoopbackReceiver(address) }
    }
}
