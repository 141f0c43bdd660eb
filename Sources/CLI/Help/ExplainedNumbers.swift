// SPDX-License-Identifier: Apache-2.0

extension Explanation {
    /// The values of `error_codes`, which stand as AADSTS… in texts.
    static let numbers = [
        Explanation(
            "50034", meaning: "No account has this user name.",
            cause: "A mistyped address, another tenant, or nobody has signed up.",
            next: "Check the address, or sign up: 'nativeauth signup'."),
        Explanation(
            "50053", meaning: "The account is locked for a while.",
            cause: "Ten wrong passwords lock it for a minute, and each further one for longer.",
            next: "Wait, or choose a new password: 'nativeauth reset-password'."),
        Explanation(
            "50057", meaning: "The account is disabled.", cause: "An administrator has done so.",
            next: "Ask the tenant's administrator."),
        Explanation(
            "50072", "50079", meaning: "A second factor has to be registered first.",
            cause: "The tenant wants one, and the account has none.",
            next: "Register one while signing in; the profile's capabilities have to list registration_required."),
        Explanation(
            "50074", "50076", meaning: "A second factor is needed.",
            cause: "The tenant's policy; a session that began without one cannot be refreshed.",
            next: "Sign in again: 'nativeauth signin'; the profile's capabilities have to list mfa_required."),
        Explanation(
            "50126", meaning: "The user name or the password is wrong.", cause: "A typing mistake, or an old password.",
            next: "Try again, or choose a new password: 'nativeauth reset-password'."),
        Explanation(
            "50142", meaning: "The password has to be changed before it can be used.",
            cause: "An administrator has set it, or a policy wants it.",
            next: "Choose a new one: 'nativeauth reset-password'."),
        Explanation(
            "50181", meaning: "The code is wrong or no longer valid.",
            cause: "A mistyped code, an older mail's code, too many tries, or too much time.",
            next: "Take the newest mail's code, or ask for a new one."),
        Explanation(
            "55000", "55200", meaning: "The continuation token is not for this call.",
            cause: "A step was repeated, or left out, or its token belongs to another flow.",
            next: "Start the command again."),
        Explanation(
            "55102", "55106", meaning: "The user flow wants more facts about the person; no failure.",
            cause: "A required attribute was not given yet.",
            next: "Answer the questions, or give --attribute NAME=VALUE."),
        Explanation(
            "55103", meaning: "The account needs a password; no failure.",
            cause: "The address has been proven, and the user flow has passwords.",
            next: "Choose a password, or give --password-file."),
        Explanation(
            "55108", meaning: "The address has to be proven first; no failure.",
            cause: "The sign-up needs a code that goes to it.", next: "Enter the code."),
        Explanation(
            "55112", "552003", meaning: "The conversation took too long, and the tenant has closed it.",
            cause: "The steps of a flow have ten minutes each.", next: "Start the command again."),
        Explanation(
            "65001", meaning: "Nobody has consented to a scope for this app.",
            cause: "In an external tenant only an administrator can consent.",
            next: "Have an administrator grant consent to the app's permissions."),
        Explanation(
            "70003", meaning: "The token endpoint does not know this kind of exchange.",
            cause: "The server does not speak this protocol, or the app may not use it.",
            next: "Check --authority, and that native authentication is on for the app."),
        Explanation(
            "70008", "700082", meaning: "The session has ended: its refresh token has expired or was revoked.",
            cause: "It was not used for too long, or the password has changed.", next: "Sign in: 'nativeauth signin'."),
        Explanation(
            "70011", meaning: "A scope is not known, or belongs to another resource.",
            cause: "A mistyped scope, or scopes of two APIs in one request.",
            next: "Check --scope and the profile's scopes; ask for one API at a time."),
        Explanation(
            "90100", "900144", meaning: "A parameter is missing or not valid.",
            cause: "The text names it: mostly an address that is none, or an empty client id.",
            next: "Check --username and --client-id."),
        Explanation(
            "399246", meaning: "The password has too few kinds of characters.",
            cause: "Three of these are needed: lower case, upper case, digits, signs.", next: "Mix them."),
        Explanation(
            "399250", meaning: "The password was used before.", cause: "A reset has to lead to another password.",
            next: "Choose another one."),
        Explanation(
            "400002", meaning: "The account does not sign in this way.",
            cause: "It was made with codes, or at a social provider.",
            next: "Try another profile, or another method."),
        Explanation(
            "500222", meaning: "The password of this account cannot be reset here.",
            cause: "The account has none, or the tenant has self-service reset switched off.",
            next: "Sign in with a code, or have an administrator switch password reset on."),
        Explanation(
            "550022", meaning: "Native authentication is for public clients only.",
            cause: "The app's registration does not allow public client flows.",
            next: "In the app's registration, under authentication, allow public client flows."),
        Explanation(
            "550024", meaning: "This contact cannot be used.",
            cause: "The service takes it, or its network, for one that is abused.", next: "Use another contact."),
        Explanation(
            "550025", meaning: "This kind of second factor is switched off.", cause: "An administrator did so.",
            next: "Choose another method."),
        Explanation(
            "700016", meaning: "The tenant does not know this app.",
            cause: "A mistyped client id, or an app of another tenant.", next: "Check --client-id and --authority."),
        Explanation(
            "701014", meaning: "No more codes are sent to this address for now.",
            cause: "Too many were asked for within half an hour.",
            next: "Use the last code, which stays good, or wait."),
        Explanation(
            "901001", meaning: "The contact is neither a mail address nor a telephone number.",
            cause: "A number without its country code, or a typing mistake.",
            next: "Write a number as +4790000007."),
        Explanation(
            "901002", meaning: "The account has several second factors, and one has to be named.",
            cause: "The client chose none.", next: "Give --mfa-method."),
        Explanation(
            "901007", meaning: "The list of proofs that the client offers is not acceptable.",
            cause: "It has an unknown word, or lacks 'redirect', which always has to be there.",
            next: "Check challenge_types of the profile: 'oob', 'password'."),
        Explanation(
            "1003037", meaning: "An account with this address exists already.",
            cause: "The person has signed up before.", next: "Sign in: 'nativeauth signin'."),
        Explanation(
            "1003998", meaning: "An extension of the tenant has ended the sign-up.",
            cause: "Its owner's rules; the text is the extension's own.", next: "Do what the text says."),
        Explanation(
            "1003999", meaning: "A value is against the tenant's rules.",
            cause: "A wrong type, a choice that is none, a text that is too long or of a wrong pattern.",
            next: "invalid_attributes names it; give another value."),
        Explanation(
            "1100001", "1003000", "1003001", "1003002", "1003003", "1003004", "1003005", "1003006", "1003007",
            "1003010", "1003012", "1003027", meaning: "An extension of the tenant did not answer as it has to.",
            cause: "It cannot be reached, took too long, or sent something that is no answer.",
            next: "Look at its log; at the local tenant, 'nativeauth tenant extension failures'."),
        Explanation(
            "7000000", meaning: "Native authentication is off for this app.",
            cause: "It is switched on for each app by hand.",
            next: "In the app's registration, under authentication, enable native authentication."),
        Explanation(
            "7000218", meaning: "The tenant wants a secret of this app.",
            cause: "The app's registration does not allow public client flows.",
            next: "In the app's registration, under authentication, allow public client flows."),
    ]
}
