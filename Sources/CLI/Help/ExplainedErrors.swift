// SPDX-License-Identifier: Apache-2.0

extension Explanation {
    /// The values of `error`.
    static let errors = [
        Explanation(
            "access_denied", meaning: "The tenant does not send codes that way.",
            cause: "The contact has a bad reputation, or an administrator has switched the method off.",
            next: "Choose another contact or method; the suberror says which."),
        Explanation(
            "attributes_required", meaning: "The user flow wants more facts about the person; no failure.",
            cause: "A required attribute was not given yet.",
            next: "Answer the questions, or give --attribute NAME=VALUE."),
        Explanation(
            "auth_not_supported", "unsupported_auth_method",
            meaning: "The way to prove who one is does not fit the user flow.",
            cause: "A password was given to a flow with codes, or the other way round.",
            next: "Check challenge_types of the profile against the user flow."),
        Explanation(
            "authorization_pending", meaning: "The answer is not ready.",
            cause: "Something that was begun is still being done.", next: "Try again in a few seconds."),
        Explanation(
            "credential_required", meaning: "The account needs a password; no failure.",
            cause: "The address has been proven, and the user flow has passwords.",
            next: "Choose a password, or give --password-file."),
        Explanation(
            "expired_refresh_token", meaning: "The session has ended.",
            cause: "It was not used for too long, or the password has changed.", next: "Sign in: 'nativeauth signin'."),
        Explanation(
            "expired_token", meaning: "The conversation took too long, and the tenant has closed it.",
            cause: "The steps of a flow have ten minutes each.", next: "Start the command again."),
        Explanation(
            "invalid_client", meaning: "The tenant does not accept this app.",
            cause: "It is no public client, or native authentication is off for it.",
            next:
                "In the app's registration, allow public client flows and native authentication; check --client-id."),
        Explanation(
            "invalid_grant", meaning: "What was shown as a proof is not accepted.",
            cause: "A wrong password or code, a password against the rules, a session that has ended.",
            next: "Look at the suberror and the number, and explain these."),
        Explanation(
            "invalid_request", meaning: "The request cannot be understood, or not at this point.",
            cause: "A value is missing or wrong, or a continuation token is for another step.",
            next: "Explain the number; it says which."),
        Explanation(
            "invalid_scope", meaning: "A scope is not known, or belongs to another resource.",
            cause: "A mistyped scope, or scopes of two APIs in one request.",
            next: "Check --scope and the profile's scopes; ask for one API at a time."),
        Explanation(
            "invalid_token", meaning: "The access token is not accepted.",
            cause: "It has expired, or is for another API.", next: "Get a new one: 'nativeauth token --force-refresh'."),
        Explanation(
            "redirect", meaning: "The tenant wants to go on in a browser; native authentication ends here.",
            cause:
                "A proof or a capability that the client does not offer, a social account, a policy, or an app without a user flow.",
            next:
                "Sign in there with 'nativeauth signin --browser'. Otherwise link the app to a user flow, and check the profile's challenge_types and capabilities."
        ),
        Explanation(
            "server_error", "temporarily_unavailable", meaning: "The tenant has trouble of its own.",
            cause: "It is overloaded, or its database cannot be used.", next: "Try again later."),
        Explanation(
            "slow_down", meaning: "Too many requests.",
            cause: "The tenant limits requests from an address or for an account.",
            next: "Wait as long as retry_after says, or a minute."),
        Explanation(
            "unauthorized_client", meaning: "The tenant does not know this app.",
            cause: "A mistyped client id, or an app of another tenant.", next: "Check --client-id and --authority."),
        Explanation(
            "unsupported_challenge_type", meaning: "The list of proofs that the client offers is not acceptable.",
            cause: "It lacks 'redirect', which always has to be there, or what the flow needs.",
            next: "Check challenge_types of the profile: 'oob', 'password'."),
        Explanation(
            "unsupported_grant_type", meaning: "The token endpoint does not know this kind of exchange.",
            cause: "The server does not speak this protocol, or the app may not use it.",
            next: "Check --authority, and that native authentication is on for the app."),
        Explanation(
            "user_already_exists", meaning: "An account with this address exists already.",
            cause: "The person has signed up before.", next: "Sign in: 'nativeauth signin'."),
        Explanation(
            "user_not_found", meaning: "No account has this address.",
            cause: "A mistyped address, another tenant, or nobody has signed up.",
            next: "Check the address, or sign up: 'nativeauth signup'."),
        Explanation(
            "verification_required", meaning: "The address has to be proven first; no failure.",
            cause: "The sign-up needs a code that goes to it.", next: "Enter the code."),
    ]

    /// The values of `suberror`.
    static let suberrors = [
        Explanation(
            "attribute_validation_failed", meaning: "A value is against the tenant's rules.",
            cause: "A wrong type, a choice that is none, a text that is too long or of a wrong pattern.",
            next: "invalid_attributes names it; give another value."),
        Explanation(
            "bad_token", meaning: "The refresh token is no good any more.",
            cause: "It was revoked, or used up.", next: "Sign in: 'nativeauth signin'."),
        Explanation(
            "basic_action", meaning: "The session can only go on with a second factor.",
            cause: "The tenant wants more proof than when the session began.",
            next: "Sign in again: 'nativeauth signin'."),
        Explanation(
            "consent_required", meaning: "Nobody has consented to a scope for this app.",
            cause: "In an external tenant only an administrator can consent.",
            next: "Have an administrator grant consent to the app's permissions."),
        Explanation(
            "introspect_required", meaning: "The account has several second factors, and one has to be named.",
            cause: "The client chose none.", next: "Give --mfa-method."),
        Explanation(
            "invalid_oob_value", meaning: "The code is wrong or no longer valid.",
            cause: "A mistyped code, an older mail's code, too many tries, or too much time.",
            next: "Take the newest mail's code, or ask for a new one."),
        Explanation(
            "mfa_required", meaning: "A second factor is needed; no failure for a client that can ask for it.",
            cause: "The tenant's policy.", next: "Go on with the second factor; --mfa-method chooses one."),
        Explanation(
            "nativeauthapi_disabled", meaning: "Native authentication is off for this app.",
            cause: "It is switched on for each app by hand.",
            next: "In the app's registration, under authentication, enable native authentication."),
        Explanation(
            "password_banned", meaning: "The password is on the tenant's list of banned ones.",
            cause: "It is made of common words, or of names of the tenant.", next: "Change the words, not the digits."),
        Explanation(
            "password_is_invalid", meaning: "The password has characters that are not allowed.",
            cause: "Letters beyond ASCII, or control characters.", next: "Use ASCII letters, digits and signs."),
        Explanation(
            "password_recently_used", meaning: "The password was used before.",
            cause: "A reset has to lead to another password.", next: "Choose another one."),
        Explanation(
            "password_too_long", meaning: "The password is too long.", cause: "256 characters are the most.",
            next: "Choose a shorter one."),
        Explanation(
            "password_too_short", meaning: "The password is too short.", cause: "8 characters are the least.",
            next: "Choose a longer one."),
        Explanation(
            "password_too_weak", meaning: "The password has too few kinds of characters.",
            cause: "Three of these are needed: lower case, upper case, digits, signs.", next: "Mix them."),
        Explanation(
            "provider_blocked_by_admin", meaning: "This kind of second factor is switched off.",
            cause: "An administrator did so.", next: "Choose another method."),
        Explanation(
            "provider_blocked_by_rep", meaning: "This contact cannot be used.",
            cause: "The service takes it, or its network, for one that is abused.", next: "Use another contact."),
        Explanation(
            "registration_required", meaning: "A second factor has to be registered first.",
            cause: "The tenant wants one, and the account has none.",
            next: "Register one while signing in; --mfa-contact gives it."),
        Explanation(
            "user_account_deleted", meaning: "The account is gone.", cause: "It was deleted at the tenant.",
            next: "Sign up again, or sign in as somebody else."),
    ]
}
