// SPDX-License-Identifier: Apache-2.0

import Wire

/// Refusals, and the pages that they lead on to.
extension BrowserTurn {
    /// The page that a refusal leads on to, where it carries the flow on.
    func followed(_ answer: InnerAnswer, _ name: String) throws -> BrowserOutcome {
        guard case .refused(let refusal) = answer, let token = refusal.continuationToken else { return problem(answer) }
        if refusal.error == .credentialRequired { return .show(.newPassword(.signUp, keep(token, name)), nil) }
        if refusal.error == .attributesRequired {
            return .show(.attributes(refusal.requiredAttributes ?? [], keep(token, name)), nil)
        }
        switch refusal.suberror {
        case .mfaRequired?:
            let answer = try call { exchange in
                try provider.introspect(SignIn.Introspect(clientId: app, continuationToken: token), exchange)
            }
            guard let (methods, token) = methods(in: answer) else { return problem(answer) }
            if methods.count == 1 { return try sendSecond(methods[0].id, of: methods, token, name) }
            return .show(.method(methods, keep(token, name)), nil)
        case .registrationRequired?:
            let answer = try call { exchange in
                try provider.registerIntrospect(Register.Introspect(clientId: app, continuationToken: token), exchange)
            }
            guard let (methods, token) = methods(in: answer) else { return problem(answer) }
            return .show(.contact(methods, keep(token, name)), nil)
        default:
            return problem(answer)
        }
    }

    private func methods(in answer: InnerAnswer) -> ([Methods.Method], String)? {
        guard case .goesOn(let reply) = answer, let methods = reply.methods, let token = reply.continuationToken else {
            return nil
        }
        return (methods, token)
    }

    /// The same page again, unless its flow is over.
    func problem(_ answer: InnerAnswer) -> BrowserOutcome {
        switch answer {
        case .goesOn: return .over(.elsewhere)
        case .tooOften(let seconds): return .show(draft.step, .tooOften(seconds: seconds))
        case .refused(let refusal):
            let isOver = refusal.error == .expiredToken || refusal.errorCodes?.first == 55200
            return isOver ? .over(.refused(refusal)) : .show(draft.step, .refused(refusal))
        }
    }
}
