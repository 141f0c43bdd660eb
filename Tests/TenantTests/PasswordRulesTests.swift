// SPDX-License-Identifier: Apache-2.0

import CSodium
import Testing
import Wire

@testable import Tenant

/// Which passwords are taken.
struct PasswordRulesTests {
    private func refusal(_ password: String, username: String = "mira.larsen@lofoten.example") throws -> String? {
        let address = try #require(EmailAddress(username))
        let refusal = PasswordRules().refusal(of: Password(password), username: address)
        if let refusal { #expect(refusal.error == .invalidGrant) }
        return refusal?.suberror?.rawValue
    }

    @Test(arguments: [
        "Fjord-47", "fjord-47", "FJORD-47", "Fjordsal47", "Fjord salmon 47", "aB3$aB3$x", "~!@#$%^&*()_+aA",
        "        aA1bcdef",
        "Aa1" + String(repeating: "xyz", count: 84) + "q",
    ])
    func strongPasswordIsTaken(_ password: String) throws {
        #expect(try refusal(password) == nil)
    }

    @Test(arguments: [
        ("", "password_too_short"), ("Fjord-4", "password_too_short"), ("aB3$", "password_too_short"),
        (String(repeating: "aB3-", count: 64) + "x", "password_too_long"),
        (String(repeating: "aB3-", count: 200), "password_too_long"),
        ("fjordsal", "password_too_weak"), ("12345678", "password_too_weak"), ("fjord-salmon", "password_too_weak"),
        ("FJORD-SALMON", "password_too_weak"), ("fjordsal47", "password_too_weak"),
        ("FjordSalmon", "password_too_weak"),
        ("Fjørd-47", "password_is_invalid"), ("Fjord-47\u{7F}", "password_is_invalid"),
        ("Fjord-47\0", "password_is_invalid"),
        ("Fjord-47\n", "password_is_invalid"), ("Fjord-47\u{1F600}", "password_is_invalid"),
        ("Fjord-47\u{A0}", "password_is_invalid"),
        ("P@ssw0rd", "password_banned"), ("Password1!", "password_banned"), ("Qwerty12!", "password_banned"),
        ("Mira.Larsen1", "password_banned"), ("Welc0me!2", "password_banned"),
    ])
    func otherPasswordIsRefused(_ password: String, _ suberror: String) throws {
        #expect(try refusal(password) == suberror)
    }

    @Test("Rule 48: the length has edges") func lengthHasEdges() throws {
        #expect(try refusal("aB3-xyz") == "password_too_short")
        #expect(try refusal("aB3-xyzq") == nil)
        #expect(try refusal(String(repeating: "aB3-", count: 64)) == nil)
        #expect(try refusal(String(repeating: "aB3-", count: 64) + "a") == "password_too_long")
    }

    @Test("whatever uses libsodium has it look at the processor first: its slowest code hashes otherwise")
    func prepared() {
        _ = PasswordHasher(cores: 1)
        // 1 says that it has been done before, 0 that this call has done it.
        #expect(sodium_init() == 1)
    }

    @Test("Rule 42: a hash is Argon2id in a PHC string") func hashIsArgon2id() throws {
        let hasher = PasswordHasher(cores: 2)
        func fits(_ password: String, _ hash: String) throws -> Bool { try hasher.verify(Password(password), hash) }
        let hash = try #require(try hasher.hash(Password("Fjord-Salmon-47")))
        #expect(hash.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        #expect(PasswordHash(hash)?.cost == .least)
        #expect(try fits("Fjord-Salmon-47", hash))
        #expect(try !fits("Fjord-Salmon-48", hash))
        #expect(try !fits("Fjord-Salmon-47\0", hash))
        #expect(try !fits("", hash))
        #expect(try hasher.hash(Password("Fjord-Salmon-47")) != hash)
        #expect(try !fits("Fjord-Salmon-47", "garbage"))
        let long = String(repeating: "a", count: 255)
        let other = try #require(try hasher.hash(Password(long + "b")))
        #expect(try !fits(long + "c", other))
    }
}
