// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import TenantServer

/// The certificate that a tenant makes: when it is kept, and when another one takes its place.
struct SelfSignedTests {
    private let folder = OwnFolder()
    private let day: Int64 = 86400
    private let now: Int64 = 1_800_000_000

    private var own: SelfSigned { SelfSigned(folder: folder.path) }
    private var certificate: Data? { folder.data("tls-certificate.pem") }
    private var key: Data? { folder.data("tls-key.pem") }

    /// Whether the second look finds what the first one made.
    private func keeps(host: String = "127.0.0.1", after seconds: Int64, _ change: () throws -> Void = {}) throws
        -> Bool
    {
        _ = try own.identity(for: "127.0.0.1", now: now)
        let before = (certificate, key)
        try change()
        _ = try own.identity(for: host, now: now + seconds)
        #expect((certificate == before.0) == (key == before.1), "a new certificate has a new key")
        return certificate == before.0
    }

    @Test func isForThisMachine() throws {
        let identity = try own.identity(for: "192.0.2.7", now: now)
        for host in ["192.0.2.7", "127.0.0.1", "::1", "localhost"] { #expect(identity.covers(host), "\(host)") }
        for host in ["192.0.2.8", "::2", "localhost.example", "example.com", ""] {
            #expect(!identity.covers(host), "\(host)")
        }
        #expect(identity.name == "localhost")
    }

    @Test func isKeptUntilAMonthBeforeItsEnd() throws {
        #expect(try keeps(after: 0))
        #expect(try keeps(after: 334 * day))
        #expect(try !keeps(after: 335 * day))
    }

    @Test func isMadeAnewForAnotherAddress() throws {
        #expect(try keeps(host: "::1", after: 0))
        #expect(try !keeps(host: "192.0.2.7", after: 0))
        #expect(try own.identity(for: "127.0.0.1", now: now).covers("192.0.2.7"), "what covers more is kept")
    }

    @Test func isMadeAnewWhenTheClockWasWrong() throws {
        #expect(try !keeps(after: -2 * day))
    }

    @Test(arguments: ["tls-key.pem", "tls-certificate.pem"])
    func isMadeAnewWhenAFileIsGoneOrDamaged(name: String) throws {
        #expect(try !keeps(after: 0) { try FileManager.default.removeItem(atPath: folder.path + "/" + name) })
        #expect(try !keeps(after: 0) { try folder.write(name, "-----BEGIN NONSENSE-----\n") })
    }

    /// The key comes to the disk first, so a crash leaves the new one beside the old certificate.
    @Test func isMadeAnewWhenTheKeyIsAnother() throws {
        let other = OwnFolder()
        _ = try SelfSigned(folder: other.path).identity(for: "127.0.0.1", now: now)
        let key = String(decoding: try #require(other.data("tls-key.pem")), as: UTF8.self)
        #expect(try !keeps(after: 0) { try folder.write("tls-key.pem", key) })
    }

    @Test func isTheOwnersAlone() throws {
        _ = try own.identity(for: "127.0.0.1", now: now)
        for name in ["tls-key.pem", "tls-certificate.pem"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }

    @Test func failureToKeepItIsTold() {
        #expect(throws: (any Error).self) {
            try SelfSigned(folder: folder.path + "/nowhere").identity(for: "127.0.0.1", now: now)
        }
    }
}

/// A folder that is gone after the test.
final class OwnFolder: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.path + "/nativeauth-test-\(UUID().uuidString)"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func data(_ name: String) -> Data? { FileManager.default.contents(atPath: path + "/" + name) }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path + "/" + name))
    }
}
