// SPDX-License-Identifier: Apache-2.0

/// A reader of HTTP/1.1 requests that takes what RFC 9112 says a sender may send, and nothing else.
struct StrictHTTP {
    private var rest: ArraySlice<UInt8>

    /// The requests from the first byte on, up to the first thing that is none.
    static func requests(in bytes: [UInt8]) -> [SeenRequest] {
        var reader = StrictHTTP(rest: bytes[...])
        var requests: [SeenRequest] = []
        while let request = reader.request() {
            requests.append(request)
            if request.isChunked { break }
        }
        return requests
    }

    private mutating func request() -> SeenRequest? {
        // RFC 9112, section 2.2: a server should ignore an empty line before a request. guard.c says why a bare LF may be one.
        while true {
            if rest.first == 0x0A {
                rest = rest.dropFirst()
            } else if rest.starts(with: [0x0D, 0x0A]) {
                rest = rest.dropFirst(2)
            } else {
                break
            }
        }
        guard var request = requestLine() else { return nil }
        while let line = line() {
            if line.isEmpty { return read(bodyOf: request) }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                line[..<colon].allSatisfy(Self.isTokenCharacter)
            else { return nil }
            let value = Self.trimmed(line[(colon + 1)...])
            guard value.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else { return nil }
            request.fields.append([Self.text(line[..<colon]), Self.text(value)])
        }
        return nil
    }

    private mutating func requestLine() -> SeenRequest? {
        guard let words = line()?.split(separator: 0x20, omittingEmptySubsequences: false), words.count == 3,
            !words[0].isEmpty, words[0].allSatisfy(Self.isTokenCharacter), !words[1].isEmpty,
            words[1].allSatisfy({ $0 > 0x20 && $0 < 0x7F }), words[2].starts(with: "HTTP/1.".utf8), words[2].count == 8
        else { return nil }
        let path = words[1].prefix { $0 != UInt8(ascii: "?") }
        return SeenRequest(method: Self.text(words[0]), target: Self.text(path), fields: [], body: [])
    }

    /// The next line without its CR LF; nil if there is none, or a CR or LF that is no line's end.
    private mutating func line() -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(where: { $0 == 0x0D || $0 == 0x0A }), rest[end...].starts(with: [0x0D, 0x0A])
        else { return nil }
        defer { rest = rest[(end + 2)...] }
        return rest[..<end]
    }

    /// RFC 9112, section 6.3: one length, or chunks, or no body.
    private mutating func read(bodyOf request: SeenRequest) -> SeenRequest? {
        var request = request
        let lengths = request.values(of: "content-length")
        let codings = request.values(of: "transfer-encoding")
        guard request.values(of: "host").count == 1, lengths.count + codings.count <= 1 else { return nil }
        if let coding = codings.first {
            guard coding.lowercased() == "chunked" else { return nil }
            request.isChunked = true
        }
        if let length = lengths.first {
            guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(length),
                count <= rest.count
            else { return nil }
            request.body = Array(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return request
    }

    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let start = bytes.drop(while: isBlank)
        return start.prefix(start.count - start.reversed().prefix(while: isBlank).count)
    }

    static func text(_ bytes: some Sequence<UInt8>) -> String {
        // One character for each byte, so that two different texts stay different.
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8.contains(byte)
    }
}

extension SeenRequest {
    fileprivate func values(of name: String) -> [String] {
        fields.filter { $0[0].lowercased() == name }.map { $0[1] }
    }
}
