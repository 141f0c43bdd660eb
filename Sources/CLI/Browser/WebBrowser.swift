// SPDX-License-Identifier: Apache-2.0

import Glibc
import Processes

/// The person's browser: what `BROWSER` names, or the desktop's.
struct WebBrowser {
    private let line: String

    /// Nil where there is none, as on a machine without a screen.
    init?(_ context: Context) {
        let environment = context.environment
        if let named = environment["BROWSER"], !named.isEmpty {
            line = named
            return
        }
        let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
        guard hasScreen, case .found = ProgramSearch("xdg-open", path: environment["PATH"] ?? "/usr/bin:/bin") else {
            return nil
        }
        line = "xdg-open"
    }

    /// Opens an address. The browser is no child of this program's to be waited for, and outlives it; what it has to say is
    /// nobody's business here.
    ///
    /// - Returns: Whether it could be started.
    func open(_ address: String) -> Bool {
        // The address is a word of its own, and no part of the command line.
        let words = ["sh", "-c", "\(line) \"$1\" &", "sh", address]
        var files = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        guard posix_spawn_file_actions_init(&files) == 0, posix_spawnattr_init(&attributes) == 0 else { return false }
        defer {
            posix_spawn_file_actions_destroy(&files)
            posix_spawnattr_destroy(&attributes)
        }
        for stream in 0...2 as ClosedRange<Int32> {
            posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_RDWR, 0)
        }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // A Ctrl-C at the terminal is not for the browser.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
        var pointers = words.map { word in strdup(word) } + [nil]
        defer { pointers.forEach { free($0) } }
        var child = pid_t()
        guard posix_spawn(&child, "/bin/sh", &files, &attributes, &pointers, environ) == 0 else { return false }
        return OtherProgram.ending(of: child) == .exit(0)
    }
}
