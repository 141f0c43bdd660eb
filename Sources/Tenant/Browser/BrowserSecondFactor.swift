// SPDX-License-Identifier: Apache-2.0

import Wire

/// The second factor: which one, and the contact that becomes one.
extension BrowserTurn {
    func method(_ methods: [Methods.Method], _ flow: InnerFlow) throws -> BrowserOutcome {
        guard let id = form.value("method"), methods.contains(where: { $0.id == id }) else {
            return .show(draft.step, .noChoice)
        }
        return try sendSecond(id, of: methods, token(flow), flow.username)
    }

    func sendSecond(
        _ id: String, of methods: [Methods.Method], _ token: String, _ name: String
    ) throws -> BrowserOutcome {
        let answer = try call { exchange in
            try provider.signInChallenge(
                SignIn.Challenge(clientId: app, continuationToken: token, id: id), exchange)
        }
        let outcome = waiting(answer, .second, name)
        // The first factor is used up, so that its page is of no use any more.
        guard case .show(_, let problem?) = outcome else { return outcome }
        return .show(.method(methods, keep(token, name)), problem)
    }

    func contact(_ methods: [Methods.Method], _ flow: InnerFlow) throws -> BrowserOutcome {
        let contact = (form.value("contact") ?? "").trimmingBlanks
        guard !contact.isEmpty else { return .show(draft.step, .noAddress) }
        let channel: Channel = contact.contains("@") ? .email : .sms
        guard let method = methods.first(where: { $0.challengeChannel == channel }) else {
            return .show(draft.step, .refused(.channelOff))
        }
        let answer = try call { exchange in
            try provider.registerChallenge(
                Register.Challenge(
                    clientId: app, continuationToken: token(flow), challengeType: .oob, challengeTarget: contact,
                    challengeChannel: channel), exchange)
        }
        if case .goesOn(let reply) = answer, reply.challengeType == .preverified, let token = reply.continuationToken {
            return try registered(
                Register.Continue(clientId: app, continuationToken: token, grantType: .continuationToken), flow)
        }
        return waiting(answer, .registration(method, contact: contact), flow.username)
    }

    func registered(_ call: Register.Continue, _ flow: InnerFlow) throws -> BrowserOutcome {
        let answer = try self.call { try provider.registerContinue(call, $0) }
        guard case .goesOn(let reply) = answer, let token = reply.continuationToken else { return problem(answer) }
        return try finished(token, flow)
    }
}
