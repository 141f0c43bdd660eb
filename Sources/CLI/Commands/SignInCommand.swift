// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import NativeAuth

/// `nativeauth signin`.
struct SignInCommand: CLICommand {
    var choice = ProfileChoice()
    var given = GivenAnswers()
    var scopes: [String] = []
    var json = false
    var quiet = false

    static let name = "signin"
    static let summary = "Sign in"

    static var parameters: [Parameter<SignInCommand>] {
        GivenAnswers.rows(within: \.given, attributes: false) + [
            .scope(to: \.scopes), .json(to: \.json), .quiet(to: \.quiet),
        ] + ProfileChoice.rows(within: \.choice)
    }

    static var examples: [Example] {
        [
            Example("nativeauth signin", "Answer the questions."),
            Example("nativeauth signin -u ada@example.com --password-file pw", "Without a person."),
        ]
    }

    func check() throws(UsageError) { try given.check(Self.name) }

    func run(_ context: Context) async throws {
        let (client, profile) = try context.client(choice)
        try await context.prepare(client)
        var dialogue = SignInDialogue(
            client: client, interview: Interview(Self.name, given, context, profile), scopes: scopes + profile.scopes)
        try await context.tell("Signed in", try await dialogue.run(), profile, json: json, quiet: quiet)
    }
}

extension Context {
    /// Looks whether the account can be kept before anything is asked, and puts a damaged cache out of the way.
    func prepare(_ client: NativeAuthClient) async throws {
        if let place = try await client.setAsideDamagedCache() {
            try note("\(NativeAuthTool.program): the token cache was damaged. It is now at \(place.printable).")
        }
    }

    /// Says who is signed in.
    func tell(_ what: String, _ account: Account, _ profile: Profile, json: Bool, quiet: Bool) async throws {
        let token = try await account.accessToken()
        if json { return try print(json: SignedInObject(account, profile, token)) }
        let time = token.expiresAt.formatted(.iso8601).dropFirst("yyyy-MM-ddT".count).prefix("HH:mm".count)
        try note("\(what) as \(account.username.printable). The token is valid until \(time) UTC.", quiet: quiet)
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
private struct SignedInObject: Encodable {
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

// MARK: - Rows that several commands share

extension Parameter {
    static func json(to path: WritableKeyPath<Root, Bool>) -> Self {
        .flag("--json", to: path, help: "Print one JSON object; errors, too, on standard error.")
    }

    static func quiet(to path: WritableKeyPath<Root, Bool>) -> Self {
        .flag("--quiet", "-q", to: path, help: "No messages but errors.")
    }

    static func scope(to path: WritableKeyPath<Root, [String]>) -> Self {
        .option("--scope", value: "SCOPE", to: path, help: "A scope of an API; may be repeated.")
    }
}
