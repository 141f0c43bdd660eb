// SPDX-License-Identifier: Apache-2.0

import Console

extension Topic {
    /// `nativeauth help security`.
    static var security: Topic {
        Topic(
            "security", heading: "SECURITY", summary: "What is protected from whom, and what is not",
            parts: [
                .examples([
                    Example("nativeauth curl https://api.example.com/", "The token is in no argument list."),
                    Example("nativeauth signout", "Delete the tokens from this machine."),
                ]),
                .table(
                    "Against whom",
                    [
                        Row("other users", "Mode 0600 in folders of 0700 keeps them out; both are checked."),
                        Row(
                            "your own programs",
                            "They can read the tokens. A file's mode is no help against them, nor is encryption: they can ask for the key."
                        ),
                        Row(
                            "root, backups, a stolen disk",
                            "The plain file, which is the default, is not encrypted. Encrypt the disk, or keep the tokens in an encrypted file or a keyring: 'nativeauth help storage'. NATIVEAUTH_CACHE_DIR keeps them out of a folder that is copied elsewhere."
                        ),
                        Row("the network", "https only, except on this machine; there is no flag against the check."),
                        Row("a hostile tenant", "Its texts cannot steer the terminal; its ID tokens are checked."),
                    ]),
                .table(
                    "Secrets",
                    [
                        Row(
                            "passwords and codes",
                            "Never a flag's value or a variable: every user of the machine can read argument lists. They are not in error messages either."
                        ),
                        Row(
                            "curl -H \"Authorization: Bearer $(nativeauth token)\"",
                            "Works, and shows the token to every user of the machine as long as curl runs. Use 'nativeauth curl' instead."
                        ),
                        Row(
                            "tokens that other programs get",
                            "By 'curl' and 'exec' in memory that the program inherits: not in its arguments, its variables or a file. Your own programs can read it there, too, as they can the cache. 'credential' answers for the hosts alone that config.json lists."
                        ),
                        Row("memory", "The process leaves no core file, and other processes cannot attach to it."),
                    ]),
                .text(
                    """
                    Signing out deletes the tokens here. Native authentication has no sign-out at the service: a token \
                    that was copied stays valid until it expires. A file system cannot promise that deleted bytes are \
                    gone. There is no telemetry.
                    """),
            ])
    }
}
