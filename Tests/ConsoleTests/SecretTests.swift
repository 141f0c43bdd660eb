// SPDX-License-Identifier: Apache-2.0

import Console
import Glibc
import Testing

/// A pipe that holds these bytes and has ended.
func pipe<Result>(holding bytes: [UInt8], _ body: (Int32) throws -> Result) throws -> Result {
    var ends: [Int32] = [0, 0]
    try #require(Glibc.pipe(&ends) == 0)
    defer { close(ends[0]) }
    let written = write(ends[1], bytes, bytes.count)
    close(ends[1])
    try #require(written == bytes.count)
    return try body(ends[0])
}

@Suite("Secrets")
struct SecretTests {
    static let texts: [Typed] = [
        Typed("hush", "hush"), Typed("hush\n", "hush"), Typed("hush\r\n", "hush"), Typed("hush\n\n", "hush\n"),
        Typed(" hush \n", " hush "), Typed("one\ntwo\n", "one\ntwo"), Typed("hush\r", "hush\r"), Typed("Zoë\n", "Zoë"),
        Typed([UInt8](repeating: 0x78, count: 4096), String(repeating: "x", count: 4096)),
        Typed([UInt8](repeating: 0x78, count: 4096) + [13, 10], String(repeating: "x", count: 4096)),
    ]

    @Test("are read to the end, without one line end", arguments: texts)
    func read(item: Typed) throws {
        let secret = try pipe(holding: item.bytes) { try Secret.read(descriptor: $0) }
        #expect(secret.text == item.outcome)
        #expect(secret.byteCount == item.outcome.utf8.count)
    }

    static let refused: [([UInt8], SecretError)] = [
        ([], .empty), ([10], .empty), ([13, 10], .empty), ([0x61, 0, 0x62], .containsNUL), ([0xFF, 0xFE], .notUTF8),
        ([0xED, 0xA0, 0x80], .notUTF8), ([UInt8](repeating: 0x78, count: 4097), .tooLong),
        ([UInt8](repeating: 0x78, count: 9000), .tooLong),
    ]

    @Test("are refused where they cannot be meant", arguments: refused)
    func refuse(bytes: [UInt8], error: SecretError) throws {
        #expect(throws: error) { try pipe(holding: bytes) { try Secret.read(descriptor: $0) } }
    }

    @Test("are waited for where the stream does not block")
    func nonBlocking() async throws {
        var ends: [Int32] = [0, 0]
        try #require(Glibc.pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer { close(reading) }
        try #require(fcntl(reading, F_SETFL, O_NONBLOCK) == 0)
        async let secret = onThread {
            Result { () throws(SecretError) in try Secret.read(descriptor: reading).text }
        }
        for piece in ["hu", "sh"] {
            #expect(write(writing, piece, 2) == 2)
            var waiting: Int32 = 1
            // Once all of it was taken, the reader comes to an empty pipe.
            while waiting > 0, ioctl(reading, UInt(FIONREAD), &waiting) == 0 { await Task.yield() }
        }
        close(writing)
        #expect(try await secret.get() == "hush")
    }

    @Test("name what keeps a file from being read")
    func files() throws {
        #expect(throws: SecretError.unreadable(errno: ENOENT)) { try Secret.read(path: "/no/such/file") }
        #expect(throws: SecretError.unreadable(errno: EISDIR)) { try Secret.read(path: "/") }
        let text = SecretError.unreadable(errno: ENOENT).message
        #expect(text == "The secret cannot be read: No such file or directory.")
        let secret = try pipe(holding: Array("hush\n".utf8)) { try Secret.read(path: "/dev/fd/\($0)") }
        #expect(secret.text == "hush")
    }

    @Test("are equal when all their bytes are")
    func equality() {
        #expect(Secret("hush") == Secret("hush"))
        #expect(Secret("hush") != Secret("husk"))
        #expect(Secret("hush") != Secret("hus"))
        #expect(Secret("") == Secret(""))
    }

    @Test("are never printed")
    func printing() {
        let secret = Secret("hush")
        var dumped = ""
        dump(secret, to: &dumped)
        let everything = "\(secret) \(String(reflecting: secret)) \([secret]) \(Optional(secret) as Any) \(dumped)"
        #expect(everything.contains("[secret]"))
        #expect(!everything.contains("hush"))
    }
}
