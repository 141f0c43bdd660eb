// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import Glibc
import NativeAuth
import Tenant

/// Sentences for people: the only place where an error of the SDK becomes one.
extension CommandFailure {
    init(_ error: AuthError) {
        let status = ExitStatus(error.reason)
        switch error.reason {
        case .storage(let problem):
            self.init(problem)
        case .network(.unavailable):
            // The local tenant has no network between: what it failed of has a number of its own.
            let code = error.transportCode.flatMap { Int32(exactly: $0) }.flatMap(ExitStatus.init)
            self.init(code ?? status, error.sentence, hint: error.hint)
        default:
            self.init(status, error.sentence, hint: error.hint)
        }
    }

    private init(_ problem: StorageProblem) {
        switch problem {
        case .corrupt(let path):
            self.init(.invalidData, "\(path.printable) is no token cache.", hint: "Sign in again: 'nativeauth signin'.")
        case .newerSchema:
            self.init(.invalidData, "A newer version of this program wrote the token cache.", hint: "Use that version.")
        case .insecure(let path, let why):
            self.init(
                .configuration, "\(path.printable) is not safe for tokens: \(why).",
                hint: "Correct that, or choose another folder with NATIVEAUTH_CONFIG_DIR.")
        case .failed(let operation, let path, let code):
            let creates = [EROFS, EACCES, ENOTDIR, ENOENT].contains(code)
            self.init(
                creates ? .cannotCreate : .outputFailed,
                "Cannot \(operation) \(path.printable): \(String(cString: strerror(code))).",
                hint: creates
                    ? "Choose another folder with NATIVEAUTH_CONFIG_DIR."
                    : "The account and its tokens are as they were.")
        case .busy(let path):
            self.init(
                .tryAgain, "Another process holds the lock of \(path.printable).", hint: "Try again when it has ended.")
        case .keyring(let keyring, let problem):
            self.init(keyring, problem)
        case .keyMissing(let path, let keyring):
            self.init(keyMissing: keyring, path)
        case .keyChanged(let path, let keyring):
            self.init(
                .invalidData,
                "\(path.printable) was encrypted with another key than the one that \(keyring.words) has for it.",
                hint: "Restore that key, or sign in again: 'nativeauth signin'.")
        }
    }

    /// What a failure of the tenant in this process means.
    init(tenant error: any Error) {
        switch error {
        case TenantAccess.Refused.busy:
            self.init(.tryAgain, "Another process has the local tenant open and does not let go.")
        case TenantAccess.Refused.problem(.file(let error)):
            self.init(.cannotCreate, error.sentence)
        case TenantAccess.Refused.problem(.database(let error, let path)):
            self.init(.outputFailed, "The local tenant's database \(path) cannot be used: \(error.message).")
        case TenantAccess.Refused.problem(.keyMissing(let path)):
            self.init(
                .invalidData, "The local tenant's key \(path) is missing, and its database cannot be read without it.")
        case TenantAccess.Refused.problem(.keyDamaged(let path)):
            self.init(.invalidData, "The local tenant's key \(path) is damaged.")
        case TenantAccess.Refused.problem(.openToOthers(let path)):
            self.init(
                .configuration, "Other users of this machine have access to \(path).",
                hint: "Take it away: chmod go= \(path)")
        case TenantAccess.Refused.problem(.newer(let path)):
            self.init(.invalidData, "A newer version of this program wrote \(path).")
        case TenantAccess.Refused.problem(.damaged(let path)):
            self.init(.invalidData, "The local tenant's database \(path) is damaged.")
        default:
            self.init(.internalError, "The local tenant failed: \(error).")
        }
    }
}

extension AuthError {
    /// What happened, in one or two sentences.
    var sentence: String {
        switch reason {
        case .browserRequired: "This can only go on in a browser\(because)."
        case .invalidUsername: "That is no mail address that the tenant takes."
        case .userAlreadyExists: "An account with this address exists already."
        case .userNotFound: "No account has this address."
        case .invalidCredentials: "The password is wrong."
        case .invalidPassword(let problem): problem.sentence(words)
        case .invalidCode: "The code is wrong, or no longer valid."
        case .invalidAttributes(let names):
            "The tenant does not accept the value of \(names.map(\.printable).joined(separator: " and "))."
        case .flowExpired: "That took too long, and the tenant has closed the conversation."
        case .tooManyCodes: "The tenant sends no more codes to this address for now. The last one stays valid."
        case .accountLocked: "The account is locked for a while, after too many wrong passwords."
        case .passwordChangeRequired: "The password has to be changed before it can be used."
        case .userHasNoPassword: "The account has no password that could be reset."
        case .resetFailed: "The password was not reset\(because)."
        case .invalidContact: "That is no mail address or telephone number that the tenant takes."
        case .methodBlocked: "The tenant does not send codes that way\(because)."
        case .multiFactorRequired: "The session can only go on with a second factor."
        case .accountDisabled: "The account is disabled."
        case .consentRequired: "The tenant's owner has to consent to that first\(because)."
        case .scopesDeclined(let granted):
            "The tenant granted less than was asked for: \(granted.isEmpty ? "nothing" : granted.map(\.printable).joined(separator: " "))."
        case .signInRequired: error == nil ? "Nobody is signed in." : "The session has ended\(because)."
        case .invalidScope: "A scope is not known to the tenant, or belongs to another resource\(because)."
        case .clientRejected: "The tenant does not accept this app\(because)."
        case .rateLimited: "The tenant asks to slow down."
        case .serverUnavailable(let status):
            words.isEmpty ? "The tenant is not available: it answered HTTP \(status), twice." : words
        case .network(let problem): problem.sentence(message?.printable ?? "")
        case .unexpectedAnswer(let what): "The server does not speak the protocol: \(what.words)."
        case .untrustedIDToken(let problem): problem.sentence
        case .storage: "The token cache failed."
        case .cancelled: "Cancelled."
        case .refused: "The tenant refused\(because)."
        }
    }

    /// What to do next.
    var hint: String? {
        switch reason {
        case .browserRequired: "Sign in there: 'nativeauth signin --browser'."
        case .userAlreadyExists: "Sign in instead: 'nativeauth signin'."
        case .userNotFound: "Sign up first: 'nativeauth signup'."
        case .signInRequired: "Sign in with 'nativeauth signin'."
        case .multiFactorRequired: "Sign in again: 'nativeauth signin'."
        case .userHasNoPassword: "Sign in with a code: 'nativeauth signin'."
        case .invalidContact: "Write a number with its country code, as in +4790000007."
        case .methodBlocked: "Choose another way, or another contact."
        case .resetFailed: "Start again."
        case .flowExpired: "Start again."
        case .passwordChangeRequired: "Choose a new one: 'nativeauth reset-password'."
        case .accountLocked: "Wait a minute, or choose a new password: 'nativeauth reset-password'."
        case .invalidCode, .invalidCredentials, .invalidPassword, .invalidAttributes: "Try again with another value."
        case .rateLimited(let seconds?): "Try again in \(seconds) seconds."
        case .serverUnavailable, .rateLimited, .tooManyCodes: "Try again later."
        case .network(.untrusted):
            "Name the right certificate authorities with --ca-file; there is no way around the check."
        case .network(.unknownHost), .network(.noConnection): "Check the address, with --authority, and the network."
        case .untrustedIDToken(.clock): "Set this machine's clock."
        case .clientRejected: "Check --client-id, and that native authentication is switched on for the app."
        default: explanationHint
        }
    }

    /// Where to read about a refusal that there is no better hint for.
    private var explanationHint: String? {
        let number = codes.first.map { String($0) }
        let known = [number, suberror, error].compactMap { $0 }.first { Explanation.find($0) != nil }
        return known.map { "What it means: 'nativeauth explain \($0)'." }
    }

    private var because: String {
        words.isEmpty ? "" : ": " + (words.hasSuffix(".") ? String(words.dropLast()) : words)
    }

    /// The server's words without its number and what it adds for its own log.
    private var words: String {
        var text = (message ?? "").printable[...]
        if let match = text.prefixMatch(of: #/AADSTS\d+: */#) { text = text[match.range.upperBound...] }
        if let tail = text.firstRange(of: " Trace ID:") { text = text[..<tail.lowerBound] }
        return String(text)
    }
}

extension ExitStatus {
    init(_ reason: AuthError.Reason) {
        switch reason {
        case .signInRequired, .multiFactorRequired: self = .signInNeeded
        case .network(.unknownHost): self = .unknownHost
        case .network(.tooLarge): self = .brokenProtocol
        case .network, .serverUnavailable: self = .unavailable
        case .rateLimited, .tooManyCodes, .accountLocked: self = .tryAgain
        case .unexpectedAnswer, .untrustedIDToken: self = .brokenProtocol
        case .clientRejected: self = .configuration
        case .cancelled: self = .failed
        default: self = .refused
        }
    }
}
