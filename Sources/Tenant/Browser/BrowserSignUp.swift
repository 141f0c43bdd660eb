// SPDX-License-Identifier: Apache-2.0

import Wire

/// The steps that only a sign-up or a reset has: a new password, and attributes.
extension BrowserTurn {
    func continued(_ call: SignUp.Continue, _ flow: InnerFlow) throws -> BrowserOutcome {
        let answer = try self.call { try provider.signUpContinue(call, $0) }
        guard case .goesOn(let reply) = answer, let token = reply.continuationToken else {
            return try followed(answer, flow.username)
        }
        return try finished(token, flow)
    }

    func newPassword(_ purpose: BrowserPurpose, _ flow: InnerFlow) throws -> BrowserOutcome {
        let password = form.value("password") ?? ""
        guard password == form["again"], !password.isEmpty else { return .show(draft.step, .noMatch) }
        guard purpose == .reset else {
            return try continued(
                SignUp.Continue(
                    clientId: app, continuationToken: token(flow), grantType: .password, password: password), flow)
        }
        let answer = try call { exchange in
            try provider.resetSubmit(
                ResetPassword.Submit(clientId: app, continuationToken: token(flow), newPassword: password), exchange)
        }
        guard case .goesOn(let reply) = answer, let token = reply.continuationToken else { return problem(answer) }
        return try awaited(token, flow)
    }

    /// The new password is there already, however often a client is told to look again.
    private func awaited(_ token: String, _ flow: InnerFlow) throws -> BrowserOutcome {
        for _ in 0...max(0, provider.settings.pollsInProgress) {
            let answer = try call { exchange in
                try provider.resetPoll(ResetPassword.Poll(clientId: app, continuationToken: token), exchange)
            }
            guard case .goesOn(let reply) = answer else { return problem(answer) }
            if reply.status == .succeeded, let token = reply.continuationToken { return try finished(token, flow) }
            guard reply.status == .inProgress else { return .over(.failed) }
        }
        return .over(.failed)
    }

    /// What was typed for an attribute, or ticked: several are joined by commas.
    static func attribute(_ name: String, in fields: [String: String]) -> String? {
        if let text = fields[name], !text.isEmpty { return text }
        let chosen = fields.filter { $0.key.hasPrefix("\(name)-") }.map(\.value).sorted()
        return chosen.isEmpty ? nil : chosen.joined(separator: ",")
    }

    func attributes(_ asked: [RequiredAttribute], _ flow: InnerFlow) throws -> BrowserOutcome {
        var values: [String: JSONValue] = [:]
        for (number, attribute) in asked.enumerated() {
            // A box that is not ticked is not sent.
            let typed = Self.attribute("attribute-\(number)", in: form.fields)
            let value = typed ?? (attribute.type == "boolean" ? "false" : nil)
            values[attribute.name] = value.map(JSONValue.string)
        }
        // Browsers see to most of it; but of several boxes none can be demanded.
        let missing = asked.filter { $0.required && values[$0.name] == nil }.map(\.name)
        guard missing.isEmpty else { return .show(draft.step, .missing(missing)) }
        return try continued(
            SignUp.Continue(
                clientId: app, continuationToken: token(flow), grantType: .attributes, attributes: Attributes(values)),
            flow)
    }
}
