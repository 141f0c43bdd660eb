// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth
import Tenant

/// Walks a person through a sign-in in a browser. Everything that is said goes to standard error.
struct BrowserDialogue {
    let client: NativeAuthClient
    let context: Context
    let profile: Profile
    let options: FlowOptions
    /// The address that is registered for the app.
    let redirect: String

    /// What programs on a person's machine are registered with (RFC 8252, section 7.3).
    private static let standardRedirect = "http://127.0.0.1"

    private var scopes: [String] { options.scopes + profile.scopes }

    init(
        client: NativeAuthClient, context: Context, profile: Profile, options: FlowOptions, redirect: String? = nil
    ) {
        self.client = client
        self.context = context
        self.profile = profile
        self.options = options
        self.redirect = redirect ?? profile.redirect ?? Self.standardRedirect
    }

    /// Signs in in a browser on this machine.
    func run(_ prompt: BrowserPrompt? = nil) async throws -> Account {
        try await served {
            let receiver = try LoopbackReceiver(redirect)
            let signIn = try await client.signInInBrowser(
                redirect: receiver.address, username: options.given.username, scopes: scopes, prompt: prompt)
            let isOpen = WebBrowser(context)?.open(signIn.address) == true
            context.note(
                isOpen
                    ? "Your browser has been opened. If you do not see it, go to" : "Go to this address in a browser:",
                quiet: isOpen && options.quiet)
            context.note("  \(signIn.address.printable)", quiet: isOpen && options.quiet)
            return try await signIn.finish(with: watchingMail { try await receiver.answer(to: signIn) })
        }
    }

    /// Signs in in a browser that need not be on this machine.
    func runOnDevice() async throws -> Account {
        try await served {
            let device = try await client.signInOnDevice(scopes: scopes)
            context.note(
                "Go to \(device.verificationAddress.printable) in a browser, and enter the code \(device.userCode.printable)"
            )
            return try await watchingMail { try await device.wait() }
        }
    }

    /// A browser cannot call a tenant that is in this process, so it is served as long as the browser needs it.
    private func served<Value>(_ body: () async throws -> Value) async throws -> Value {
        guard profile.isLocal, try await !context.localAccess().prepare(within: profile.timeout) else {
            return try await body()
        }
        let server = try await TemporaryServer.start(context)
        defer { server.stop() }
        return try await body()
    }

    /// What the local tenant mails meanwhile is nowhere else to be found.
    private func watchingMail<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard profile.isLocal, let inbox = LocalInbox(context.environment) else { return try await body() }
        let context = context
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                var inbox = inbox
                while !Task.isCancelled {
                    if let message = inbox.news(to: nil) { context.note(message) }
                    try? await Task.sleep(for: .milliseconds(300))
                }
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let value = first else { throw AuthError(.cancelled) }
            return value
        }
    }
}

extension Context {
    /// Where a tenant wants a browser, and there is a person: asks whether to go on in one.
    ///
    /// - Returns: Nil where there is nobody to ask, or the person does not want to.
    func browserInstead(
        _ error: AuthError, _ interview: Interview, _ dialogue: BrowserDialogue, _ prompt: BrowserPrompt? = nil
    ) async throws -> Account? {
        guard error.reason == .browserRequired, interview.hasPerson else { return nil }
        interview.warn(error.sentence)
        guard try interview.confirm("Go on in the browser?") else { return nil }
        return try await dialogue.run(prompt)
    }
}
