// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Synchronization
import TenantTesting
import Wire

@testable import Tenant

/// A tenant, and a model of it that says beforehand what every answer has to be.
final class ModelWorld {
    /// What the tenant did that the model does not allow.
    struct Mismatch: Error, CustomStringConvertible {
        let description: String
    }

    /// The messages that the tenant has sent, in order.
    final class Mailbox: Sendable {
        let messages = Mutex<[CodeMessage]>([])
    }

    static let lockThreshold = 3
    static let codeApp = AppRegistration.codeSampleID
    static let passwordApp = AppRegistration.passwordSampleID

    let scene: Scene
    let mailbox: Mailbox
    /// An app with passwords whose users need a second factor.
    let strongApp: String
    let provider: IdentityProvider

    var flows: [ModelFlow] = []
    /// The flow of every token that there ever was.
    var owners: [String: Int] = [:]
    var accounts: [String: ModelAccount] = [:]
    var families: [ModelFamily] = []
    /// When codes were sent, for each contact.
    var sends: [String: [Int]] = [:]
    /// The lines of the table that were taken.
    var taken: Set<Int> = []
    var trace: [String] = []

    /// - Parameter seed: What the tenant's tokens, ids and codes follow from.
    init(seed: UInt64) throws {
        let tenant = try TestTenant {
            $0.lockThreshold = Self.lockThreshold
            $0.keyRotation = 0  // a new key for each quarter that goes by would take longer than all the rest
        }
        let mailbox = Mailbox()
        // A real hash takes a core for a while, and is not what the model is about.
        provider = tenant.provider.sending(
            hasher: PasswordHasher(cores: 2, cost: PasswordCost(memory: 8, passes: 1)), random: .seeded(seed)
        ) { message in
            mailbox.messages.withLock { $0.append(message) }
        }
        let provider = provider
        scene = Scene(tenant, by: Caller { provider.answer($0) })
        strongApp = try scene.strongApp()
        self.mailbox = mailbox
    }

    var now: Int { Int(scene.tenant.clock.read().timeIntervalSince1970) }
    var mails: Int { mailbox.messages.withLock { $0.count } }

    func demand(_ fact: Bool, _ problem: @autoclosure () -> String) throws {
        if !fact { throw Mismatch(description: problem()) }
    }

    func demand(_ found: Outcome, _ expected: Outcome..., at place: String) throws {
        try demand(expected.contains(found), "\(place): \(found), not \(expected[0])")
    }

    func recentSends(_ contact: String) -> Int {
        sends[contact, default: []].count { $0 > now - 1800 }
    }
}

// MARK: - Calls of a flow

extension ModelWorld {
    /// Sends a call, and checks the answer and what it changed.
    func send(_ call: ModelCall) throws {
        let before = mails
        let answer = try scene.caller.post(call.path, call.body)
        let outcome = Outcome(answer)
        let index = owners[call.token]
        let place = index.map { flows[$0].place.rawValue } ?? "nowhere"
        trace.append("\(now) \(place) \(call.act.rawValue) '\(call.value)' -> \(outcome)")
        let what = "\(place), \(call.act.rawValue)"
        guard let index, flows[index].app == call.app else {
            try demand(outcome, call.deadToken, at: what)
            return try demand(mails == before, "\(what): a message for a dead token")
        }
        if flows[index].token == call.token {
            try check(call, index, answer, outcome, mailsBefore: before)
        } else {
            try checkRepeat(call, flows[index], answer, outcome, what)
            try demand(mails == before, "\(what): a message for an old token")
        }
        try checkRest(what)
    }

    /// An old token is dead, but for the very call that used it, within a minute: that gets the same answer again.
    private func checkRepeat(
        _ call: ModelCall, _ flow: ModelFlow, _ answer: RawAnswer, _ outcome: Outcome, _ what: String
    ) throws {
        guard let former = flow.former, former.call == call, now <= former.until else {
            return try demand(outcome, call.deadToken, at: what + " (old token)")
        }
        try demand(answer.status == former.answer.status, "\(what): another status for the repeated call")
        try demand(answer.body == former.answer.body, "\(what): another answer to the repeated call")
    }

    private func check(
        _ call: ModelCall, _ index: Int, _ answer: RawAnswer, _ outcome: Outcome, mailsBefore: Int
    ) throws {
        var flow = flows[index]
        let what = "\(flow.place.rawValue), \(call.act.rawValue)"
        guard now < flow.expires else {
            // Flows that ended a day ago may be forgotten.
            if now >= flow.expires + 86400 { return try demand(outcome, .expired, call.deadToken, at: what) }
            return try demand(outcome, .expired, at: what)
        }
        let facts = facts(call, flow)
        guard let (line, edge) = ModelTable.edge(at: flow.place, call.act, facts) else {
            try demand(mails == mailsBefore, "\(what): a message without an edge")
            return try demand(outcome, .unusable, at: what)
        }
        try demand(outcome == edge.outcome, "\(what) \(facts): \(outcome), not \(edge.outcome)")
        taken.insert(line)
        let target = outcome == .code ? target(call, flow) : nil
        try checkMail(target, mailsBefore, &flow, what)
        try checkTokens(call, answer, edge, &flow, index, what)
        apply(call, edge, target, &flow)
        flow.place = edge.next
        flows[index] = flow
        try learn(call, answer, outcome, flow)
    }

    /// Exactly one message for an answer that speaks of one, and none for any other.
    private func checkMail(_ target: String?, _ before: Int, _ flow: inout ModelFlow, _ what: String) throws {
        let sent = mailbox.messages.withLock { Array($0[before...]) }
        guard let target else { return try demand(sent.isEmpty, "\(what): \(sent.count) messages, not none") }
        try demand(sent.map(\.to.text) == [target], "\(what): messages to \(sent.map(\.to.text)), not \(target)")
        flow.code = sent.first.map { ModelCode(text: $0.code, expires: now + 600) }
        sends[target, default: []].append(now)
    }

    private func checkTokens(
        _ call: ModelCall, _ answer: RawAnswer, _ edge: Edge, _ flow: inout ModelFlow, _ index: Int,
        _ what: String
    ) throws {
        let goesOn = edge.outcome.goesOn
        try demand(answer.token.isEmpty != goesOn, "\(what): a token where none goes, or none where one goes")
        guard goesOn || edge.next == .over else { return }
        flow.former = ModelFlow.Former(call: call, answer: answer, until: now + 60)
        flow.expires = min(now + 600, flow.opened + 3600)
        flow.token = goesOn ? answer.token : nil
        guard goesOn else { return }
        try demand(owners[answer.token] == nil, "\(what): a token that was there before")
        owners[answer.token] = index
    }

    /// One account for each address, no session and no message that no answer spoke of.
    private func checkRest(_ what: String) throws {
        let cards = try provider.accounts()
        try demand(cards.map(\.username) == accounts.keys.sorted(), "\(what): accounts \(cards.map(\.username))")
        for card in cards {
            let methods = Set(accounts[card.username]?.methods ?? [])
            try demand(Set(card.methods.map(\.text)) == methods, "\(what): methods \(card.methods) of \(card.username)")
        }
        let sessions = try provider.database.transaction { connection in
            try connection.rows("SELECT count(*) FROM session").first?.integer(0)
        }
        try demand(sessions == Int64(families.count), "\(what): \(sessions ?? 0) sessions, not \(families.count)")
        for (contact, times) in sends {
            let count = mailbox.messages.withLock { $0.count { $0.to.text == contact } }
            try demand(count == times.count, "\(what): \(count) messages to \(contact), not \(times.count)")
        }
    }
}

extension RandomSource {
    fileprivate static func seeded(_ seed: UInt64) -> RandomSource {
        let generator = Mutex(SplitMix64(seed: ~seed))
        return RandomSource(
            bytes: { count in
                generator.withLock { generator in (0..<count).map { _ in .random(in: 0 ... .max, using: &generator) } }
            }, below: { bound in generator.withLock { .random(in: 0..<bound, using: &$0) } })
    }
}
