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

    func check() throws(UsageError) { try options.check(Self.name) }

    func run(_ context: Context) async throws {
        let (client, profile) = try context.client(options.choice)
        let (kept, resumed) = try options.beginning(Self.name, profile, context, needs: [.username, .code])
        try await context.prepare(client, profile)
        let attributes = try options.given.attributeValues(Self.name)
        if options.peer != nil { return try await converse(client, profile, context, kept, resumed, attributes) }
        let interview = Interview(Self.name, options.given, context, profile)
        var dialogue = SignUpDialogue(client: client, interview: interview, attributes: attributes)
        dialogue.kept = kept
        dialogue.resumed = resumed
        let done: SignUpCompletion
        do {
            done = try await dialogue.run()
        } catch let instead as SignInInstead {
            var signIn = SignInDialogue(
                client: client, interview: Interview(Self.name, options.given, context, profile),
                scopes: options.scopes + profile.scopes)
            return try await context.tell("Signed in", try await signIn.run(as: instead.username), profile, options)
        } catch let error as StepError<SignUpStep> {
            let browser = BrowserDialogue(client: client, context: context, profile: profile, options: options)
            guard let account = try await context.browserInstead(error.error, interview, browser, .create) else {
                throw error
            }
            return try await context.tell("Signed up and signed in", account, profile, options)
        }
        guard done.canSignIn else {
            return context.note(
                "Signed up as \(done.username.printable). Now sign in: 'nativeauth signin'.", quiet: options.quiet)
        }
        try await context.tell(
            "Signed up and signed in", try await signIn(after: done, client, profile, context), profile, options)
    }

    private func signIn(
        after done: SignUpCompletion, _ client: NativeAuthClient, _ profile: Profile, _ context: Context
    ) async throws -> Account {
        let scopes = options.scopes + profile.scopes
        var signIn = SignInDialogue(
            client: client, interview: Interview(Self.name, options.given, context, profile), scopes: scopes)
        do {
            return try await signIn.finish(try await done.signIn(scopes: scopes))
        } catch {
            context.note(
                "The account \(done.username.printable) exists now, but signing in failed.", quiet: options.json)
            throw DoneBefore.after(.accountCreated, error)
        }
    }

    private func converse(
        _ client: NativeAuthClient, _ profile: Profile, _ context: Context, _ kept: KeptFlow, _ resumed: ResumedStep?,
        _ attributes: [String: AttributeValue]
    ) async throws {
        let scopes = options.scopes + profile.scopes
        try await context.converse { peer in
            let signUp = PeerSignUp(
                client: client, kept: kept, username: options.given.username, attributes: attributes)
            let done = try await signUp.run(from: resumed, &peer)
            guard done.canSignIn else { return PeerOutcome(username: done.username) }
            let signIn = PeerSignIn(client: client, scopes: scopes)
            do {
                return try await PeerOutcome(signIn.finish(try await done.signIn(scopes: scopes), &peer), profile)
            } catch {
                throw DoneBefore.after(.accountCreated, error)
            }
        }
    }
}
