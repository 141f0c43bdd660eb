// SPDX-License-Identifier: Apache-2.0

import Console
import Synchronization
import Tenant

/// Sees what the server does, for its operator: counts it, and logs it where that is wanted.
final class Watch: Sendable {
    let metrics = Metrics()
    private let format: LogFormat
    private let level: LogLevel
    private let writer: LogWriter
    private let state = Mutex<(server: HTTPServer?, isStopping: Bool)>((nil, false))

    init(_ format: LogFormat, _ level: LogLevel, to output: Output) {
        self.format = format
        self.level = level
        writer = LogWriter(output)
    }

    @Sendable func note(_ observation: Observation) {
        metrics.note(observation)
        guard format != .off, let line = LogLine(observation).text(format, level) else { return }
        writer.write(line)
    }

    /// Whose connections are counted.
    func watch(_ server: HTTPServer) {
        state.withLock { $0.server = server }
    }

    /// From now on nobody is to be sent here.
    func stop() {
        state.withLock { $0.isStopping = true }
    }

    /// Lets the log's last lines out.
    func finish() {
        state.withLock { $0.server = nil }
        writer.finish()
    }

    func facts(of provider: IdentityProvider, _ extent: ServerFacts.Extent) -> ServerFacts {
        let (server, isStopping) = state.withLock { $0 }
        let load = extent == .everything ? try? provider.load() : nil
        return ServerFacts(
            isAnswering: load != nil || provider.isAnswering, load: load, hashes: provider.hashLoad,
            connections: server?.connections ?? 0,
            connectionLimit: HTTPServer.Limits.standard.connections, residentMemory: ServerFacts.ownMemory,
            isStopping: isStopping)
    }
}
