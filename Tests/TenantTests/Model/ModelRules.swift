// SPDX-License-Identifier: Apache-2.0

import TenantTesting

/// What holds when a call comes in, and what an answer changes.
extension ModelWorld {
    static let secondMail = "ida@bergen.example"
    static let phone = "+4790000007"
    static let weakPassword = "aaaaaaaaaa"
    static let country = "%7B%22country%22%3A%22Norway%22%7D"
    static let city = "%7B%22city%22%3A%22Bod%C3%B8%22%7D"
    static let long = "%7B%22city%22%3A%22" + String(repeating: "x", count: 129) + "%22%7D"

    /// How the tenant hints at contacts to their owners.
    static let hints = [
        "ada@lofoten.example": "a***a@lo*****.example", "bo@lofoten.example": "b***o@lo*****.example",
        "cai@lofoten.example": "c***i@lo*****.example", secondMail: "i***a@be****.example", phone: "+47*******7",
    ]

    func facts(_ call: ModelCall, _ flow: ModelFlow) -> Set<Fact> {
        var facts = standing(call, flow).union(claim(call, flow))
        if flow.generation != accounts[flow.address]?.generation { facts.insert(.outdated) }
        if let target = target(call, flow), recentSends(target) >= 5 { facts.insert(.limited) }
        return facts
    }

    /// What is true of the flow and its account, whatever the call says.
    private func standing(_ call: ModelCall, _ flow: ModelFlow) -> Set<Fact> {
        let account = accounts[flow.address]
        let byPassword = flow.byPassword || call.act == .tokenPassword
        let facts: [Fact: Bool] = [
            .taken: account != nil, .hasPassword: account?.password != nil,
            .lacksPassword: flow.app != Self.codeApp && flow.password == nil,
            .lacksAttributes: !flow.hasAttributes && !(call.act == .signUpAttributes && call.value == Self.country),
            .weak: flow.app == strongApp && byPassword && !flow.hasTwoFactors,
            .registered: account?.methods.isEmpty == false, .canProveMore: flow.canProveMore,
            .canRegister: flow.canRegister, .firstLook: flow.looks == 0,
            .locked: (account?.lockedUntil ?? 0) > now,
        ]
        return Set(facts.filter(\.value).keys)
    }

    /// What is true of the value that the call brings.
    private func claim(_ call: ModelCall, _ flow: ModelFlow) -> Set<Fact> {
        let account = accounts[flow.address]
        switch call.act {
        case .signUpCode, .tokenCode, .tokenSecondCode, .registerCode, .resetCode:
            let isRight = flow.code.map { $0.isOpen(at: now) && $0.text == call.value } ?? false
            return isRight ? [] : [.wrong]
        case .tokenPassword: return call.value == account?.password ? [] : [.wrong]
        case .tokenContinuation: return call.value == flow.address ? [] : [.wrong]
        case .signUpPassword: return call.value == Self.weakPassword ? [.invalid] : []
        case .resetSubmit:
            if call.value == Self.weakPassword { return [.invalid] }
            return call.value == account?.password ? [.unchanged] : []
        case .signUpAttributes: return call.value == Self.long ? [.invalid] : []
        case .registerChallenge:
            if Self.hints[call.value] == nil { return [.invalid] }
            return call.value == flow.provenMail ? [.proven] : []
        case .signInChallenge where [.factorDue, .factorSent].contains(flow.place):
            if call.value.isEmpty { return method(call, flow) == nil ? [.unnamed] : [] }
            return method(call, flow) == nil ? [.wrong] : []
        default: return []
        }
    }

    /// The method that a second factor's challenge means: the one that is named, the one before, or the only one.
    private func method(_ call: ModelCall, _ flow: ModelFlow) -> String? {
        let account = accounts[flow.address]
        if !call.value.isEmpty { return account?.ids.first { $0.value == call.value }?.key }
        if flow.place == .factorSent { return flow.contact }
        return account?.methods.count == 1 ? account?.methods.first : nil
    }

    /// Where a call's code would go.
    func target(_ call: ModelCall, _ flow: ModelFlow) -> String? {
        switch call.act {
        case .signUpChallenge: return flow.address
        case .signInChallenge:
            return [.factorDue, .factorSent].contains(flow.place) ? method(call, flow) : flow.address
        case .registerChallenge: return call.value
        case .resetChallenge:
            // A second mailbox, if the account has one: who has the first alone does not get in.
            let second = accounts[flow.address]?.methods.first { $0.contains("@") && $0 != flow.address }
            return second ?? flow.address
        default: return nil
        }
    }
}

// MARK: - What an answer changes

extension ModelWorld {
    func apply(_ call: ModelCall, _ edge: Edge, _ target: String?, _ flow: inout ModelFlow) {
        if let target { flow.contact = target }
        switch (call.act, edge.outcome) {
        case (_, .wrongCode):
            if flow.code?.isOpen(at: now) == true { flow.code?.count(call) }
        case (_, .wrongPassword):
            accounts[flow.address]?.fail(call.value, at: now, threshold: Self.lockThreshold)
        case (.signUpCode, _), (.tokenCode, _), (.tokenSecondCode, _): flow.code = nil
        case (.resetCode, _):
            flow.code = nil
            flow.provenMail = flow.contact
        case (.signUpPassword, .attributesRequired), (.signUpPassword, .ok): flow.password = call.value
        case (.signUpAttributes, _) where edge.outcome.goesOn && call.value == Self.country: flow.hasAttributes = true
        case (.tokenPassword, _) where edge.outcome != .locked:
            accounts[flow.address]?.forgive()
            flow.byPassword = true
            flow.generation = accounts[flow.address]?.generation ?? 0
        case (.resetSubmit, .submitted): replacePassword(of: flow.address, call.value, &flow)
        case (.resetPoll, .inProgress): flow.looks += 1
        case (.registerChallenge, .preverified): flow.contact = call.value
        case (.registerCode, .ok), (.registerProven, .ok): register(&flow)
        default: break
        }
        if edge.next == .redeemable, edge.place.rawValue.hasPrefix("signUp") { makeAccount(&flow) }
    }

    private func makeAccount(_ flow: inout ModelFlow) {
        accounts[flow.address] = ModelAccount(password: flow.app == Self.codeApp ? nil : flow.password)
        flow.byPassword = flow.app != Self.codeApp
        flow.provenMail = flow.address
    }

    private func replacePassword(of address: String, _ password: String, _ flow: inout ModelFlow) {
        accounts[address]?.password = password
        accounts[address]?.generation += 1
        accounts[address]?.forgive()
        for index in families.indices where families[index].address == address { families[index].isRevoked = true }
        flow.byPassword = true
        flow.generation += 1
        flow.looks = 0
    }

    private func register(_ flow: inout ModelFlow) {
        flow.code = nil
        flow.hasTwoFactors = true
        if let contact = flow.contact, accounts[flow.address]?.methods.contains(contact) == false {
            accounts[flow.address]?.methods.append(contact)
        }
    }

    /// What an answer tells: the ids of methods, and refresh tokens.
    func learn(_ call: ModelCall, _ answer: RawAnswer, _ outcome: Outcome, _ flow: ModelFlow) throws {
        if outcome == .tokens {
            let life = flow.byPassword ? 90 * 86400 : 86400
            families.append(
                ModelFamily(
                    app: flow.app, address: flow.address, life: life, tokens: [answer.refreshToken],
                    expires: now + life))
        }
        guard outcome == .methods, call.act == .introspect else { return }
        let methods = accounts[flow.address]?.methods ?? []
        let hints = answer.methods("login_hint")
        try demand(Set(hints) == Set(methods.compactMap { Self.hints[$0] }), "introspect: \(hints), not \(methods)")
        for (id, hint) in zip(answer.methodIDs, hints) {
            guard let contact = methods.first(where: { Self.hints[$0] == hint }) else { continue }
            let known = accounts[flow.address]?.ids.updateValue(id, forKey: contact)
            try demand(known == nil || known == id, "introspect: the id of \(contact) has changed")
        }
    }
}
