// SPDX-License-Identifier: Apache-2.0

extension Request {
    /// Where a request comes from: the address at the other end of the socket, unless that is a proxy which the owner
    /// trusts to say so. `X-Forwarded-For` is read from its end, since everything before what a trusted proxy has appended
    /// is the client's own invention.
    ///
    /// - Returns: Nil for a call inside the process.
    func client(behind proxies: [NetworkBlock]) -> NetworkAddress? {
        // The name of an interface may stand behind a link-local address (RFC 4007, section 11).
        let socket = self.address.map { String($0.prefix { $0 != "%" }) }
        guard var address = socket.flatMap(NetworkAddress.init) else { return nil }
        let claimed = (headers["x-forwarded-for"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
        for claim in claimed.reversed() {
            guard proxies.contains(where: { $0.contains(address) }),
                let next = NetworkAddress(claim.filter { $0 != " " && $0 != "\t" })
            else { break }
            address = next
        }
        return address.plain
    }
}
