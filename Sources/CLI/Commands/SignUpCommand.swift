// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// `nativeauth signup`.
struct SignUpCommand: CLICommand {
    var options = FlowOptions()

    static let name = "signup"
    static let summary = "Make an account and sign in"

    static var parameters: [Parameter<SignUpCommand>] { FlowOptions.rows(within: \.options, attributes: true) }

    static var examples: [Example] {
        [
            Example("nativeauth signup", "Answer the questions."),
            Example(
                "nativeauth signup -u ada@example.com --password-file pw --attribute country=Norway --otp-command 'nativeauth tenant inbox --code --to ada@example.com'",
                "The same without a person, at the local tenant."),
        ]
    }

    func check() throws(UsageError) { try options.given.check(Self.name) }

    func run(_ context: Context) async throws {
        let (client, profile) = try context.client(options.choice)
        let scopes = options.scopes + profile.scopes
        try await context.prepare(client, profile)
        var dialogue = SignUpDialogue(
            client: client, interview: Interview(Self.name, options.given, context, profile),
            attributes: try options.given.attributeValues(Self.name))
        let done: SignUpCompletion
        do {
            done = try await dialogue.run()
        } catch let instead as SignInInstead {
            var signIn = SignInDialogue(
                client: client, interview: Interview(Self.name, options.given, context, profile), scopes: scopes)
            return try await context.tell("Signed in", try await signIn.run(as: instead.username), profile, options)
        }
        guard done.canSignIn else {
            return context.note(
                "Signed up as \(done.username.printable). Now sign in: 'nativeauth signin'.", quiet: options.quiet)
        }
        var signIn = SignInDialogue(
            client: client, interview: Interview(Self.name, options.given, context, profile),
            scopes: scopes)
        let account: Account
        do {
            account = try await signIn.finish(try await done.signIn(scopes: scopes))
        } catch {
            context.note(
                "The account \(done.username.printable) exists now, but signing in failed.", quiet: options.json)
            throw error
        }
        try await context.tell("Signed up and signed in", account, profile, options)
    }
}
