// SPDX-License-Identifier: Apache-2.0

/// Why a callout came to nothing: for the owner's log, never for the client.
///
/// The text is made of the tenant's own words and the registration alone. What a receiver sends is not quoted: it may
/// repeat the code or the token that it was sent.
struct CalloutFailure: Error, Sendable, Equatable {
    /// The service's number for it.
    let code: Int
    let text: String
    /// Whether the same request may fare better at once.
    var mayPass = false

    private init(_ code: Int, _ text: String, mayPass: Bool = false) {
        self.code = code
        self.text = text
        self.mayPass = mayPass
    }
}

extension CalloutFailure {
    static func unexpected(_ text: String) -> CalloutFailure { CalloutFailure(1_003_001, text) }

    static func status(_ status: Int) -> CalloutFailure {
        CalloutFailure(
            1_003_002, "The receiver answered with HTTP status \(status), not 200.",
            mayPass: status >= 500 || status == 429)
    }

    static func body(_ text: String) -> CalloutFailure { CalloutFailure(1_003_003, text) }

    static let throttled = CalloutFailure(1_003_004, "Too many calls of this extension are under way.")
    static let timedOut = CalloutFailure(1_003_005, "The receiver did not answer in time.", mayPass: true)
    static let contentType = CalloutFailure(1_003_006, "The answer's content type is not application/json.")
    static let claimsMissing = CalloutFailure(1_003_007, "The action has no object 'claims'.")

    static func actionCount(_ count: Int) -> CalloutFailure {
        CalloutFailure(1_003_010, "The answer has \(count) actions, not one.")
    }

    static let unknownAction = CalloutFailure(1_003_012, "The action's @odata.type is not one of this event.")
    static let malformedResource = CalloutFailure(
        1_003_014, "The resource id is not of the form api://{host of the target}/{application id}.")
    static let otherResource = CalloutFailure(1_003_016, "The resource id and the target have different hosts.")
    static let blocked = CalloutFailure(
        1_003_023, "The receiver failed too often and is left alone for a few seconds.")
    static let disabled = CalloutFailure(1_003_023, "The extension is switched off.")
    static let tooLarge = CalloutFailure(1_003_024, "The answer has more than 64 KiB.")
    static let claimsTooLarge = CalloutFailure(1_003_025, "The claims have more than 3 KB.")
    static let emptyClaim = CalloutFailure(1_003_026, "A claim has an empty name.")

    static func connection(_ text: String, mayPass: Bool = false) -> CalloutFailure {
        CalloutFailure(1_003_027, text, mayPass: mayPass)
    }
}
