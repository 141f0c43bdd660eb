// SPDX-License-Identifier: Apache-2.0

import Glibc
import NativeAuth
import Synchronization
import Testing

/// libcurl against a real TLS server, whose certificate nobody but the test knows.
@Suite(.timeLimit(.minutes(10)))
struct TLSTests {
    private let folder: TemporaryFolder
    private let server: Program
    private let port: Int

    init() throws {
        folder = try TemporaryFolder()
        let certificate = folder.path + "/certificate.pem"
        let key = folder.path + "/key.pem"
        try Program(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate
        ).wait()
        server = try Program(
            "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www", "-naccept", "20"
        )
        port = try server.port()
    }

    private func problem(_ host: String, caFile: String?) async throws -> NetworkProblem? {
        let transport = CurlTransport(
            Configuration(
                authority: try Authority("https://\(host):\(port)/t"), clientID: "c", timeout: .seconds(20),
                caFile: caFile,
                proxy: ""))
        do throws(TransportFailure) {
            #expect(try await transport.send(HTTPRequest(method: "GET", url: "https://\(host):\(port)/")).status == 200)
            return nil
        } catch {
            return error.problem
        }
    }

    @Test("Rule 91: a certificate that nobody vouches for is refused") func strangerIsRefused() async throws {
        #expect(try await problem("localhost", caFile: nil) == .untrusted)
    }

    @Test func knownCertificateIsTaken() async throws {
        #expect(try await problem("localhost", caFile: folder.path + "/certificate.pem") == nil)
    }

    @Test("Rule 91: a certificate for another name is refused") func otherNameIsRefused() async throws {
        #expect(try await problem("127.0.0.1", caFile: folder.path + "/certificate.pem") == .untrusted)
    }

    @Test func missingCAFileIsTold() async throws {
        #expect(try await problem("localhost", caFile: folder.path + "/nowhere.pem") == .untrusted)
    }
}

/// A program that a test runs; it ends with the test.
private final class Program: Sendable {
    private let pid: pid_t
    private let output: Int32
    private let hasEnded = Mutex(false)

    init(_ arguments: String...) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw TemporaryFolder.Failed(operation: "pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var words = arguments.map { strdup($0) }
        words.append(nil)
        defer { words.forEach { free($0) } }
        var child = pid_t()
        let code = posix_spawnp(&child, arguments[0], &actions, nil, words, environ)
        close(ends[1])
        output = ends[0]
        pid = code == 0 ? child : 0
        guard code == 0 else { throw TemporaryFolder.Failed(operation: "spawn") }
    }

    deinit {
        close(output)
        guard !hasEnded.withLock({ $0 }), pid > 0 else { return }
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
    }

    /// Waits until the program ends.
    func wait() throws {
        var status: Int32 = 0
        guard waitpid(pid, &status, 0) == pid else { throw TemporaryFolder.Failed(operation: "wait") }
        hasEnded.withLock { $0 = true }
        guard status == 0 else { throw TemporaryFolder.Failed(operation: "openssl") }
    }

    /// The port that the program says it listens at.
    func port() throws -> Int {
        while let line = readLine() {
            if line.hasPrefix("ACCEPT "), let port = line.split(separator: ":").last.flatMap({ Int($0) }) {
                return port
            }
        }
        throw TemporaryFolder.Failed(operation: "listen")
    }

    private func readLine() -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(output, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}
