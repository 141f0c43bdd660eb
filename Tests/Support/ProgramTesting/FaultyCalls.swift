// SPDX-License-Identifier: Apache-2.0

internal import TerminalTesting

/// Makes a system call fail in a program that is run: by a library that is loaded before all others.
package struct FaultyCall: Sendable {
    /// What the program's environment needs.
    package let environment: [String: String?]

    /// - Parameters:
    ///   - call: `fsync`, `flock` or `renameat`.
    ///   - error: The `errno` that it fails with.
    ///   - folder: Files below it are hurt, and no others.
    package init(_ call: String, failingWith error: Int32, below folder: String, in home: Home) throws {
        let source = try home.write("fault.c", Self.source)
        let library = home.path + "/fault.so"
        let compiler = Run(
            "/usr/bin/cc", ["-shared", "-fPIC", "-o", library, source], environment: ["PATH": "/usr/bin:/bin"])
        let outcome = try compiler.wait()
        guard outcome.ending == .exit(0) else { throw HomeError(what: "no compiler: \(outcome)") }
        environment = [
            "LD_PRELOAD": library, "FAULT_CALL": call, "FAULT_ERROR": String(error), "FAULT_FOLDER": folder,
        ]
    }

    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>

        static int hurts(const char *call, int fd) {
            const char *chosen = getenv("FAULT_CALL"), *folder = getenv("FAULT_FOLDER");
            char link[64], path[4096];
            if (!chosen || !folder || strcmp(chosen, call) != 0) return 0;
            snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
            ssize_t length = readlink(link, path, sizeof path - 1);
            if (length < 0 || strncmp(path, folder, strlen(folder)) != 0) return 0;
            errno = atoi(getenv("FAULT_ERROR"));
            return 1;
        }

        int fsync(int fd) {
            int (*real)(int) = dlsym(RTLD_NEXT, "fsync");
            return hurts("fsync", fd) ? -1 : real(fd);
        }

        int flock(int fd, int operation) {
            int (*real)(int, int) = dlsym(RTLD_NEXT, "flock");
            return hurts("flock", fd) ? -1 : real(fd, operation);
        }

        int renameat(int from, const char *old, int to, const char *new) {
            int (*real)(int, const char *, int, const char *) = dlsym(RTLD_NEXT, "renameat");
            return hurts("renameat", from) ? -1 : real(from, old, to, new);
        }

        """
}
