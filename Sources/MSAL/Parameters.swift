// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What a sign-up needs to know.
public class MSALNativeAuthSignUpParameters: NSObject {
    /// The mail address to be registered.
    public var username: String
    /// The password, if the app asks for it up front; nil by default.
    public var password: String?
    /// What the app knows of the person, by attribute name; values that JSON can hold.
    public var attributes: [String: Any]?
    /// The id of the conversation in the tenant's log; a new one by default.
    public var correlationId: UUID?

    /// Parameters for a mail address.
    public init(username: String) { self.username = username }
}

/// What a sign-in needs to know.
public class MSALNativeAuthSignInParameters: NSObject {
    /// The account's mail address.
    public var username: String
    /// The password, if the app has it already; nil by default. An account without a password gets a code all the same.
    public var password: String?
    /// The app's own scopes; `openid profile offline_access` are always asked for besides.
    public var scopes: [String]?
    /// The claims that the tokens are to hold.
    public var claimsRequest: MSALClaimsRequest?
    /// The id of the conversation in the tenant's log; a new one by default.
    public var correlationId: UUID?

    /// Parameters for a mail address.
    public init(username: String) { self.username = username }
}

/// What a password reset needs to know.
public class MSALNativeAuthResetPasswordParameters: NSObject {
    /// The account's mail address.
    public var username: String
    /// The id of the conversation in the tenant's log; a new one by default.
    public var correlationId: UUID?

    /// Parameters for a mail address.
    public init(username: String) { self.username = username }
}

/// What a sign-in after a sign-up needs to know.
public class MSALNativeAuthSignInAfterSignUpParameters: NSObject {
    /// The app's own scopes; `openid profile offline_access` are always asked for besides.
    public var scopes: [String]?
    /// The claims that the tokens are to hold.
    public var claimsRequest: MSALClaimsRequest?
}

/// What a sign-in after a password reset needs to know.
public class MSALNativeAuthSignInAfterResetPasswordParameters: NSObject {
    /// The app's own scopes; `openid profile offline_access` are always asked for besides.
    public var scopes: [String]?
    /// The claims that the tokens are to hold.
    public var claimsRequest: MSALClaimsRequest?
}

/// What the wish for an access token needs to know.
public class MSALNativeAuthGetAccessTokenParameters: NSObject {
    /// Asks the tenant even if the cached token would do.
    public var forceRefresh = false
    /// Gives the refresh token as well, for an app that hands the session on.
    public var returnRefreshToken = false
    /// The app's scopes that the token has to cover; nil or empty for those of the sign-in.
    public var scopes: [String]?
    /// The claims that the token is to hold. The tenant is always asked for them.
    public var claimsRequest: MSALClaimsRequest?
    /// The id of the request in the tenant's log; a new one by default.
    public var correlationId: UUID?
}

/// What the registration of a strong method needs to know.
public class MSALNativeAuthChallengeAuthMethodParameters: NSObject {
    /// One of the methods that were offered.
    public let authMethod: MSALAuthMethod
    /// A mail address, or a telephone number with its country code behind a `+`.
    public let verificationContact: String

    /// Parameters for a method and a contact.
    public init(authMethod: MSALAuthMethod, verificationContact: String) {
        self.authMethod = authMethod
        self.verificationContact = verificationContact
    }
}
