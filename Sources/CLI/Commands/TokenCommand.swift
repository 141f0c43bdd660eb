// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// `nativeauth token`: never asks, and says nothing but the token.
struct TokenCommand: CLICommand {
    var choice = TokenChoice()
    var format: TokenFormat?
    var field: String?
    var json = false
    var quiet = false

    static let name = "token"
    static let summary = "Print an access token, refreshed if need be"
    static let isCompleteAlone = true

    static var parameters: [Parameter<TokenCommand>] {
        TokenChoice.rows(within: \.choice) + [
            .option(
                "--format", value: "FORMAT", to: \.format,
                help: "How it is printed: the token alone, a header, a line for curl or for sh, or JSON."),
            .option(
                "--field", value: "NAME", to: \.field,
                help: "Print one member of the JSON object, such as expires_at or account.username."),
            .json(to: \.json), .quiet(to: \.quiet),
        ] + TokenChoice.tenantRows(within: \.choice)
    }

    static var examples: [Example] {
        [
            Example("nativeauth token --format header | curl -H @- https://api.example.com/", "No other user sees it."),
            Example("curl -K <(nativeauth token --format curl) https://api.example.com/ -d @-", "With a body."),
            Example("nativeauth token --scope api://sample/Orders.Read --min-validity 30m", "A token for an API."),
            Example("curl -H \"Authorization: Bearer $(nativeauth token)\" https://api.example.com/"),
        ]
    }

    static var discussion: String {
        """
        Exits with 4, and without asking anything, when nobody is signed in or the session has ended.

        Where NATIVEAUTH_ACCESS_TOKEN_FILE or NATIVEAUTH_ACCESS_TOKEN brings a token, and no flag says which one is \
        meant, it is that one; nothing but its end is known of it then.

        The last example shows the token to every user of the machine as long as curl runs. 'nativeauth curl' and the \
        first two do not; 'nativeauth help scripting' has all ways, from best to worst.
        """
    }

    func check() throws(UsageError) {
        if json, let format, format != .json {
            throw UsageError(command: Self.name, "--json is --format json; give one of both")
        }
        if field != nil, let format, format != .json {
            throw UsageError(command: Self.name, "--field is one member of --format json; give one of both")
        }
    }

    func run(_ context: Context) async throws {
        let token = try await context.token(choice)
        if let field { return try context.print(field: field, of: TokenObject(token, now: context.time.now())) }
        let format = format ?? (json ? .json : .raw)
        try print(token, as: format, context)
        if context.output.isTerminal, !format.isJSON {
            context.note("'nativeauth curl URL' hands the token to curl, and shows it nowhere.", quiet: quiet)
        }
    }

    private func print(_ token: GivenToken, as format: TokenFormat, _ context: Context) throws {
        switch format {
        case .raw: try context.output.line(token.value)
        case .header: try context.output.line(token.headerLine)
        case .curl: try context.output.line(token.curlLine)
        case .env: try context.output.line(token.shellLine)
        case .json: try context.print(json: TokenObject(token, now: context.time.now()))
        case .execCredential: try context.print(json: ExecCredential(token, environment: context.environment))
        }
    }
}
