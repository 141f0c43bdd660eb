// SPDX-License-Identifier: Apache-2.0

import Tenant
import TenantTesting

/// Draws calls by chance: mostly such as a client would send, and some that nobody should.
struct ModelPlayer {
    var random: SplitMix64
    let world: ModelWorld
    private var sent: [ModelCall] = []
    private var refreshed: [(secret: String, app: String)] = []

    private static let addresses = ["ada@lofoten.example", "bo@lofoten.example", "cai@lofoten.example"]
    private static let passwords = ["Fjord-Salmon-47", "Midnight-Sun-48"]

    init(seed: UInt64) throws {
        random = SplitMix64(seed: seed)
        world = try ModelWorld(seed: seed)
        if !random.oneIn(3) { try seedAccount() }
    }

    /// An account with two methods, which its owner would need two days to come by.
    private func seedAccount() throws {
        let address = Self.addresses[2]
        try world.signUp(address, app: ModelWorld.passwordApp, password: Self.passwords[0], attributes: true, [])
        try world.send(ModelCall(act: .signUpChallenge, app: ModelWorld.passwordApp, token: world.flows[0].token ?? ""))
        try world.send(
            ModelCall(
                act: .signUpCode, app: ModelWorld.passwordApp, token: world.flows[0].token ?? "",
                value: world.flows[0].code?.text ?? ""))
        for text in [ModelWorld.secondMail, ModelWorld.phone] {
            guard let contact = Contact(text) else { continue }
            _ = try world.provider.addMethod(contact, to: address)
            world.accounts[address]?.methods.append(text)
        }
    }

    mutating func step() throws {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<10: try open()
        case ..<20: if let call = sent.suffix(6).drawn(&random) { try world.send(call) }
        case ..<27: world.scene.tenant.clock.advance(by: [1, 1, 1, 30, 59, 60, 61, 299, 600].drawn(&random) ?? 1)
        case ..<28: world.scene.tenant.clock.advance(by: [1800, 86400, 90 * 86400].drawn(&random) ?? 1)
        case ..<32: try refresh()
        case ..<36: try hurry()
        case ..<40: try guess()
        default: try call()
        }
    }

    private mutating func open() throws {
        // Two flows of one person get in each other's way.
        let former = random.oneIn(2) ? world.flows.last?.address : nil
        let address = former ?? Self.addresses.drawn(&random) ?? ""
        let app = [ModelWorld.passwordApp, ModelWorld.codeApp, world.strongApp, world.strongApp].drawn(&random) ?? ""
        let abilities = ModelWorld.Abilities(rawValue: [0, 1, 2, 3, 3, 3, 3, 3].drawn(&random) ?? 3)
        let isNew = world.accounts[address] == nil
        switch Int.random(in: 0..<10, using: &random) {
        case ..<(isNew ? 8 : 1):
            let password = random.oneIn(3) ? nil : Self.passwords.drawn(&random)
            let attributes = !random.oneIn(3)
            try world.signUp(address, app: app, password: password, attributes: attributes, abilities)
        case ..<(isNew ? 9 : 7): try world.signIn(address, app: app, abilities)
        default: try world.reset(address, app: app, abilities)
        }
    }

    private mutating func refresh() throws {
        if random.oneIn(3), let old = refreshed.suffix(3).drawn(&random) {
            return try world.refresh(old.secret, app: old.app)
        }
        guard let family = world.families.suffix(3).drawn(&random) else { return }
        let secret = random.oneIn(4) ? family.tokens.drawn(&random) ?? "" : family.tokens.last ?? ""
        let app = random.oneIn(15) ? ModelWorld.codeApp : family.app
        refreshed.append((secret, app))
        try world.refresh(secret, app: app)
    }

    private mutating func call() throws {
        guard let index = random.oneIn(2) ? world.flows.indices.suffix(3).drawn(&random) : world.flows.indices.last
        else { return }
        let flow = world.flows[index]
        let fitting = ModelTable.edges.filter { $0.place == flow.place }.map(\.act)
        let act = (random.oneIn(6) ? nil : fitting.drawn(&random)) ?? Act.allCases.drawn(&random) ?? .introspect
        let call = ModelCall(
            act: act, app: random.oneIn(25) ? ModelWorld.codeApp : flow.app, token: token(flow),
            value: value(act, flow))
        sent.append(call)
        try world.send(call)
    }

    /// Asks for one code after the other, as impatient people do, until there are no more.
    private mutating func hurry() throws {
        guard let index = world.flows.indices.suffix(2).drawn(&random) else { return }
        let acts = ModelTable.edges.filter { $0.place == world.flows[index].place && $0.outcome == .tooManyCodes }
        guard let act = acts.first?.act else { return }
        let value = value(act, world.flows[index])
        for _ in 1...6 {
            guard let token = world.flows[index].token else { return }
            try world.send(ModelCall(act: act, app: world.flows[index].app, token: token, value: value))
        }
    }

    /// Four or five wrong codes, some of them sent twice, and then the right one.
    private mutating func guess() throws {
        guard let index = world.flows.indices.suffix(2).drawn(&random), let code = world.flows[index].code?.text,
            let token = world.flows[index].token,
            let act = ModelTable.edges.first(where: {
                $0.place == world.flows[index].place && $0.outcome == .wrongCode
            })?.act
        else { return }
        let app = world.flows[index].app
        for number in 1...(random.oneIn(3) ? 5 : 4) {
            let call = ModelCall(act: act, app: app, token: token, value: Self.code(code, plus: number))
            for _ in 0...(random.oneIn(2) ? 1 : 0) { try world.send(call) }
        }
        try world.send(ModelCall(act: act, app: app, token: token, value: code))
    }

    private mutating func token(_ flow: ModelFlow) -> String {
        if random.oneIn(25) { return "garbage" }
        if let token = flow.token, !random.oneIn(12) { return token }
        return flow.tokens.drawn(&random) ?? "garbage"
    }

    private mutating func value(_ act: Act, _ flow: ModelFlow) -> String {
        let account = world.accounts[flow.address]
        switch act {
        case .signUpCode, .tokenCode, .tokenSecondCode, .registerCode, .resetCode:
            let code = flow.code?.text ?? "12345678"
            return random.oneIn(3) ? other(code) : code
        case .signUpPassword, .resetSubmit: return (Self.passwords + [ModelWorld.weakPassword]).drawn(&random) ?? ""
        case .tokenPassword:
            let wrong = ["wrong-1", "wrong-2", "wrong-3", "wrong-4", "wrong-5"]
            return random.oneIn(3) ? wrong.drawn(&random) ?? "" : account?.password ?? "none"
        case .tokenContinuation: return random.oneIn(6) ? Self.addresses.drawn(&random) ?? "" : flow.address
        case .signUpAttributes:
            return [ModelWorld.country, ModelWorld.country, ModelWorld.city, ModelWorld.long].drawn(&random) ?? ""
        case .registerChallenge:
            return [flow.address, ModelWorld.secondMail, ModelWorld.phone, "nobody"].drawn(&random) ?? ""
        case .signInChallenge:
            let ids = (account?.ids ?? [:]).sorted { $0.key < $1.key }.map(\.value)
            return (ids + ids + ["", "unknown"]).drawn(&random) ?? ""
        default: return ""
        }
    }

    private mutating func other(_ code: String) -> String {
        Self.code(code, plus: Int.random(in: 1...6, using: &random))
    }

    private static func code(_ code: String, plus distance: Int) -> String {
        let number = ((Int(code) ?? 0) + distance) % 100_000_000
        return String(repeating: "0", count: 8 - String(number).count) + String(number)
    }
}
