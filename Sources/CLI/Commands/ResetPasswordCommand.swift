// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// `nativeauth reset-password`.
struct ResetPasswordCommand: CLICommand {
    var options = FlowOptions()

    static let name = "reset-password"
    static let summary = "Choose a new password, and sign in"

    static var parameters: [Parameter<ResetPasswordCommand>] { FlowOptions.rows(within: \.options, attributes: false) }

    static var examples: [Example] {
        [
            Example("nativeauth reset-password", "Answer the questions."),
            Example(
                "nativeauth reset-password -u ada@example.com --password-file new --otp-command 'nativeauth tenant inbox --code --to ada@example.com'",
                "The same without a person, at the local tenant."),
        ]
    }

    static var discussion: String {
        "A code goes to the account's mail address; whoever has it chooses the new password, which --password-file and its like give. Sessions that began with the old password end."
    }

    func check() throws(UsageError) { try options.check(Self.name) }

    func run(_ context: Context) async throws {
        let (client, profile) = try context.client(options.choice)
        let (kept, resumed) = try options.beginning(
            Self.name, profile, context, needs: [.username, .code, .password])
        try await context.prepare(client, profile)
        if options.peer != nil { return try await converse(client, profile, context, kept, resumed) }
        var dialogue = ResetDialogue(
            client: client, interview: Interview(Self.name, options.given, context, profile))
        dialogue.kept = kept
        dialogue.resumed = resumed
        let done = try await dialogue.run()
        guard done.canSignIn else {
            return context.note(
                "The password of \(done.username.printable) is new. Now sign in: 'nativeauth signin'.",
                quiet: options.quiet)
        }
        try await context.tell(
            "The password is new. Signed in", try await signIn(after: done, client, profile, context), profile, options)
    }

    private func signIn(
        after done: ResetCompletion, _ client: NativeAuthClient, _ profile: Profile, _ context: Context
    ) async throws -> Account {
        let scopes = options.scopes + profile.scopes
        var signIn = SignInDialogue(
            client: client, interview: Interview(Self.name, options.given, context, profile), scopes: scopes)
        do {
            return try await signIn.finish(try await done.signIn(scopes: scopes))
        } catch {
            context.note(
                "The password of \(done.username.printable) is new, but signing in failed.", quiet: options.json)
            throw DoneBefore.after(.passwordChanged, error)
        }
    }

    private func converse(
        _ client: NativeAuthClient, _ profile: Profile, _ context: Context, _ kept: KeptFlow, _ resumed: ResumedStep?
    ) async throws {
        let scopes = options.scopes + profile.scopes
        try await context.converse { peer in
            let reset = PeerReset(client: client, kept: kept, username: options.given.username)
            let done = try await reset.run(from: resumed, &peer)
            guard done.canSignIn else { return PeerOutcome(username: done.username) }
            let signIn = PeerSignIn(client: client, scopes: scopes)
            do {
                return try await PeerOutcome(signIn.finish(try await done.signIn(scopes: scopes), &peer), profile)
            } catch {
                throw DoneBefore.after(.passwordChanged, error)
            }
        }
    }
}
