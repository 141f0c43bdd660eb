// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization
import Tenant
import Testing

@testable import TenantServer

@Suite struct HTTPEndpointTests {
    @Test(
        arguments: [
            ("127.0.0.1:8400", "127.0.0.1", 8400), ("localhost:0", "localhost", 0), ("[::1]:0", "::1", 0),
            ("0.0.0.0:65535", "0.0.0.0", 65535), ("[2001:db8::1]:80", "2001:db8::1", 80),
        ] as [(String, String, UInt16)])
    func reads(_ text: String, _ host: String, _ port: UInt16) throws {
        let endpoint = try HTTPServer.Endpoint(text)
        #expect(endpoint == HTTPServer.Endpoint(host: host, port: port))
        #expect(endpoint.description == text)
    }

    @Test(arguments: [
        "", ":", "8400", ":8400", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1",
        "127.0.0.1: 1", "127.0.0.1:1x", "127.1:80", "127.0.0.256:80", "::1:80", "[::1]", "[::1:80", "[127.0.0.1]:80",
        "[localhost]:80", "LOCALHOST:80", "example.org:80", "127.0.0.1\0:80", "[::1%lo]:80", "*:80",
    ])
    func refuses(_ text: String) {
        #expect(throws: HTTPServerError.malformedEndpoint(text)) { try HTTPServer.Endpoint(text) }
    }

    @Test func namesAnAddressInUse() throws {
        try withServer { server in
            _ = #expect(throws: HTTPServerError.addressInUse(server.endpoint)) {
                try HTTPServer(listen: server.endpoint, handler: echo)
            }
        }
    }

    /// 192.0.2.0/24 is for documentation, so no machine has it (RFC 5737).
    @Test func namesAnAddressOfAnotherMachine() throws {
        let endpoint = try HTTPServer.Endpoint("192.0.2.1:0")
        #expect(throws: HTTPServerError.addressNotAvailable(endpoint)) {
            try HTTPServer(listen: endpoint, handler: echo)
        }
    }

    private static let endpoint = HTTPServer.Endpoint(host: "127.0.0.1", port: 80)

    @Test(arguments: [
        (EADDRINUSE, HTTPServerError.addressInUse(endpoint)), (EADDRNOTAVAIL, .addressNotAvailable(endpoint)),
        (EACCES, .permissionDenied(endpoint)), (EPERM, .permissionDenied(endpoint)),
        (EMFILE, .system(endpoint, errno: EMFILE)),
    ])
    func keepsTheSystemsReason(_ code: Int32, _ expected: HTTPServerError) {
        let error = HTTPServerError(code, at: Self.endpoint)
        #expect(error == expected)
        #expect(error.description.hasSuffix("."))
    }

    @Test func listensOnLocalhost() throws {
        let server = try HTTPServer(listen: HTTPServer.Endpoint("localhost:0"), handler: echo)
        let client = try HTTPClientSocket(port: server.endpoint.port)
        client.send(Sample.get())
        #expect(try client.answer()?.status == 200)
        server.stop()
    }

    @Test func listensOnIPv6() throws {
        do {
            let server = try HTTPServer(listen: HTTPServer.Endpoint("[::1]:0"), handler: echo)
            #expect(server.endpoint.port != 0)
            server.stop()
        } catch HTTPServerError.addressNotAvailable, HTTPServerError.system(_, errno: EAFNOSUPPORT) {
            // A machine without IPv6.
        }
    }

    /// The address that a handler is told of a client.
    private func address(of client: String, at server: (Int32, HTTPServer.Endpoint)) throws -> String {
        let seen = Mutex("")
        let door = try HTTPServer(listen: server.1, inherited: server.0) { request in
            seen.withLock { $0 = request.address ?? "" }
            return echo(request)
        }
        defer { door.stop() }
        let curl = Process()
        curl.executableURL = URL(filePath: "/usr/bin/curl")
        curl.arguments = ["-s", "-o", "/dev/null", "http://\(client):\(door.endpoint.port)/"]
        try curl.run()
        curl.waitUntilExit()
        try #require(curl.terminationStatus == 0)
        return seen.withLock { $0 }
    }

    /// A socket that listens on all addresses of both kinds, as a service manager opens one.
    private func listeningForBoth() -> (Int32, HTTPServer.Endpoint)? {
        let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var (no, place) = (Int32(0), sockaddr_in6())
        place.sin6_family = sa_family_t(AF_INET6)
        setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &no, socklen_t(MemoryLayout<Int32>.size))
        let bound = withUnsafePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        }
        guard bound == 0, listen(descriptor, 8) == 0 else {
            close(descriptor)
            return nil
        }
        return (descriptor, HTTPServer.Endpoint(host: "::", port: 0))
    }

    @Test("Rule 40: a client is told from another whichever kind of address it has", arguments: ["127.0.0.1", "[::1]"])
    func addressesOfBothKinds(client: String) throws {
        // A machine without IPv6 has no such socket.
        guard let server = listeningForBoth() else { return }
        #expect(try "[\(address(of: client, at: server))]".contains(client.filter { !"[]".contains($0) } + "]"))
    }
}
