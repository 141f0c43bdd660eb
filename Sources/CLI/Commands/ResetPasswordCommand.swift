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

    func check() throws(UsageError) { try options.given.check(Self.name) }

    func run(_ context: Context) async throws {
        let (client, profile) = try context.client(options.choice)
        try await context.prepare(client, profile)
        var dialogue = ResetDialogue(
            client: client, interview: Interview(Self.name, options.given, context, profile))
        let done = try await dialogue.run()
        guard done.canSignIn else {
            return context.note(
                "The password of \(done.username.printable) is new. Now sign in: 'nativeauth signin'.",
                quiet: options.quiet)
        }
        let scopes = options.scopes + profile.scopes
        var signIn = SignInDialogue(
            client: client, interview: Interview(Self.name, options.given, context, profile), scopes: scopes)
        let account: Account
        do {
            account = try await signIn.finish(try await done.signIn(scopes: scopes))
        } catch {
            context.note(
                "The password of \(done.username.printable) is new, but signing in failed.", quiet: options.json)
            throw error
        }
        try await context.tell("The password is new. Signed in", account, profile, options)
    }
}
