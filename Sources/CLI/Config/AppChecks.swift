// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import NativeAuth

/// What an app's registration lacks, in plain words, from what the tenant says to it.
enum AppChecks {
    /// An address that nobody has: example.com takes no mail (RFC 2606, section 3).
    static func nobody(_ id: UUID) -> String { "nativeauth-check-\(id.uuidString.prefix(13).lowercased())@example.com" }

    static func findings(_ probe: AppProbe) -> [Finding] {
        let signIn = finding("sign-in", probe.signIn)
        let signUp = finding("sign-up", probe.signUp)
        // One cause is told once.
        return signIn.level == .problem && signIn.message == signUp.message ? [signIn] : [signIn, signUp]
    }

    private static func finding(_ check: String, _ error: AuthError?) -> Finding {
        guard let error else { return .ok(check, "The tenant is ready for it.") }
        let (message, advice) = meaning(error)
        return .problem(error.isAboutApp ? "app" : check, message, advice)
    }

    private static let center = "In the Entra admin center, at App registrations > the app > Authentication > Settings,"

    private static func meaning(_ error: AuthError) -> (message: String, advice: String) {
        if error.suberror == "nativeauthapi_disabled" {
            return ("Native authentication is switched off for this app.", "\(center) enable native authentication.")
        }
        if error.codes.contains(550022) || error.codes.contains(7_000_218) {
            return ("The app is a confidential client.", "\(center) allow public client flows.")
        }
        if error.codes.contains(700016) {
            return (
                "The tenant knows no app with this client id.", "Check the client id, and that it is this tenant's."
            )
        }
        switch error.reason {
        case .unexpectedAnswer(.body(status: 404)):
            return (
                "The tenant has no native authentication for this app.",
                "Enable it for the app, and add the app to a user flow at External Identities > User flows > Applications."
            )
        case .browserRequired:
            return (
                "The tenant sends everybody to a browser.",
                "Add the app to a user flow, and let its identity providers be those that the profile's challenge_types name."
            )
        default: return (error.sentence, error.hint ?? "Ask the tenant's owner.")
        }
    }
}

extension AuthError {
    /// Whether it is the app's registration that does not fit, and not the one flow.
    fileprivate var isAboutApp: Bool {
        suberror == "nativeauthapi_disabled" || reason == .clientRejected
            || !codes.filter { [550022, 700016].contains($0) }.isEmpty
    }
}
