// SPDX-License-Identifier: Apache-2.0

import Console

extension Topic {
    /// `nativeauth help storage`.
    static var storage: Topic {
        Topic(
            "storage", heading: "STORAGE", summary: "Where tokens are kept, and what each place protects against",
            parts: [
                .examples([
                    Example(
                        "NATIVEAUTH_STORAGE=encrypted-file+kernel-keyring nativeauth signin",
                        "Keep nothing readable on the disk."),
                    Example("nativeauth status --json | jq .storage", "Where they are now."),
                ]),
                .table("Choices", choices),
                .table("Against whom", protection),
                .text(
                    """
                    'nativeauth config set storage WORD' chooses for a profile, also for one that is built in; \
                    NATIVEAUTH_STORAGE comes before it. In config.json, an encrypted file can be written as two members:

                      { "profiles": { "local": {
                          "storage": "encrypted-file", "key": "kernel-keyring" } } }

                    What is chosen is used or fails; a keyring that cannot be used is never replaced by a file. Each \
                    choice has its own account: sign out before changing it, and sign in after. 'nativeauth doctor' \
                    finds files that an earlier choice has left.
                    """),
            ])
    }

    private static let choices = [
        Row(
            "file", "A file that only you may read. The default: it needs nothing, and other MSAL programs can read it."
        ),
        Row(
            "encrypted-file+kernel-keyring",
            "The file encrypted with AES-256-GCM, its key in the kernel's keyring. Works without a desktop. The key is gone when the machine restarts: sign in again then."
        ),
        Row(
            "encrypted-file+secret-service",
            "The same with its key in the Secret Service (GNOME Keyring, KWallet, KeePassXC), which needs an unlocked desktop session."
        ),
        Row(
            "kernel-keyring",
            "In the kernel's memory, on no disk. Gone when the machine restarts. A user has 20,000 bytes there on many kernels, enough for two or three accounts."
        ),
        Row("secret-service", "In the Secret Service, encrypted as that decides, and mostly with your login password."),
    ]

    private static let protection = [
        Row("other users", "All of them protect."),
        Row("your own programs", "None protects: each of them can ask for what nativeauth can ask for."),
        Row(
            "root",
            "None protects while you are signed in. After a restart, only the plain file can be read without you."
        ),
        Row(
            "backups, a stolen disk",
            "All but the plain file protect, the Secret Service as well as your login password does."),
        Row(
            "other machines and containers",
            "A file on a shared disk follows you there; the kernel's keyring does not, so an encrypted file cannot be read there."
        ),
    ]
}
