// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import NativeAuth

/// `nativeauth signin`.
struct SignInCommand: CLICommand {
    var options = FlowOptions()
    var browser = BrowserOptions()

    static let name = "signin"
    static let summary = "Sign in"

    static var parameters: [Parameter<SignInCommand>] {
        FlowOptions.rows(within: \.options, attributes: false) + BrowserOptions.rows(within: \.browser)
    }

    static var examples: [Example] {
        [
            Example("nativeauth signin", "Answer the questions."),
            Example("nativeauth signin -u ada@example.com --password-file pw", "Without a person."),
            Example("nativeauth signin --browser", "In a browser."),
            Example("nativeauth signin --device", "On a machine without one."),
        ]
    }

    func check() throws(UsageError) {
        try options.check(Self.name)
        try browser.check(Self.name, options)
    }

    func run(_ context: Context) async throws {
        let (client, profile) = try context.client(options.choice)
        let inBrowser = BrowserDialogue(
            client: client, context: context, profile: profile, options: options, redirect: browser.redirect)
        if browser.isWanted {
            try await context.prepare(client, profile)
            let account = try await browser.device ? inBrowser.runOnDevice() : inBrowser.run()
            return try await context.tell("Signed in", account, profile, options)
        }
        let (kept, resumed) = try options.beginning(Self.name, profile, context, needs: [.username])
        try await context.prepare(client, profile)
        let scopes = options.scopes + profile.scopes
        if options.peer != nil {
            return try await context.converse { peer in
                let signIn = PeerSignIn(client: client, kept: kept, username: options.given.username, scopes: scopes)
                return try await PeerOutcome(signIn.run(from: resumed, &peer), profile)
            }
        }
        let interview = Interview(Self.name, options.given, context, profile)
        var dialogue = SignInDialogue(client: client, interview: interview, scopes: scopes)
        dialogue.kept = kept
        dialogue.resumed = resumed
        do {
            try await context.tell("Signed in", try await dialogue.run(), profile, options)
        } catch let error as StepError<SignInStep> {
            guard let account = try await context.browserInstead(error.error, interview, inBrowser) else { throw error }
            try await context.tell("Signed in", account, profile, options)
        }
    }
}

extension Context {
    /// Looks whether the account can be kept, and whether the local tenant can be used, before anything is asked; puts a
    /// damaged cache out of the way.
    func prepare(_ client: NativeAuthClient, _ profile: Profile) async throws {
        if try await isRemote(profile) { CurlTransport.load() }
        let finding = try client.finding()
        if let place = try await client.setAsideDamagedCache() {
            let what = finding.isWithoutKey ? "the token cache has lost its key" : "the token cache was damaged"
            note("\(NativeAuthTool.program): \(what). It is now at \(place.printable).")
        }
    }

    /// Whether requests leave this process, after another one has let go of the local tenant.
    private func isRemote(_ profile: Profile) async throws -> Bool {
        guard profile.isLocal else { return true }
        let access = try localAccess()
        guard showsWaiting else { return try await access.prepare(within: profile.timeout) }
        return try await tenantNotice(isLocal: true).during { () async throws(CommandFailure) in
            try await access.prepare(within: profile.timeout)
        }
    }

    /// Says who is signed in.
    func tell(_ what: String, _ account: Account, _ profile: Profile, _ options: FlowOptions) async throws {
        guard options.json || !options.quiet else { return }
        let token = try await account.accessToken()
        if options.json { return try print(json: SignedInObject(account, profile, token)) }
        let time = token.expiresAt.formatted(.iso8601).dropFirst("yyyy-MM-ddT".count).prefix("HH:mm".count)
        note(
            "\(what) as \(account.username.printable). The token is valid until \(time) UTC.")
    }
}

/// An account as `--json` prints it.
struct AccountObject: Encodable {
    var id: String
    var username: String
    var name: String?

    init(_ account: Account) {
        id = account.homeAccountID
        username = account.username
        name = account.claims.string("name")
    }
}

/// What `signup --json` and `signin --json` print.
struct SignedInObject: Encodable {
    var schema = 1
    var account: AccountObject
    var profile: String
    var scopes: [String]
    var expires_at: String

    init(_ account: Account, _ profile: Profile, _ token: AccessToken) {
        self.account = AccountObject(account)
        self.profile = profile.name
        scopes = token.scopes
        expires_at = token.expiresAt.formatted(.iso8601)
    }
}
