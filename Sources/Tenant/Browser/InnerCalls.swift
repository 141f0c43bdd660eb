// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// What a call of the protocol came to.
enum InnerAnswer {
    case goesOn(InnerReply)
    /// The flow goes on behind a refusal, or stays where it is.
    case refused(Refusal)
    case tooOften(seconds: Int64)
}

/// The members of all 200 answers that the pages look at.
struct InnerReply: Decodable {
    var continuationToken: String?
    var challengeType: ChallengeType?
    var challengeTargetLabel: String?
    var challengeTarget: String?
    var codeLength: Int?
    var methods: [Methods.Method]?
    var status: ResetProgress.Status?
}

/// The pages take the steps of the flows as every client does, by the same calls: there is one set of rules for passwords,
/// codes, attributes and limits.
extension IdentityProvider {
    /// The same tenant, whose flows end in a code for an app instead of tokens.
    var inBrowser: IdentityProvider {
        var provider = self
        provider.isInBrowser = true
        return provider
    }

    /// Takes one step.
    func take(_ exchange: Exchange, _ step: (Exchange) throws -> Answer) throws -> InnerAnswer {
        var exchange = exchange
        exchange.callouts = CalloutAnswers()
        do {
            return try read(step(exchange))
        } catch let refusal as Refusal {
            auditRolledBack(refusal, exchange)
            exchange.noted.refuse(refusal)
            return .refused(refusal)
        } catch let missing as MissingField {
            return .refused(.missing(missing.name))
        } catch let throttled as Throttled {
            return .tooOften(seconds: throttled.seconds)
        } catch is HashQueue.Full {
            return .tooOften(seconds: 1)
        } catch is FlowGate.Full {
            return .tooOften(seconds: 1)
        }
    }

    private func read(_ answer: Answer) throws -> InnerAnswer {
        let body = Data(answer.body)
        guard answer.status == 200 else { return .refused(try WireJSON.decode(Refusal.self, from: body)) }
        return .goesOn(try WireJSON.decode(InnerReply.self, from: body))
    }

    // MARK: - Tokens in the draft

    /// A draft is kept as it is, and continuation tokens are kept by nobody.
    func sealed(_ token: String, _ username: String) -> InnerFlow {
        InnerFlow(token: Base64URL.encode(vault.seal(Array(token.utf8))), username: username)
    }

    func token(of flow: InnerFlow) -> String {
        let bytes = Base64URL.decode(flow.token).flatMap { vault.open(Array($0)) } ?? []
        return String(decoding: bytes, as: UTF8.self)
    }
}
