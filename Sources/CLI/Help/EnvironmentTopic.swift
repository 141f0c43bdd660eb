// SPDX-License-Identifier: Apache-2.0

import Console

extension Topic {
    /// `nativeauth help environment`. Variables that stand for a flag are found in the tables of the commands.
    static func environment(_ commands: [CommandOutline]) -> Topic {
        Topic(
            "environment", heading: "ENVIRONMENT", summary: "The variables that are read",
            parts: [
                .examples([
                    Example("NATIVEAUTH_PROFILE=contoso nativeauth token", "Another tenant, for one command."),
                    Example("export NATIVEAUTH_NO_INPUT=1", "Never ask, in this shell."),
                ]),
                .table("In the place of a flag", flags(of: commands)),
                .table("Places", places),
                .table("Tokens of others", tokens),
                .table("Customs of all programs", customs),
                .text(
                    """
                    A flag comes before its variable, the variable before the profile in config.json, and that before \
                    what is built in. An empty variable counts as one that is not set. No password and no code is ever \
                    read from a variable, for every child of a process can see them. 'nativeauth doctor' shows which \
                    value came from where.
                    """),
            ])
    }

    /// A row whose help ends in `[NATIVEAUTH_PROFILE]` can be given as that variable.
    static func flags(of commands: [CommandOutline]) -> [Row] {
        var found: [Row] = []
        for row in commands.flatMap(\.rows) {
            guard row.help.hasSuffix("]"), let open = row.help.lastIndex(of: "["), let flag = row.names.last else {
                continue
            }
            let variables = row.help[row.help.index(after: open)...].dropLast().split(separator: ", ").map(String.init)
            for name in variables where !found.contains(where: { $0.term == name }) {
                found.append(Row(name, "\(flag): \(row.help[..<open])".withoutBlankAtEnd))
            }
        }
        return found.sorted { $0.term < $1.term }
    }

    private static let places = [
        Row("NATIVEAUTH_CONFIG_DIR", "The folder of config.json and the accounts, instead of ~/.config/nativeauth."),
        Row("NATIVEAUTH_CACHE_DIR", "The folder of the accounts and their tokens alone."),
        Row("NATIVEAUTH_DATA_DIR", "The folder of the local tenants, instead of ~/.local/share/nativeauth."),
        Row(
            "NATIVEAUTH_STORAGE",
            "Where the tokens are, instead of the profile's word: \(StorageChoice.words.map(\.word).joined(separator: ", ")). See 'nativeauth help storage'."
        ),
        Row(
            "XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME",
            "The folders that ~/.config, ~/.local/share and ~/.local/state are by default. Relative ones are ignored."),
        Row("HOME", "Where those are."),
        Row("PATH", "Where 'nativeauth tenant' looks for nativeauth-tenant if it is not beside nativeauth."),
    ]

    private static let tokens = [
        Row(
            "NATIVEAUTH_ACCESS_TOKEN_FILE",
            "A file with an access token, for 'token', 'curl', 'exec' and 'credential', where no flag says which one is meant. 'exec' sets it."
        ),
        Row(
            "NATIVEAUTH_ACCESS_TOKEN",
            "The token itself: weak, for every child has it, and what logs variables logs it. The file comes first."),
        Row("NATIVEAUTH_ACCESS_TOKEN_FD", "Set by 'exec', with the number of the descriptor to read the token from."),
        Row("NATIVEAUTH_ID_TOKEN_FILE", "Set by 'exec --id-token', and so is the next one."),
        Row("NATIVEAUTH_ID_TOKEN_FD", "The number of the descriptor to read the ID token from."),
        Row("KUBERNETES_EXEC_INFO", "Set by kubectl: the version of the answer that it wants."),
    ]

    private static let customs = [
        Row("CLICOLOR", "0 for no colour."),
        Row("TERM", "Empty or 'dumb' for a terminal that cannot move its cursor."),
        Row("COLUMNS", "How wide the terminal is, where it says something else."),
        Row("INPUTRC", "How lines are edited; see readline(3)."),
        Row("LC_ALL, LC_CTYPE, LANG", "The terminal's encoding. Names in UTF-8 can be typed in any locale."),
        Row(
            "HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY",
            "The way to the tenant, in upper or lower case; HTTP_PROXY in lower case only. Never used for this machine."
        ),
    ]
}

extension String {
    fileprivate var withoutBlankAtEnd: String { hasSuffix(" ") ? String(dropLast()) : self }
}
