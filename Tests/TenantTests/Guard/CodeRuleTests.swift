// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import TenantTesting
import Testing
import Wire

@testable import Tenant

/// How codes are made, kept and compared.
struct CodeRuleTests {
    @Test("Rule 1: the digits of a million codes are even, and so are their pairs")
    func digitsAreEven() {
        var pairs = [Int](repeating: 0, count: 100)
        let count = 1_000_000
        for _ in 0..<count {
            let digits = RandomSource.system.code(digits: 2).utf8.map { Int($0) - 48 }
            pairs[digits[0] * 10 + digits[1]] += 1
        }
        let first = (0..<10).map { digit in pairs[digit * 10..<digit * 10 + 10].reduce(0, +) }
        let second = (0..<10).map { digit in stride(from: digit, to: 100, by: 10).map { pairs[$0] }.reduce(0, +) }
        // Beyond these bounds once in ten million runs.
        #expect(deviation(pairs, of: count) < 195)
        #expect(deviation(first, of: count) < 50)
        #expect(deviation(second, of: count) < 50)
    }

    /// Chi-square against equal shares.
    private func deviation(_ counts: [Int], of total: Int) -> Double {
        let share = Double(total) / Double(counts.count)
        return counts.reduce(0) { $0 + (Double($1) - share) * (Double($1) - share) / share }
    }

    @Test("Rule 1: leading zeros are kept")
    func leadingZerosAreKept() {
        let zeros = RandomSource(bytes: RandomSource.system.bytes, below: { _ in 0 })
        #expect(zeros.code(digits: 8) == "00000000")
    }

    // MARK: - What a code is bound to

    private let purposes: [CodeMessage.Purpose] = [.signUp, .signIn, .passwordReset, .secondFactor, .registration]

    /// Two open flows, and a tenant whose codes are all the same: what tells them apart is what they are bound to.
    private func bound(_ tenant: TestTenant) throws -> (IdentityProvider, [Flow], Exchange) {
        let sevens = RandomSource(bytes: RandomSource.system.bytes, below: { _ in 7 })
        let provider = tenant.provider.sending(random: sevens) { _ in }
        let scene = Scene(tenant, by: Caller { provider.answer($0) })
        for address in ["mira@lofoten.example", "ola@lofoten.example"] {
            #expect(try scene.start(address).status == 200)
        }
        let app = try #require(try provider.apps().first { $0.clientID == Scene.passwordApp })
        let flows = try provider.database.transaction { connection in
            try connection.rows("SELECT id, state FROM flow ORDER BY id").compactMap { row -> Flow? in
                guard let id = row.text(0), let state = row.text(1) else { return nil }
                return Flow(id: id, state: try JSONDecoder().decode(FlowState.self, from: Data(state.utf8)), app: app)
            }
        }
        let request = Request(method: "POST", path: "/local", address: "127.0.0.1")
        return (provider, flows, Exchange(request, id: "1", at: tenant.clock.read(), seconds: provider.seconds))
    }

    private struct Binding: Equatable {
        let purpose: CodeMessage.Purpose
        let contact: Contact
        let flow: Int
    }

    @Test("Rule 10: a code is good for its purpose, its flow and its address, and for nothing else")
    func everyOtherBindingIsRefused() throws {
        let tenant = try TestTenant { $0.codesPerAddress = 1000 }
        defer { tenant.close() }
        let (provider, flows, exchange) = try bound(tenant)
        let contacts = try ["mira@lofoten.example", "ola@lofoten.example", "+4790000007"].map {
            try #require(Contact($0))
        }
        let bindings = purposes.flatMap { purpose in
            contacts.flatMap { contact in flows.indices.map { Binding(purpose: purpose, contact: contact, flow: $0) } }
        }
        #expect(flows.count == 2 && bindings.count == 30)
        for sent in bindings {
            for tried in bindings {
                let isGood = try provider.database.transaction { connection in
                    for flow in flows {
                        try connection.run("DELETE FROM code WHERE flow = ?", .text(flow.id))
                    }
                    // The other flow has a code for something else.
                    let decoy = flows[1 - sent.flow]
                    _ = try provider.sendCode(.signIn, to: contacts[2], decoy, exchange, &connection)
                    _ = try provider.sendCode(sent.purpose, to: sent.contact, flows[sent.flow], exchange, &connection)
                    try connection.run("DELETE FROM code_sent")
                    try connection.run("DELETE FROM throttle")
                    return try provider.redeem(
                        "77777777", tried.purpose, of: tried.contact, flows[tried.flow], exchange, &connection)
                }
                let isDecoy = tried == Binding(purpose: .signIn, contact: contacts[2], flow: 1 - sent.flow)
                #expect(isGood == (sent == tried || isDecoy), "\(sent) \(tried)")
            }
        }
    }

    @Test("Rule 11: what is kept of a code is nothing without the key")
    func keptCodeNeedsTheKey() {
        let vault = Vault(key: [UInt8](repeating: 1, count: Vault.keyLength))
        let other = Vault(key: [UInt8](repeating: 2, count: Vault.keyLength))
        let kept = vault.mac(.code, "flow", "signUp", "mira@lofoten.example", "12345678")
        #expect(kept.count == 32)
        #expect(kept == vault.mac(.code, "flow", "signUp", "mira@lofoten.example", "12345678"))
        #expect(kept != other.mac(.code, "flow", "signUp", "mira@lofoten.example", "12345678"))
        #expect(kept != vault.mac(.code, "flowsignUp", "", "mira@lofoten.example", "12345678"))
        #expect(kept != Digest.sha256("12345678".utf8))
    }

    private static let isSoak = ProcessInfo.processInfo.environment["NATIVEAUTH_SOAK"] != nil

    @Test("Rule 12: a comparison takes the same time wherever the difference is", .enabled(if: isSoak))
    func comparisonTakesTheSameTime() {
        let tag = RandomSource.system.bytes(32)
        var early = tag
        early[0] ^= 1
        var late = tag
        late[31] ^= 1
        let clock = ContinuousClock()
        func time(_ other: [UInt8]) -> Double {
            let start = clock.now
            for _ in 0..<20 { _ = Digest.equal(tag, other) }
            return Double((clock.now - start).components.attoseconds) / 1e9
        }
        var samples: ([Double], [Double]) = ([], [])
        for _ in 0..<50_000 {
            samples.0.append(time(early))
            samples.1.append(time(late))
        }
        // What the machine did meanwhile is in the slowest tenth.
        #expect(abs(Statistics.t(samples.0.fastest, samples.1.fastest)) < 4.5)
    }
}

extension [Double] {
    fileprivate var fastest: [Double] { Array(sorted().prefix(count * 9 / 10)) }
}
