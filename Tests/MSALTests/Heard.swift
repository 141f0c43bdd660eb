// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL

/// What a delegate was told: by which method, and with what.
struct Heard {
    let method: String
    let told: Told
    var error: MSALNativeAuthError?
    /// The `newState`.
    var state: NSObject?
    var methods: [MSALAuthMethod] = []
    var account: MSALNativeAuthUserAccountResult?
    var tokens: MSALNativeAuthTokenResult?
}

/// The part of it that a table can write down.
enum Told: Equatable, Sendable {
    case error(flags: Set<String>, text: String?, codes: [Int], uri: String?)
    case done(String, [String])

    /// An error in the server's own words.
    static func server(_ flags: String..., codes: Int...) -> Told {
        .error(flags: Set(flags), text: Script.words, codes: codes, uri: Script.uri)
    }

    /// An error in other words.
    static func says(_ text: String, _ flags: String..., codes: Int..., uri: String? = nil) -> Told {
        .error(flags: Set(flags), text: text, codes: codes, uri: uri)
    }

    static let general = says("General error")
    static let badBody = says("Unexpected response body received")
    static let badChallenge = says("Unexpected challenge type")
    static let browser = says(Script.reason, "isBrowserRequired")

    /// The method of a success; nil for an error.
    var method: String? { if case .done(let method, _) = self { method } else { nil } }

    init(_ error: MSALNativeAuthError) {
        self = .error(
            flags: error.flags, text: error.errorDescription, codes: error.errorCodes, uri: error.errorUri)
    }
}

extension MSALNativeAuthError {
    /// The flags that are set, by their names.
    var flags: Set<String> { Set(allFlags.filter(\.value).keys) }

    private var allFlags: [String: Bool] {
        switch self {
        case let error as MSALNativeAuthGenericError: ["isBrowserRequired": error.isBrowserRequired]
        case let error as SignUpStartError:
            [
                "isBrowserRequired": error.isBrowserRequired, "isUserAlreadyExists": error.isUserAlreadyExists,
                "isInvalidPassword": error.isInvalidPassword, "isInvalidUsername": error.isInvalidUsername,
            ]
        case let error as SignInStartError:
            [
                "isBrowserRequired": error.isBrowserRequired, "isUserNotFound": error.isUserNotFound,
                "isInvalidCredentials": error.isInvalidCredentials, "isInvalidUsername": error.isInvalidUsername,
            ]
        case let error as ResetPasswordStartError:
            [
                "isBrowserRequired": error.isBrowserRequired, "isUserNotFound": error.isUserNotFound,
                "isUserDoesNotHavePassword": error.isUserDoesNotHavePassword,
                "isInvalidUsername": error.isInvalidUsername,
            ]
        case let error as VerifyCodeError:
            ["isBrowserRequired": error.isBrowserRequired, "isInvalidCode": error.isInvalidCode]
        case let error as PasswordRequiredError:
            ["isBrowserRequired": error.isBrowserRequired, "isInvalidPassword": error.isInvalidPassword]
        case let error as RetrieveAccessTokenError:
            [
                "isBrowserRequired": error.isBrowserRequired, "isRefreshTokenExpired": error.isRefreshTokenExpired,
                "isInvalidScope": error.isInvalidScope,
            ]
        default: strongAuthFlags
        }
    }

    private var strongAuthFlags: [String: Bool] {
        switch self {
        case let error as MFARequestChallengeError:
            ["isBrowserRequired": error.isBrowserRequired, "isAuthMethodBlocked": error.isAuthMethodBlocked]
        case let error as MFASubmitChallengeError:
            ["isBrowserRequired": error.isBrowserRequired, "isInvalidChallenge": error.isInvalidChallenge]
        case let error as RegisterStrongAuthChallengeError:
            [
                "isBrowserRequired": error.isBrowserRequired, "isInvalidInput": error.isInvalidInput,
                "isVerificationContactBlocked": error.isVerificationContactBlocked,
            ]
        case let error as RegisterStrongAuthSubmitChallengeError:
            ["isBrowserRequired": error.isBrowserRequired, "isInvalidChallenge": error.isInvalidChallenge]
        default: ["an error of an unknown class": true]
        }
    }
}
