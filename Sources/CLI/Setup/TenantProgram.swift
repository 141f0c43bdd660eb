// SPDX-License-Identifier: Apache-2.0

import Console
import Glibc

/// `nativeauth tenant …` is another program: the one beside this one, or the first on PATH.
enum TenantProgram {
    private static let name = "nativeauth-tenant"

    /// Becomes the other program. Returns only if that is not possible.
    static func run(_ arguments: [String], _ context: Context) -> CommandFailure {
        for path in candidates(context.environment) where access(path, X_OK) == 0 {
            var words: [UnsafeMutablePointer<CChar>?] =
                ([name] + arguments).map { (word: String) in strdup(word) } + [nil]
            execv(path, &words)
            let reason = String(cString: strerror(errno))
            words.forEach { free($0) }
            return CommandFailure(.internalError, "Cannot run \(path): \(reason).")
        }
        return CommandFailure(
            .configuration, "The program '\(name)' is neither beside 'nativeauth' nor on PATH.",
            hint: "Install both programs of the package, with 'make install'.")
    }

    /// Where the other program is; nil where it is not found.
    static func path(_ environment: [String: String]) -> String? {
        candidates(environment).first { access($0, X_OK) == 0 }
    }

    private static func candidates(_ environment: [String: String]) -> [String] {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = max(0, readlink("/proc/self/exe", &buffer, buffer.count - 1))
        let own = String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let beside = own.lastIndex(of: "/").map { String(own[...$0]) + name }
        let folders = (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
        return [beside].compactMap { $0 } + folders
    }
}
