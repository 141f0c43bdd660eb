// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import NativeAuth

/// `nativeauth status`: one look at the token cache, quick enough for a shell's prompt.
struct StatusCommand: CLICommand {
    var choice = ProfileChoice()
    var account: String?
    var json = false
    var quiet = false

    static let name = "status"
    static let summary = "Show the session and what the next command will need, offline"
    static let isCompleteAlone = true

    static var parameters: [Parameter<StatusCommand>] {
        [
            .account(to: \.account), .json(to: \.json),
            .flag("--quiet", "-q", to: \.quiet, help: "Say nothing; the exit code tells."),
        ] + ProfileChoice.rows(within: \.choice)
    }

    static var examples: [Example] {
        [
            Example("nativeauth status"),
            Example("nativeauth status -q || nativeauth signin", "Sign in only if that is needed."),
            Example("nativeauth status --json | jq -r .needs", "Prints none, refresh or signin."),
        ]
    }

    static var discussion: String {
        """
        Exits with 0 when a token can be had without a person, and with 4 when a sign-in is needed. Nothing is asked \
        over the network: whether the tenant still accepts the session shows when a token is refreshed.
        """
    }

    func run(_ context: Context) async throws {
        let (client, profile) = try context.client(choice)
        // Looked at first: reading the cache closes a file that others could read.
        let storage = StorageFacts(profile, place: context.storage(of: profile).place)
        let named = try await context.namedAccount(client, account, in: profile)
        let found = try client.finding(of: named?.homeAccountID)
        var status = SessionStatus(found, profile, storage, now: context.time.now())
        // A token that the caller brought is what other commands use, unless a flag is against it.
        if account == nil, choice.namesNothing, let token = try context.broughtToken(goodFor: nil) {
            status.bring(token, now: context.time.now())
        }
        if json {
            try context.print(json: status)
        } else if !quiet {
            try context.output.write(status.text)
        }
        if !status.usable { throw EndedQuietly(status: .signInNeeded) }
    }
}

/// A command that has said on standard output what there is to say, and ends with a number of its own.
struct EndedQuietly: Error {
    let status: ExitStatus
}

/// What is found in the token cache.
enum CacheFinding {
    case state(SessionState)
    /// The next sign-in puts it right.
    case damaged
    /// It is encrypted, and the key is gone.
    case withoutKey

    var state: SessionState? {
        if case .state(let state) = self { state } else { nil }
    }

    /// Whether nobody can say what is in it.
    var isUnreadable: Bool { state == nil }

    var isWithoutKey: Bool {
        if case .withoutKey = self { true } else { false }
    }
}

extension NativeAuthClient {
    /// What is in the cache, also where that cannot be used.
    ///
    /// - Parameter id: The account that is meant; nil for the active one.
    func finding(of id: String? = nil) throws(AuthError) -> CacheFinding {
        do throws(AuthError) {
            return .state(try state(of: id))
        } catch {
            switch error.reason {
            case .storage(.corrupt), .storage(.keyChanged): return .damaged
            case .storage(.keyMissing): return .withoutKey
            default: throw error
            }
        }
    }
}
