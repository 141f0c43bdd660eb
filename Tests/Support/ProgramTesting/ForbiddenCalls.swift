// SPDX-License-Identifier: Apache-2.0

internal import TerminalTesting

/// Takes the calls of the kernel's keyring from a program that is run, as the filter of a sandbox does: by a library that is
/// loaded before all others.
package struct ForbiddenCalls: Sendable {
    /// What the program's environment needs.
    package let environment: [String: String?]

    /// - Parameters:
    ///   - call: The one that fails, by its name in `sys/syscall.h`; nil for all of them.
    ///   - error: The `errno` that it fails with.
    package init(_ call: String? = nil, failingWith error: Int32, in home: Home) throws {
        let calls = call.map { [$0] } ?? ["SYS_add_key", "SYS_keyctl", "SYS_request_key"]
        let source = try home.write("forbidden.c", Self.source(calls, error))
        let library = home.path + "/forbidden.so"
        let compiler = Run(
            "/usr/bin/cc", ["-shared", "-fPIC", "-o", library, source], environment: ["PATH": "/usr/bin:/bin"])
        let outcome = try compiler.wait()
        guard outcome.ending == .exit(0) else { throw HomeError(what: "no compiler: \(outcome)") }
        environment = ["LD_PRELOAD": library]
    }

    private static func source(_ calls: [String], _ error: Int32) -> String {
        """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <stdarg.h>
        #include <sys/syscall.h>

        long syscall(long number, ...) {
            long (*real)(long, ...) = dlsym(RTLD_NEXT, "syscall");
            if (\(calls.map { "number == \($0)" }.joined(separator: " || "))) {
                errno = \(error);
                return -1;
            }
            va_list list;
            long a[6];
            va_start(list, number);
            for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
            va_end(list);
            return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
        }

        """
    }
}
