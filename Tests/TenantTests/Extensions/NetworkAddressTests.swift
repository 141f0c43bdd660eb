// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Tenant

/// Which addresses a receiver may have.
struct NetworkAddressTests {
    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.1",
        "168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0",
        "191.255.255.255",
        "192.0.1.0", "192.0.3.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.255",
        "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255", "2606:4700:4700::1111",
        "2001:4860:4860::8888",
        "2001:200::1", "2001:db7:ffff::1", "2001:db9::1", "2003::1", "2a00::1", "3ffe::1", "64:ff9b::8.8.8.8",
    ])
    func everywhere(_ text: String) throws {
        #expect(try #require(NetworkAddress(text)).reach == .everywhere)
    }

    @Test(arguments: [
        "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1", "127.255.255.255", "172.16.0.0",
        "172.31.255.255", "192.168.0.0", "192.168.255.255", "::1", "fc00::", "fd12:3456::1",
        "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "64:ff9b::10.0.0.1", "64:ff9b::127.0.0.1",
    ])
    func privately(_ text: String) throws {
        #expect(try #require(NetworkAddress(text)).reach == .privately)
    }

    @Test(arguments: [
        "0.0.0.0", "0.255.255.255", "169.254.0.0", "169.254.169.254", "169.254.170.2", "169.254.255.255",
        "168.63.129.16",
        "100.100.100.200", "192.0.0.1", "192.0.0.192", "192.0.2.1", "192.88.99.1", "198.18.0.0", "198.19.255.255",
        "198.51.100.1", "203.0.113.9", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
        "::", "::2", "::8.8.8.8", "::ffff:8.8.8.8", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
        "64:ff9b::169.254.169.254", "64:ff9b::0.0.0.0", "64:ff9b:1::8.8.8.8", "100::1", "2001::1", "2001:2::1",
        "2001:10::1",
        "2001:20::1", "2001:1ff::1", "2001:db8::1", "2002::1", "2002:7f00:1::", "3fff::1", "3fff:fff::1", "4000::1",
        "5f00::1",
        "fd00:ec2::254", "fe00::1", "fe80::1", "febf::1", "fec0::1", "ff02::1", "ff0e::1",
    ])
    func never(_ text: String) throws {
        #expect(try #require(NetworkAddress(text)).reach == .never)
    }

    @Test(arguments: [
        "", "localhost", "127.1", "0177.0.0.1", "0x7f.0.0.1", "2130706433", "127.0.0.1.", " 127.0.0.1", "127.0.0.256",
        "[::1]", "::1%lo", ":::1", "1.2.3.4.5",
    ])
    func otherNotationsAreNone(_ text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test(arguments: [0, 1, 3, 5, 15, 17])
    func otherLengthsAreNone(_ count: Int) {
        #expect(NetworkAddress(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }

    @Test(arguments: [
        ("8.8.8.8", true, true, false), ("10.0.0.1", false, true, false), ("169.254.169.254", false, false, false),
        ("127.0.0.1", false, true, true), ("127.8.9.10", false, true, true), ("::1", false, true, true),
        ("::ffff:127.0.0.1", false, false, false), ("fd00:ec2::254", false, false, false),
        ("fd01::1", false, true, false),
    ])
    func policies(_ text: String, _ everywhere: Bool, _ privately: Bool, _ loopback: Bool) throws {
        let address = try #require(NetworkAddress(text))
        #expect(AddressPolicy.everywhere.admits(address) == everywhere)
        #expect(AddressPolicy.everywhereAndPrivately.admits(address) == privately)
        #expect(AddressPolicy.loopbackOnly.admits(address) == loopback)
    }
}
