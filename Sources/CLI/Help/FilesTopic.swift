// SPDX-License-Identifier: Apache-2.0

import Console

extension Topic {
    /// `nativeauth help files`.
    static var files: Topic {
        Topic(
            "files", heading: "FILES", summary: "What is kept where",
            parts: [
                .examples([
                    Example("nativeauth status --json | jq -r .storage.path", "The file of the tokens."),
                    Example("nativeauth doctor", "Whether all of them are what they should be."),
                ]),
                .table(
                    "Files",
                    [
                        Row("~/.config/nativeauth/config.json", "The profiles. It holds no secret, and may be a link."),
                        Row(
                            "~/.config/nativeauth/accounts/PROFILE.json",
                            "The account and its tokens, in the schema that MSAL's libraries share."),
                        Row(
                            "~/.config/nativeauth/accounts/PROFILE.lock",
                            "Locked while the tokens change. Never deleted: a second lock file would lock nothing."),
                        Row(
                            "~/.config/nativeauth/accounts/PROFILE.json.corrupt-…",
                            "What was found in the place of a token cache and was none."),
                        Row(
                            "~/.local/state/nativeauth/flows/PROFILE.json",
                            "A flow that was interrupted, for --resume; gone when it has ended."),
                        Row(
                            "~/.local/share/nativeauth/tenants/local/",
                            "The local tenant: its database, the key that seals it, its mail, and the certificate it made for TLS."
                        ),
                    ]),
                .text(
                    """
                    Files are made with mode 0600 in folders with mode 0700. A token cache that others could read is \
                    closed to them; a cache that is a link, or in a folder that others may write to, is not used. The \
                    file is replaced as a whole, so a crash or a full disk leaves the old one or the new one. \
                    'nativeauth help environment' has the variables that choose other folders.

                    config.json is an object with the profiles; a profile's challenge_types, capabilities and scopes \
                    may be left out:

                      { "profiles": { "contoso": {
                          "authority": "https://contoso.ciamlogin.com",
                          "client_id": "00000000-0000-0000-0000-000000000000",
                          "challenge_types": ["oob", "password"],
                          "scopes": ["api://orders/Orders.Read"] } } }
                    """),
            ])
    }
}
