// SPDX-License-Identifier: Apache-2.0

import Console
import Glibc

/// The trap of `sudo`, which lets HOME be the caller's: root's files there would lock their owner out.
enum ForeignHome {
    /// Refuses to work in somebody else's home; one that a container gives to root is another matter.
    static func check(_ environment: [String: String]) throws(CommandFailure) {
        guard geteuid() == 0, let caller = environment["SUDO_UID"], !caller.isEmpty, caller != "0",
            environment["NATIVEAUTH_CONFIG_DIR"]?.isEmpty ?? true, let home = environment["HOME"]
        else { return }
        var facts = stat()
        guard stat(home, &facts) == 0, facts.st_uid != 0 else { return }
        throw CommandFailure(
            .configuration,
            "HOME is \(home.printable), which belongs to another user: files that root makes there would lock that user out.",
            hint: "Run the command without sudo, or with 'sudo -H'.")
    }
}
