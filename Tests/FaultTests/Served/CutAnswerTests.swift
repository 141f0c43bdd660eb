// SPDX-License-Identifier: Apache-2.0

import Foundation
import NativeAuth
import Synchronization
import TenantTesting
import Testing

@testable import Tenant
@testable import TenantServer

/// A tenant behind a server of this process, and a proxy in front of it that cuts answers off.
private final class CutScene: Sendable {
    let tenant: TestTenant
    private let server: HTTPServer
    private let proxy: ReceiverSocket
    private let lengths = Lengths()

    /// How much of the next answers comes through; all of it where nothing is said.
    private final class Lengths: Sendable {
        let next = Mutex<[Int]>([])
        let last = Mutex(0)
    }

    init() throws {
        let tenant = try Prepared.tenant()
        let server = try HTTPServer(listen: HTTPServer.Endpoint("127.0.0.1:0")) { request in
            // The endpoints are where the client sees them: at the proxy.
            tenant.provider.served(at: "http://\(request.headers["host"] ?? "")").answer(request)
        }
        let port = server.endpoint.port
        let lengths = lengths
        self.tenant = tenant
        self.server = server
        proxy = try ReceiverSocket { peer in
            while let request = peer.request(), let answer = try? SocketClient.exchange(request, at: port) {
                lengths.last.withLock { $0 = answer.utf8.count }
                let length = lengths.next.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                guard let length else {
                    guard peer.send(answer) else { return }
                    continue
                }
                peer.send(String(decoding: answer.utf8.prefix(length), as: UTF8.self))
                return
            }
        }
    }

    var port: UInt16 { proxy.port }
    var caller: Caller { Caller { [port] in try SocketClient.send($0, to: port) } }
    /// Of the last answer, before it was cut.
    var length: Int { lengths.last.withLock { $0 } }

    func cut(after lengths: [Int]) { self.lengths.next.withLock { $0 = lengths } }
}

struct CutAnswerTests {
    @Test(
        "F13: answers are cut off at byte after byte; the same request, sent again, gets what there was",
        arguments: Script.chosen)
    func everyByte(_ script: Script) async throws {
        let scene = try CutScene()
        let tenant = scene.tenant
        try await OwnThread.run {
            Result {
                var talk = tenant.talk(script)
                for index in script.calls.indices {
                    // A wrong proof is looked at each time, and a password takes its time.
                    let isCheap = script.calls[index].error == nil && script.calls[index].status == nil
                    let step = isWhole && isCheap ? 1 : isCheap ? 97 : 397
                    try script.play(index, &talk) { path, body in
                        var length = 0
                        repeat {
                            scene.cut(after: [length])
                            #expect(throws: SocketClient.NoAnswer.self) { try scene.caller.post(path, body) }
                            length += step
                        } while length < scene.length
                        return try scene.caller.post(path, body)
                    }
                }
            }
        }.get()
        #expect(try tenant.findings() == [])
        #expect(try Effects(of: tenant.folder) == Prepared.effects(of: script))
    }

    @Test("F13: the SDK sends a request again by itself, and its user notices nothing")
    func sdk() async throws {
        for round in 0..<(isWhole ? 100 : 3) {
            let scene = try CutScene()
            let tenant = scene.tenant
            var configuration = Configuration(
                authority: try Authority("http://127.0.0.1:\(scene.port)/local"), clientID: Scene.passwordApp)
            configuration.retryInterval = .zero
            let client = NativeAuthClient(configuration, storage: MemoryStorage(), time: tenant.clock.source)
            func cutting<Value>(_ body: () async throws -> Value) async throws -> Value {
                scene.cut(after: [Int.random(in: 0...400)])
                return try await body()
            }
            let first = try await cutting { try await client.signUp(username: People.new, password: Scene.password) }
            guard case .codeRequired(let code) = first else { throw UnexpectedAnswer(description: "\(round): no code") }
            let second = try await cutting { try await code.submit(tenant.code(for: People.new) ?? "") }
            guard case .attributesRequired(let page) = second else {
                throw UnexpectedAnswer(description: "\(round): no attributes")
            }
            let third = try await cutting { try await page.submit(["country": "Norway"]) }
            guard case .completed(let done) = third else { throw UnexpectedAnswer(description: "\(round): not done") }
            let step = try await cutting { try await done.signIn() }
            guard case .completed(let account) = step else {
                throw UnexpectedAnswer(description: "\(round): no tokens")
            }
            _ = try await cutting { try await account.accessToken(forceRefresh: true) }
            #expect(try tenant.mails(to: People.new) == 1)
            #expect(try tenant.findings() == [])
        }
    }
}

extension SocketClient {
    /// Passes a request on as it is, and reads one answer.
    static func exchange(_ request: String, at port: UInt16) throws -> String {
        let descriptor = try connection(to: port)
        defer { close(descriptor) }
        let bytes = Array(request.utf8)
        guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw NoAnswer(description: "not sent")
        }
        var data = Data()
        var piece = [UInt8](repeating: 0, count: 65536)
        while (try? answer(in: data)) == nil {
            let count = recv(descriptor, &piece, piece.count, 0)
            guard count > 0 else { throw NoAnswer(description: "no answer to pass on") }
            data += piece[..<count]
        }
        return String(decoding: data, as: UTF8.self)
    }
}
