// SPDX-License-Identifier: Apache-2.0

import Console
import Files
import Glibc
import NativeAuth

extension AuthError.PasswordProblem {
    func sentence(_ words: String) -> String {
        switch self {
        case .empty: "The password is empty."
        case .tooShort: words.isEmpty ? "The password is too short." : words
        case .tooLong: words.isEmpty ? "The password is too long." : words
        case .tooWeak: words.isEmpty ? "The password needs more kinds of characters." : words
        case .banned: "The password is on the tenant's list of banned ones; change the words, not the digits."
        case .recentlyUsed: "The password was used before."
        case .invalidCharacters: words.isEmpty ? "The password has characters that are not allowed." : words
        }
    }
}

extension AuthError.AnswerProblem {
    var words: String {
        switch self {
        case .body(let status): "HTTP \(status) with a body that is not of the protocol"
        case .missing(let member): "\(member) is missing"
        case .challengeType(nil): "it does not say which proof it wants"
        case .challengeType(let type?): "'\(type.printable)' is no proof that is wanted here"
        case .word(let word): "'\(word.printable)' means nothing here"
        case .otherTenant: "the tenant's description names another issuer or another host for its keys"
        case .incompleteTokens: "tokens are missing"
        case .otherAccount: "tokens of another account"
        }
    }
}

extension NetworkProblem {
    func sentence(_ words: String) -> String {
        let detail = words.isEmpty ? "" : " (\(words))"
        return switch self {
        case .unknownHost: "The tenant's host is not known\(detail)."
        case .noConnection: "Nobody answers at the tenant's address\(detail)."
        case .connectionLost: "The connection ended before the answer did\(detail)."
        case .timedOut: "The tenant did not answer in time\(detail)."
        case .untrusted: "The tenant's certificate cannot be trusted\(detail)."
        case .proxy: "The proxy does not cooperate\(detail)."
        case .tooLarge: "The answer is larger than any answer of the protocol."
        case .cancelled: "Cancelled."
        case .unavailable: words.isEmpty ? "Requests cannot be made on this machine." : words
        case .other: "The request failed\(detail)."
        }
    }
}

extension AuthError.IDTokenProblem {
    var sentence: String {
        switch self {
        case .malformed: "The server sent an ID token that is none."
        case .algorithm(let name): "The server sent an ID token signed by '\(name.printable)', which is not accepted."
        case .unknownKey: "The server sent an ID token whose key the tenant does not publish."
        case .signature: "The server sent an ID token with a wrong signature."
        case .issuer: "The server sent an ID token of another issuer."
        case .audience: "The server sent an ID token for another app."
        case .nonce: "The server sent an ID token of another sign-in."
        case .clock(let seconds): "This machine's clock and the tenant's are \(abs(seconds)) seconds or more apart."
        case .missing(let claim): "The server sent an ID token without '\(claim)'."
        }
    }
}

extension Authority.Invalid {
    var sentence: String {
        switch self {
        case .notAURL(let text):
            "'\(text.shownAddress)' is no address of a tenant: it has to be like https://contoso.ciamlogin.com."
        case .insecure(let text): "'\(text.shownAddress)' is not https. Plain http is for this machine only."
        case .noTenant(let text):
            "'\(text.shownAddress)' does not name the tenant: put its id behind the host, as in https://HOST/TENANT."
        }
    }
}

extension FileError {
    var sentence: String {
        "Cannot \(operation) \(path.printable): \(String(cString: strerror(errno)))."
    }
}
