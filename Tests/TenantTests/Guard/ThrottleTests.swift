// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Testing
import Wire

@testable import Tenant

private let mira = "mira@lofoten.example"

/// What is counted, of whom, and for how long.
struct ThrottleTests {
    private let remote = "203.0.113.7"

    private func scene(_ change: (inout Settings) -> Void = { _ in }) throws -> Scene {
        Scene(try TestTenant(change))
    }

    private func expectThrottled(
        _ answer: RawAnswer, within seconds: Int, _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.status == 429 && answer.json == .object([:]), "\(answer)", sourceLocation: location)
        let wait = answer.headers["retry-after"].flatMap(Int.init) ?? 0
        #expect((1...seconds).contains(wait), "\(wait)", sourceLocation: location)
    }

    // MARK: - Codes

    @Test("Rule 6: guesses count for the account, however many flows they are spread over")
    func guessesCountAcrossFlows() throws {
        let scene = try scene {
            $0.wrongCodesPerAccount = 20
            $0.codesPerAddress = 100
        }
        try scene.codeAccount(mira)
        for number in 1...50 {
            scene.tenant.clock.advance(by: 1)
            let token = try scene.challenged(mira, app: Scene.codeApp).token
            let guess = try scene.wrongCode(mira)
            let answer = try scene.token("grant_type=oob&continuation_token=\(token)&oob=\(guess)", app: Scene.codeApp)
            if number <= 20 {
                #expect(answer.suberror == "invalid_oob_value")
            } else {
                expectThrottled(answer, within: 3600)
            }
        }
        scene.tenant.clock.advance(by: 3600)
        let token = try scene.challenged(mira, app: Scene.codeApp).token
        let proof = "grant_type=oob&continuation_token=\(token)&oob=\(try scene.code(mira))"
        #expect(try scene.token(proof, app: Scene.codeApp).status == 200)
    }

    @Test("Rule 6: guesses count for the network, whatever the names are")
    func guessesCountForTheNetwork() throws {
        let scene = try scene { $0.failuresPerNetwork = 5 }
        for number in 1...6 {
            let address = "person\(number)@lofoten.example"
            let sent = try scene.codeSent(address)
            // Each from another address of the same network.
            let guesser = Scene(scene.tenant, by: scene.caller.from("203.0.113.\(number)"))
            let answer = try guesser.proceed(sent.token, "grant_type=oob&oob=\(try scene.wrongCode(address))")
            if number <= 5 {
                #expect(answer.suberror == "invalid_oob_value")
            } else {
                expectThrottled(answer, within: 3600)
            }
        }
        let neighbour = Scene(scene.tenant, by: scene.caller.from("203.0.114.1"))
        let sent = try neighbour.codeSent(mira)
        let guess = "grant_type=oob&oob=\(try scene.wrongCode(mira))"
        #expect(try neighbour.proceed(sent.token, guess).suberror == "invalid_oob_value")
    }

    @Test("Rule 8: a hundred calls for a code send five")
    func resendsHaveALimit() throws {
        let scene = try scene { $0.adopt(.strict) }
        var answer = try scene.codeSent(mira)
        for _ in 1...100 {
            scene.tenant.clock.advance(by: 61)
            let next = try scene.signUpChallenge(answer.token)
            if next.status == 200 { answer = next }
            if next.error == "expired_token" { answer = try scene.start(mira) }
        }
        // 100 minutes are one hour and two thirds: two windows.
        #expect(try scene.tenant.mails(to: mira) <= 10)
        #expect(try scene.tenant.mails(to: mira) >= 5)
    }

    @Test("Rule 8: a network and the tenant send so many codes in an hour")
    func codesHaveABudget() throws {
        let scene = try scene {
            $0.codesPerNetwork = 3
            $0.codesPerHour = 5
        }
        func send(_ number: Int, from address: String) throws -> RawAnswer {
            try Scene(scene.tenant, by: scene.caller.from(address)).codeSent("person\(number)@lofoten.example")
        }
        for number in 1...3 { #expect(try send(number, from: remote).status == 200) }
        expectThrottled(try send(4, from: remote), within: 3600)
        for number in 5...6 { #expect(try send(number, from: "198.51.100.1").status == 200) }
        expectThrottled(try send(7, from: "192.0.2.1"), within: 3600)
        scene.tenant.clock.advance(by: 3600)
        #expect(try send(8, from: remote).status == 200)
    }

    // MARK: - Calls and names

    @Test("Rule 24: a flow has thirty calls a minute")
    func callsOfAFlowHaveALimit() throws {
        let scene = try scene { $0.callsPerFlow = 30 }
        let sent = try scene.codeSent(mira)
        // One call has been made. The same request again counts, too.
        for _ in 2...30 {
            #expect(try scene.proceed(sent.token, "grant_type=oob&oob=12").suberror == "invalid_oob_value")
        }
        expectThrottled(try scene.proceed(sent.token, "grant_type=oob&oob=\(try scene.code(mira))"), within: 60)
        #expect(try scene.codeSent("ola@lofoten.example").status == 200)
        scene.tenant.clock.advance(by: 60)
        let right = try scene.proceed(sent.token, "grant_type=oob&oob=\(try scene.code(mira))")
        #expect(right.error == "credential_required")
    }

    @Test("Rule 28: a network asks for twenty names a minute")
    func namesHaveALimit() throws {
        let tenant = try TestTenant()
        let probing = Scene(tenant, by: tenant.caller.from(remote))
        for number in 1...20 {
            #expect(try probing.initiate("person\(number)@lofoten.example").error == "user_not_found")
        }
        // The same names again are no new ones.
        #expect(try probing.initiate("Person20@Lofoten.Example").error == "user_not_found")
        expectThrottled(try probing.initiate("person21@lofoten.example"), within: 60)
        expectThrottled(try probing.resetStart("person22@lofoten.example"), within: 60)
        expectThrottled(try probing.start("person23@lofoten.example"), within: 60)
        tenant.clock.advance(by: 60)
        #expect(try probing.start("person23@lofoten.example").status == 200)
        // This machine has no such limit.
        let local = Scene(tenant)
        for number in 1...30 { #expect(try local.initiate("person\(number)@lofoten.example").status == 400) }
    }

    @Test("Rule 32: a limit is reached at the same count, whether there is an account or not")
    func limitsTellNothing() throws {
        let scene = try scene {
            $0.adopt(.strict)
            $0.limitLoopback = false
            $0.resendWait = 0
        }
        try Accounts.code(mira, scene)
        scene.tenant.clock.advance(by: 7200)
        let counts = try [mira, "nobody@lofoten.example"].map { address in
            var statuses: [Int] = []
            var sent = try scene.challenged(address, app: Scene.codeApp)
            for number in 1...30 {
                if number % 5 == 0 { sent = try scene.challenged(address, app: Scene.codeApp) }
                statuses.append(sent.status)
                let proof = "grant_type=oob&continuation_token=\(sent.token)&oob=1234567\(number % 10)&n=\(number)"
                statuses.append(try scene.token(proof, app: Scene.codeApp).status)
            }
            return statuses
        }
        #expect(counts[0] == counts[1])
        #expect(counts[0].contains(429) && counts[0].contains(400))
    }

    // MARK: - Whose address counts

    @Test("Rule 40: what a client says of its address is not believed")
    func spoofedAddressIsNotBelieved() throws {
        let scene = try scene { $0.namesPerNetwork = 2 }
        let probing = scene.caller.from(remote)
        let statuses = try (1...3).map { number in
            try probing.post(
                "/oauth2/v2.0/initiate",
                "client_id=\(Scene.passwordApp)&username=person\(number)%40lofoten.example&challenge_type=oob+redirect",
                ["x-forwarded-for": "198.51.\(number).1"]
            ).status
        }
        #expect(statuses == [400, 400, 429])
    }

    @Test(
        "Rule 40: a trusted proxy is believed, as far as it has seen",
        arguments: [
            ("10.0.0.5", "198.51.100.1", "198.51.100.1"),
            ("10.0.0.5", "192.0.2.1, 198.51.100.1", "198.51.100.1"),
            ("10.0.0.5", "192.0.2.1,198.51.100.1, 10.0.0.9", "198.51.100.1"),
            ("::ffff:10.0.0.5", "198.51.100.1", "198.51.100.1"),
            ("10.0.0.5", "nonsense", "10.0.0.5"),
            ("10.0.0.5", "", "10.0.0.5"),
            ("10.0.0.5", "192.0.2.1, nonsense", "10.0.0.5"),
            ("10.1.0.5", "198.51.100.1", "10.1.0.5"),
            ("2001:db8::1", "2001:db8:1::7", "2001:db8:1::7"),
            ("2001:db8::2", "2001:db8:1::7", "2001:db8::2"),
            ("fe80::1%eth0", "198.51.100.1", "fe80::1"),
        ])
    func trustedProxyIsBelieved(_ socket: String, _ header: String, _ client: String) throws {
        let request = Request(method: "POST", path: "/", headers: ["x-forwarded-for": header], address: socket)
        let proxies = ["10.0.0.0/16", "2001:db8::1"].compactMap(NetworkBlock.init)
        #expect(proxies.count == 2)
        #expect(request.client(behind: proxies)?.plain == NetworkAddress(client)?.plain)
    }

    @Test("Rule 6: a network is 256 addresses, or a subnet of IPv6")
    func networksAreBlocks() throws {
        func key(_ text: String) throws -> String { NetworkBlock(around: try #require(NetworkAddress(text))).key }
        #expect(try key("203.0.113.7") == key("203.0.113.255"))
        #expect(try key("203.0.113.7") == key("::ffff:203.0.113.9"))
        #expect(try key("203.0.113.7") != key("203.0.112.7"))
        #expect(try key("2001:db8:0:1::1") == key("2001:db8:0:1:ffff::1"))
        #expect(try key("2001:db8:0:1::1") != key("2001:db8:0:2::1"))
    }

    @Test("Rule 40: a machine that takes one address after the other is still one")
    func machinesAreNetworksOfIPv6() throws {
        let limiter = RequestLimiter()
        func admits(_ text: String) throws -> Bool {
            limiter.admits(try #require(NetworkAddress(text)), at: 1, limit: 2)
        }
        #expect(try admits("2001:db8:0:1::1") && admits("2001:db8:0:1::2"))
        #expect(try !admits("2001:db8:0:1:ffff::3"))
        #expect(try admits("2001:db8:0:2::1"))
        #expect(try admits("203.0.113.7") && admits("203.0.113.8"), "these may be two")
        #expect(try admits("::ffff:203.0.113.7") && !admits("203.0.113.7"))
    }

    @Test(arguments: [
        "", "10.0.0.0/33", "10.0.0.0/", "/8", "10.0.0/8", "10.0.0.0/-1", "10.0.0.0/8/8", "host", "::/129",
    ])
    func otherTextIsNoBlock(_ text: String) {
        #expect(NetworkBlock(text) == nil)
    }

    // MARK: - What stays

    @Test("Rule 41: counters survive a restart")
    func countersSurviveARestart() throws {
        let scene = try scene { $0.failuresPerNetwork = 6 }
        let guesser = Scene(scene.tenant, by: scene.caller.from(remote))
        let sent = try guesser.codeSent(mira)
        for number in 0..<3 {
            #expect(
                try guesser.proceed(sent.token, "grant_type=oob&oob=\(try scene.wrongCode(mira, number))").status == 400
            )
        }
        try scene.tenant.restart()
        let other = try guesser.codeSent("ola@lofoten.example")
        for number in 0..<4 {
            let guess = try scene.wrongCode("ola@lofoten.example", number)
            let answer = try guesser.proceed(other.token, "grant_type=oob&oob=\(guess)")
            #expect(answer.status == (number < 3 ? 400 : 429))
        }
    }

    @Test("Rule 41: of events at once each is counted")
    func eventsAtOnceAreAllCounted() async throws {
        let scene = try scene { $0.failuresPerNetwork = 1_000_000 }
        try scene.passwordAccount(mira)
        let guesser = Scene(scene.tenant, by: scene.caller.from(remote))
        let token = try guesser.challenged(mira).token
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<30 { group.addTask { _ = try guesser.submit(password: "wrong-\(number)", token) } }
            try await group.waitForAll()
        }
        let counted = try scene.tenant.provider.database.transaction { connection in
            try connection.rows("SELECT count FROM throttle WHERE kind = 'failures'").first?.integer(0)
        }
        #expect(counted == 30)
    }

    @Test("Rule 32: no name is kept that was only tried")
    func triedNamesAreNotKept() throws {
        let tenant = try TestTenant()
        _ = try Scene(tenant, by: tenant.caller.from(remote)).initiate("nobody@lofoten.example")
        let rows = try tenant.provider.database.transaction { connection in
            try connection.rows("SELECT kind, subject FROM throttle ORDER BY kind")
        }
        #expect(rows.map { $0.text(0) } == ["name", "names"])
        #expect(rows.allSatisfy { $0.blob(1)?.count == 16 })
    }

    @Test("Rule 26: what is over is dropped in small portions", .inFile)
    func garbageIsDroppedInPortions() throws {
        let scene = try scene()
        let database = scene.tenant.provider.database
        try database.transaction { connection in
            let numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
            try connection.run(
                "\(numbers) INSERT INTO flow (id, client_id, state, expires_at) SELECT i, 'c', '{}', 1 FROM n")
            try connection.run("\(numbers) INSERT INTO code_sent (address, sent_at) SELECT i, 1 FROM n")
            try connection.run("\(numbers) INSERT INTO throttle SELECT 'name', CAST(i AS BLOB), 1, 1 FROM n")
        }
        func counts() throws -> [Int64] {
            try database.transaction { connection in
                try ["flow", "code_sent", "throttle"].map { table in
                    try connection.rows("SELECT count(*) FROM \(table)").first?.integer(0) ?? 0
                }
            }
        }
        _ = try scene.start(mira)
        #expect(try counts() == [4981, 4950, 4950])
        for _ in 1...250 { _ = try scene.start(mira) }
        #expect(try counts() == [251, 0, 0])
    }
}
