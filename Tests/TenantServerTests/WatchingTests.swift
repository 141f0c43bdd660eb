// SPDX-License-Identifier: Apache-2.0

import Console
import Foundation
import Synchronization
import Tenant
import TenantTesting
import Testing
import Wire

@testable import TenantServer

/// What the operator sees of a server.
struct WatchingTests {
    private let scene = Result { Scene(try TestTenant()) }

    /// What a watched tenant told while requests were made.
    private func observations(_ requests: (Scene) throws -> Void) throws -> [Observation] {
        let seen = Gathered()
        let watched = try scene.get().tenant.provider.observed { seen.add($0) }
        try requests(Scene(try scene.get().tenant, by: Caller { watched.answer($0) }))
        return seen.all
    }

    private final class Gathered: @unchecked Sendable {
        private let lock = NSLock()
        private var seen: [Observation] = []

        func add(_ observation: Observation) { lock.withLock { seen.append(observation) } }

        var all: [Observation] { lock.withLock { seen } }
    }

    private func facts(
        load: TenantLoad? = TenantLoad(openFlows: 3, waitingMessages: 2), connections: Int = 1, isStopping: Bool = false
    ) -> ServerFacts {
        ServerFacts(
            isAnswering: load != nil, load: load, hashes: HashLoad(slots: 2, running: 1, waiting: 7),
            connections: connections, connectionLimit: 512, residentMemory: 4096, isStopping: isStopping)
    }

    @Test("metrics are in the format of Prometheus, and count what happened")
    func metrics() throws {
        let metrics = Metrics()
        for observation in try observations({ scene in
            _ = try scene.signedIn("mira@lofoten.example")
            _ = try scene.submit(password: "Wrong-Salmon-1", try scene.challenged("mira@lofoten.example").token)
            _ = try scene.caller.get("/made\"up\n")
        }) { metrics.note(observation) }
        let text = metrics.text(facts())
        let lines = text.split(separator: "\n")
        for line in lines where !line.hasPrefix("#") {
            #expect(
                line.wholeMatch(of: /[a-z_]+(\{[a-z_]+="[^"\\\n]*"(,[a-z_]+="[^"\\\n]*")*\})? [0-9.e+-]+/) != nil,
                "\(line)")
        }
        for line in [
            #"nativeauth_requests_total{endpoint="/oauth2/v2.0/token",status="200"} 1"#,
            #"nativeauth_requests_total{endpoint="/oauth2/v2.0/token",status="400"} 1"#,
            #"nativeauth_requests_total{endpoint="other",status="404"} 1"#,
            #"nativeauth_request_seconds_count{endpoint="/oauth2/v2.0/token"} 2"#,
            #"nativeauth_request_seconds_bucket{endpoint="/oauth2/v2.0/token",le="+Inf"} 2"#,
            #"nativeauth_sign_ins_total{result="ok"} 1"#, #"nativeauth_sign_ins_total{result="failed"} 1"#,
            #"nativeauth_events_total{event="sign_up"} 1"#, "nativeauth_open_flows 3", "nativeauth_waiting_messages 2",
            "nativeauth_password_hash_slots 2", "nativeauth_password_hashes_running 1",
            "nativeauth_password_hashes_waiting 7", "nativeauth_connections 1", "process_resident_memory_bytes 4096",
            "nativeauth_ready 1",
        ] {
            #expect(lines.contains(Substring(line)), "\(line)")
        }
        #expect(!text.contains("lofoten") && !text.contains("made"))
        let types = lines.filter { $0.hasPrefix("# TYPE ") }
        #expect(Set(types).count == types.count, "a family is there once")
    }

    @Test("it is ready while the database answers, there is room, and nobody has told it to stop")
    func readiness() {
        let metrics = Metrics()
        let cases: [(ServerFacts, Int, String)] = [
            (facts(), 200, "ready"), (facts(load: nil), 503, "database"), (facts(connections: 512), 503, "overloaded"),
            (facts(isStopping: true), 503, "stopping"),
        ]
        for (facts, status, word) in cases {
            let door = OperatorDoor(metrics: metrics) { _ in facts }
            let answer = door.answerAlone(Request(method: "GET", path: "/readyz"))
            #expect(answer.status == status)
            #expect(String(decoding: answer.body, as: UTF8.self) == #"{"status":"\#(word)"}"#)
            #expect(door.answerAlone(Request(method: "GET", path: "/healthz")).status == 200, "it lives in any case")
        }
    }

    @Test("metrics are for listeners that strangers do not reach, and other requests for the tenant")
    func reach() {
        let door = OperatorDoor(metrics: Metrics()) { _ in facts() }
        #expect(door.answer(Request(method: "GET", path: "/metrics"), .health) == nil)
        #expect(door.answer(Request(method: "GET", path: "/metrics"), .everything)?.status == 200)
        #expect(door.answer(Request(method: "GET", path: "/local/metrics"), .everything) == nil)
        #expect(door.answer(Request(method: "POST", path: "/metrics"), .everything)?.status == 405)
        #expect(door.answerAlone(Request(method: "GET", path: "/local/oauth2/v2.0/token")).status == 404)
    }

    @Test("what strangers may ask for as often as they like counts nothing")
    func readinessIsCheap() throws {
        let asked = Mutex<[ServerFacts.Extent]>([])
        let door = OperatorDoor(metrics: Metrics()) { extent in
            asked.withLock { $0.append(extent) }
            return facts()
        }
        for path in ["/healthz", "/readyz", "/metrics"] {
            #expect(door.answerAlone(Request(method: "GET", path: path)).status == 200)
        }
        #expect(asked.withLock { $0 } == [.readiness, .everything])
        let provider = try scene.get().tenant.provider
        let watch = Watch(.off, .info, to: .standardError)
        #expect(watch.facts(of: provider, .readiness).load == nil && watch.facts(of: provider, .readiness).isAnswering)
        #expect(watch.facts(of: provider, .everything).load != nil)
    }

    @Test("the database that does not answer is seen")
    func load() throws {
        let tenant = try scene.get().tenant
        _ = try scene.get().codeSent("mira@lofoten.example")
        #expect(try tenant.provider.load().openFlows == 1)
        #expect(ServerFacts.ownMemory.map { $0 > 1_000_000 } == true)
    }

    @Test("Rules 14 and 125: a line of the log is one JSON object, without names, codes and tokens")
    func json() throws {
        var secrets: [String] = ["mira", "lofoten", Scene.password]
        let seen = try observations { scene in
            let sent = try scene.codeSent("mira@lofoten.example", "&password=\(Scene.password)&\(Scene.country)")
            let code = try scene.code("mira@lofoten.example")
            let proven = try scene.proceed(sent.token, "grant_type=oob&oob=\(code)")
            let tokens = try scene.redeem(proven.token)
            _ = try scene.submit(
                password: "Wrong-\(Scene.password)", try scene.challenged("mira@lofoten.example").token)
            _ = try scene.caller.get("/oauth2/v2.0/logout?id_token_hint=\(tokens["id_token"]?.string ?? "")")
            _ = try scene.caller.answer(
                "GET\r\n{\"level\":\"forged\"}", "/x\r\ny?code=\(code)",
                ["client-request-id": "a\r\nb", "user-agent": "\u{1B}[2J"], "")
            secrets += [code, sent.token, proven.token, tokens.accessToken, tokens.refreshToken]
        }
        for format in [LogFormat.json, .text] {
            let lines = seen.compactMap { LogLine($0).text(format, .debug) }
            #expect(lines.count == seen.count)
            for line in lines {
                #expect(!line.contains { $0.isNewline } && line.unicodeScalars.allSatisfy { $0.value >= 0x20 })
                for secret in secrets where !secret.isEmpty { #expect(!line.contains(secret), "\(line)") }
                guard format == .json else { continue }
                let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                #expect(object["level"] as? String == "info")
                #expect(UUID(uuidString: object["correlation_id"] as? String ?? "") != nil)
                #expect((object["time"] as? String)?.hasSuffix("Z") == true)
            }
        }
        let failed = try #require(seen.compactMap { LogLine($0).text(.json, .info) }.first { $0.contains("50126") })
        #expect(failed.contains(#""events":["sign_in_failed"]"#) && failed.contains(#""error":"invalid_grant""#))
    }

    @Test("levels choose what is written")
    func levels() throws {
        let seen = try observations { scene in
            _ = try scene.caller.get("/discovery/v2.0/keys")
            _ = try scene.initiate("nobody@lofoten.example")
        }
        #expect(seen.map { LogLine($0).level } == [.debug, .info])
        #expect(seen.compactMap { LogLine($0).text(.json, .info) }.count == 1)
        #expect(seen.compactMap { LogLine($0).text(.json, .error) }.isEmpty)
        #expect(seen.compactMap { LogLine($0).text(.off, .debug) }.isEmpty)
    }

    @Test("the log holds nobody up: where its reader sleeps, lines are left out and counted")
    func slowReader() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let writer = LogWriter(Output(descriptor: ends[1]), capacity: 8)
        // More than a pipe holds, while nobody reads.
        let line = String(repeating: "x", count: 4000)
        for _ in 0..<100 { writer.write(line) }
        let reader = Reader(ends[0])
        // The queue is as long as it may be, so what comes now is written once it is shorter.
        writer.finish()
        writer.write("last")
        writer.finish()
        close(ends[1])
        let lines = reader.text.split(separator: "\n")
        #expect(lines.last == "last")
        #expect(lines.contains { $0.contains("omitted_lines") })
        #expect(lines.count < 100)
    }

    /// Reads to the end on a thread of its own.
    private final class Reader: @unchecked Sendable {
        private let done = DispatchSemaphore(value: 0)
        private var read = ""

        init(_ descriptor: Int32) {
            OwnThread.start { [self] in
                var piece = [UInt8](repeating: 0, count: 65536)
                while case let count = Foundation.read(descriptor, &piece, piece.count), count > 0 {
                    read += String(decoding: piece[..<count], as: UTF8.self)
                }
                done.signal()
            }
        }

        var text: String {
            done.wait()
            return read
        }
    }
}
