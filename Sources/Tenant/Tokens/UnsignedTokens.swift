// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// An answer that a transaction has settled.
///
/// Tokens are settled when their claims are: a signature takes longer than everything else of a step, and under the
/// database's lock only one core could make them. It is the same however often it is made (RSASSA-PKCS1-v1_5, RFC 8017,
/// section 8.2), so an answer that can be fetched again is kept without it.
enum SettledAnswer: Sendable {
    case complete(Answer)
    /// The access token and the ID token are without their signatures.
    case unsigned(Tokens)
}

extension IdentityProvider {
    /// The answer that goes out. To be called outside of any transaction.
    func answer(_ settled: SettledAnswer, _ exchange: Exchange) throws -> Answer {
        switch settled {
        case .complete(let answer):
            return answer
        case .unsigned(var tokens):
            tokens.accessToken = try tokens.accessToken.map(sign)
            tokens.idToken = try tokens.idToken.map(sign)
            return try exchange.answer(tokens)
        }
    }

    private func sign(_ text: String) throws -> String {
        guard let header = text.split(separator: ".").first.flatMap({ Base64URL.decode($0) }),
            let kid = JSONValue(json: header)?["kid"]?.string, let signer = keys.signer(named: kid)
        else { throw Signer.CannotSign() }
        return try signer.complete(text)
    }
}
