// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoundationEssentials
import Glibc
package import Sockets
import Synchronization
import Wire

/// The owner's way to a tenant that another process serves: `admin.sock` in the tenant's folder, mode 0600. No network
/// leads there, and who connects has to be this user or root.
package struct AdminSocket: Sendable {
    /// The tenant's folder.
    let folder: String

    static let name = "admin.sock"

    package init(_ folder: TenantFolder) {
        self.folder = folder.path
    }

    /// Has a call carried out by the process that serves the tenant.
    ///
    /// - Throws: What the call throws there as an ``AdminRefusal``; a ``SocketError`` where nobody listens.
    func ask<C: AdminCall>(_ call: C, _ tell: (AdminProgress) throws -> Void) throws -> C.Reply {
        let stream = try LocalStream(to: Self.name, in: folder)
        do { return try Self.ask(call, over: stream, tell) } catch is SocketError { throw AdminRefusal.interrupted }
    }

    private static func ask<C: AdminCall>(
        _ call: C, over stream: borrowing LocalStream, _ tell: (AdminProgress) throws -> Void
    ) throws -> C.Reply {
        try stream.write(try AdminMessage.line(AdminMessage.Request(call)))
        try stream.finish()
        var reader = LineReader()
        while true {
            let bytes = try stream.read()
            guard !bytes.isEmpty, reader.waiting < AdminMessage.longest else { throw AdminRefusal.interrupted }
            for line in reader.lines(adding: bytes) {
                let response = try JSONDecoder().decode(AdminMessage.Response<C.Reply>.self, from: Data(line))
                if let refusal = response.refusal { throw refusal }
                if let reply = response.reply { return reply }
                if let progress = response.progress { try tell(progress) }
            }
        }
    }
}

// MARK: - The other end

/// Carries out calls that come over the owner's socket.
package final class AdminDesk: Sendable {
    private let listener: LocalListener
    private let place: String
    private let calls: [String: any AdminCall.Type]
    private let callers = DispatchQueue(label: "callers", attributes: .concurrent)
    private let isOver = Atomic<Bool>(false)

    /// Listens. To be called by the holder of the tenant's lock only.
    package init(in folder: TenantFolder) throws(SocketError) {
        listener = try LocalListener(at: AdminSocket.name, in: folder.path)
        place = folder.path + "/" + AdminSocket.name
        calls = Dictionary(AdminCalls.all.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Answers until ``stop()`` is called, each caller on a thread of its own.
    ///
    /// - Parameters:
    ///   - tenant: The tenant as it is now.
    ///   - reload: Called once a call has changed what the tenant has read at its start.
    package func run(_ tenant: @escaping @Sendable () -> OpenTenant, reload: @escaping @Sendable () throws -> Void) {
        while let stream = next() {
            guard stream.peer == geteuid() || stream.peer == 0 else { continue }
            let caller = AdminCaller(stream: stream, calls: calls, tenant: tenant, reload: reload)
            callers.async { caller.serve() }
        }
    }

    /// The next caller; nil at the end. Where the process has no descriptor left, as when strangers hold all of them, it
    /// will have one again, and the owner must not be shut out for good.
    private func next() -> LocalStream? {
        while !isOver.load(ordering: .acquiring) {
            do { return try listener.next() } catch { usleep(50_000) }
        }
        return nil
    }

    /// Takes no more calls; those that run come to their end.
    package func stop() {
        isOver.store(true, ordering: .releasing)
        listener.stop()
        unlink(place)
    }
}

/// One who has connected.
private final class AdminCaller: Sendable {
    private let stream: LocalStream
    private let calls: [String: any AdminCall.Type]
    private let tenant: @Sendable () -> OpenTenant
    private let reload: @Sendable () throws -> Void

    init(
        stream: consuming LocalStream, calls: [String: any AdminCall.Type],
        tenant: @escaping @Sendable () -> OpenTenant, reload: @escaping @Sendable () throws -> Void
    ) {
        self.stream = stream
        self.calls = calls
        self.tenant = tenant
        self.reload = reload
    }

    /// Reads one call and answers it. A caller that has gone hears nothing; what it asked for is done all the same.
    func serve() {
        try? stream.limit(seconds: 60)
        guard let line = try? readLine(),
            let request = try? JSONDecoder().decode(AdminMessage.Request.self, from: Data(line))
        else { return }
        guard let type = calls[request.call] else {
            return send(AdminMessage.Response<Done>(refusal: .unknownCall(request.call)))
        }
        answer(type, request.arguments)
    }

    private func readLine() throws -> [UInt8]? {
        var reader = LineReader()
        while reader.waiting < AdminMessage.longest {
            let bytes = try stream.read()
            if bytes.isEmpty { return nil }
            if let line = reader.lines(adding: bytes).first { return line }
        }
        return nil
    }

    private func answer<C: AdminCall>(_ type: C.Type, _ arguments: JSONValue) {
        do {
            let call = try JSONDecoder().decode(C.self, from: JSONEncoder().encode(arguments))
            let reply = try call.run(on: tenant()) { send(AdminMessage.Response<C.Reply>(progress: $0)) }
            if C.changesContents { try reload() }
            send(AdminMessage.Response(reply: reply))
        } catch {
            send(AdminMessage.Response<C.Reply>(refusal: AdminRefusal(error)))
        }
    }

    private func send(_ response: some Encodable) {
        guard let line = try? AdminMessage.line(response) else { return }
        try? stream.write(line)
    }
}
