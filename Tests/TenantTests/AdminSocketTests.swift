// SPDX-License-Identifier: Apache-2.0

import Foundation
import Sockets
import TenantTesting
import Testing

@testable import Tenant

/// The owner's way to a tenant that another process serves.
struct AdminSocketTests {
    /// Asks a process that goes away after it has sent these bytes.
    private func ask(answering bytes: String) throws {
        let tenant = try TestTenant()
        let listener = try LocalListener(at: AdminSocket.name, in: tenant.folder.path)
        Thread.detachNewThread {
            // The call comes first: who closes with something unread resets the connection.
            guard let caller = try? listener.next(), (try? caller.read()) != nil else { return }
            try? caller.write(Array(bytes.utf8))
            _ = consume caller
        }
        _ = try AdminSocket(tenant.folder).ask(ReadSettings()) { _ in }
    }

    @Test("a process that goes away before it has answered is told from one that refuses", arguments: ["", "{\"pro"])
    func interruption(bytes: String) {
        #expect(throws: AdminRefusal.interrupted) { try ask(answering: bytes) }
        #expect(throws: AdminRefusal.notInTestMode) { try ask(answering: #"{"refusal":{"notInTestMode":{}}}"# + "\n") }
    }

    @Test("a stream is taken apart into lines, however it comes")
    func lines() {
        let text = Array("one\n\ntwo and more\nrest".utf8)
        for size in 1...text.count {
            var reader = LineReader()
            var lines: [[UInt8]] = []
            for start in stride(from: 0, to: text.count, by: size) {
                lines += reader.lines(adding: Array(text[start..<min(start + size, text.count)]))
            }
            #expect(lines.map { String(decoding: $0, as: UTF8.self) } == ["one", "", "two and more"])
            #expect(reader.waiting == 4)
        }
    }
}
