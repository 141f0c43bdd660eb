// SPDX-License-Identifier: Apache-2.0

import Console
import Dispatch
import Glibc
import Processes
import Tenant

/// The local tenant, served by its own program on a port that is free, as long as a browser needs it.
final class TemporaryServer: Sendable {
    private let child: Int32

    private init(_ child: Int32) { self.child = child }

    /// Starts the program, and waits until it answers. It ends with this process, whatever happens to that.
    static func start(_ context: Context) async throws(CommandFailure) -> TemporaryServer {
        guard let path = TenantProgram.path(context.environment) else {
            throw CommandFailure(
                .configuration, "A browser needs the program 'nativeauth-tenant', and there is none.",
                hint: "Install both programs of the package, with 'make install'.")
        }
        // What it says goes to standard error; here somebody reads it.
        let words = ["sh", "-c", "exec \"$0\" serve --listen 127.0.0.1:0 2>&1", path]
        let program = OtherProgram(
            "/bin/sh", words.map { $0.utf8CString.map { $0 } },
            OtherProgram.Surroundings(mask: context.before.mask, ignoresBrokenPipe: context.before.ignoresBrokenPipe))
        let started: Started = await withCheckedContinuation { continuation in
            // The child lives as long as the thread that has started it, which therefore waits for it.
            DispatchQueue(label: "temporary-server").async {
                Self.run(program) { continuation.resume(returning: $0) }
            }
        }
        switch started {
        case .serves(let child): return TemporaryServer(child)
        case .failed(let words):
            throw CommandFailure(.unavailable, "The local tenant cannot be served: \(words.printable)")
        }
    }

    func stop() {
        kill(child, SIGTERM)
    }

    private enum Started: Sendable {
        case serves(Int32)
        case failed(String)
    }

    private static func run(_ program: OtherProgram, _ tell: (Started) -> Void) {
        do throws(SystemError) {
            let said = try Pipe()
            let child = try program.start(writing: said.writer.number)
            said.writer.close()
            var text = ""
            var hasTold = false
            while let piece = read(said.reader) {
                guard !hasTold else { continue }
                text += piece
                // One line says where it serves.
                guard text.contains("\n"), text.hasPrefix("Serving") else { continue }
                hasTold = true
                tell(.serves(child))
            }
            _ = OtherProgram.ending(of: child)
            if !hasTold { tell(.failed(text.isEmpty ? "it ended without a word." : text)) }
        } catch {
            tell(.failed(error.message))
        }
    }

    /// Nil when nothing more will come.
    private static func read(_ end: Pipe.End) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(end.number, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
        }
    }
}
