// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// `nativeauth signup`.
struct SignUpCommand: CLICommand {
    var choice = ProfileChoice()
    var given = GivenAnswers()
    var scopes: [String] = []
    var json = false
    var quiet = false

    static let name = "signup"
    static let summary = "Make an account and sign in"

    static var parameters: [Parameter<SignUpCommand>] {
        GivenAnswers.rows(within: \.given, attributes: true) + [
            .scope(to: \.scopes), .json(to: \.json), .quiet(to: \.quiet),
        ] + ProfileChoice.rows(within: \.choice)
    }

    static var examples: [Example] {
        [
            Example("nativeauth signup", "Answer the questions."),
            Example(
                "nativeauth signup -u ada@example.com --password-file pw --attribute country=Norway --otp-command 'nativeauth tenant inbox --code --to ada@example.com'",
                "The same without a person, at the local tenant."),
        ]
    }

    func check() throws(UsageError) { try given.check(Self.name) }

    func run(_ context: Context) async throws {
        let (client, profile) = try context.client(choice)
        try await context.prepare(client)
        var dialogue = SignUpDialogue(
            client: client, interview: Interview(Self.name, given, context, profile),
            attributes: try given.attributeValues(Self.name))
        let done = try await dialogue.run()
        guard done.canSignIn else {
            return try context.note(
                "Signed up as \(done.username.printable). Now sign in: 'nativeauth signin'.", quiet: quiet)
        }
        var signIn = SignInDialogue(
            client: client, interview: Interview(Self.name, given, context, profile), scopes: scopes + profile.scopes)
        let account: Account
        do {
            account = try await signIn.finish(try await done.signIn(scopes: scopes + profile.scopes))
        } catch {
            try context.note("The account \(done.username.printable) exists now, but signing in failed.")
            throw error
        }
        try await context.tell("Signed up and signed in", account, profile, json: json, quiet: quiet)
    }
}
