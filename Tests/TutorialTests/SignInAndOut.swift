// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL

// The program of docs/tutorials/sign-in-and-out.md.

// MARK: - The program

enum SignInAndOut {
    @MainActor
    static func main() async throws {
        let app = try shopApp(CommandLine.arguments)
        switch CommandLine.arguments.dropFirst(4).first {
        case "in": await signIn(to: app)
        case "who": showClaims(of: app.getNativeAuthUserAccount())
        case "token": await showToken(of: app.getNativeAuthUserAccount())
        case "reset": await reset(app)
        case "out": signOut(app)
        default: print("Add one of in, who, token, reset and out.")
        }
    }
}

@MainActor
func signIn(to app: MSALNativeAuthPublicClientApplication) async {
    let parameters = MSALNativeAuthSignInParameters(username: ask("Email:"))
    let password = ask("Password, or Enter to be asked later:")
    if !password.isEmpty { parameters.password = password }
    guard let result = await signIn(app, parameters) else { return }
    print("Signed in as \(result.account.username ?? "nobody").")
}

/// Runs a sign-in to its end; nil where it does not lead to an account.
@MainActor
func signIn(
    _ app: MSALNativeAuthPublicClientApplication, _ parameters: MSALNativeAuthSignInParameters
) async -> MSALNativeAuthUserAccountResult? {
    await withCheckedContinuation { end in
        app.signIn(parameters: parameters, delegate: SignIn(end))
    }
}

/// A sign-in on its way.
final class SignIn {
    private let end: CheckedContinuation<MSALNativeAuthUserAccountResult?, Never>
    private var methods: [MSALAuthMethod] = []

    init(_ end: CheckedContinuation<MSALNativeAuthUserAccountResult?, Never>) {
        self.end = end
    }

    func stop(_ reason: String) {
        print(reason)
        end.resume(returning: nil)
    }
}

extension SignIn: SignInStartDelegate {
    func onSignInCompleted(result: MSALNativeAuthUserAccountResult) {
        end.resume(returning: result)
    }

    func onSignInPasswordRequired(newState: SignInPasswordRequiredState) {
        let password = ask("Password:")
        guard !password.isEmpty else { return stop("Another time, then.") }
        newState.submitPassword(password: password, delegate: self)
    }

    func onSignInCodeRequired(
        newState: SignInCodeRequiredState, sentTo: String,
        channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    ) {
        print("A code of \(codeLength) digits was sent to \(sentTo).")
        askForCode(newState)
    }

    func onSignInStartError(error: SignInStartError) {
        if error.isUserNotFound {
            stop("There is no such account. Sign up.")
        } else if error.isInvalidCredentials {
            stop("The address and the password do not belong together.")
        } else if error.isInvalidUsername {
            stop("An address has to be there.")
        } else if error.isBrowserRequired {
            stop("Go on in a browser. \(error.errorDescription ?? "")")
        } else {
            stop(report(error))
        }
    }
}

// MARK: - The password, the code

extension SignIn: SignInPasswordRequiredDelegate {
    func onSignInPasswordRequiredError(error: PasswordRequiredError, newState: SignInPasswordRequiredState?) {
        guard error.isInvalidPassword, let newState else { return stop(report(error)) }
        print("This is not the password.")
        onSignInPasswordRequired(newState: newState)
    }
}

extension SignIn: SignInVerifyCodeDelegate, SignInResendCodeDelegate {
    func askForCode(_ state: SignInCodeRequiredState) {
        switch ask("Code, or r for a new one:") {
        case "": stop("Another time, then.")
        case "r": state.resendCode(delegate: self)
        case let code: state.submitCode(code: code, delegate: self)
        }
    }

    func onSignInVerifyCodeError(error: VerifyCodeError, newState: SignInCodeRequiredState?) {
        guard error.isInvalidCode, let newState else { return stop(report(error)) }
        print("This is not the code.")
        askForCode(newState)
    }

    func onSignInResendCodeCodeRequired(
        newState: SignInCodeRequiredState, sentTo: String,
        channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    ) {
        print("Another code was sent to \(sentTo). The first one is void.")
        askForCode(newState)
    }

    func onSignInResendCodeError(error: ResendCodeError, newState: SignInCodeRequiredState?) {
        guard let newState else { return stop(report(error)) }
        print(report(error))
        askForCode(newState)
    }
}

// MARK: - The account

@MainActor
func showClaims(of result: MSALNativeAuthUserAccountResult?) {
    guard let account = result?.account else { return print("Nobody is signed in.") }
    print("\(account.username ?? "nobody"), from \(account.environment)")
    let claims = account.accountClaims ?? [:]
    for name in ["email", "country", "city"] {
        print("\(name): \(claims[name] as? String ?? "not known")")
    }
}

@MainActor
func showToken(of result: MSALNativeAuthUserAccountResult?) async {
    guard let result else { return print("Nobody is signed in.") }
    let parameters = MSALNativeAuthGetAccessTokenParameters()
    parameters.scopes = ["api://sample/Orders.Read"]
    guard let token = await accessToken(of: result, parameters), let end = token.expiresOn else { return }
    print("Authorization: Bearer \(token.accessToken.prefix(3))...")
    print("It allows \(token.scopes.joined(separator: " ")), for \(Int(end.timeIntervalSinceNow / 60)) minutes.")
}

@MainActor
func signOut(_ app: MSALNativeAuthPublicClientApplication) {
    app.getNativeAuthUserAccount()?.signOut()
    print(app.getNativeAuthUserAccount() == nil ? "Nobody is signed in." : "The account is still there.")
}

// MARK: - A second factor

extension SignIn: MFARequestChallengeDelegate, MFASubmitChallengeDelegate {
    func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState) {
        for (number, method) in authMethods.enumerated() {
            print("\(number): \(method.channelTargetType.value) to \(method.loginHint ?? "you")")
        }
        guard let number = Int(ask("Where to?")), authMethods.indices.contains(number) else {
            return stop("Another time, then.")
        }
        newState.requestChallenge(authMethod: authMethods[number], delegate: self)
    }

    func onMFARequestChallengeVerificationRequired(
        newState: MFARequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    ) {
        print("A second code was sent to \(sentTo).")
        askForSecondCode(newState)
    }

    func onMFARequestChallengeError(error: MFARequestChallengeError, newState: MFARequiredState?) {
        stop(error.isAuthMethodBlocked ? "Codes cannot be sent there." : report(error))
    }

    func askForSecondCode(_ state: MFARequiredState) {
        let code = ask("Second code:")
        guard !code.isEmpty else { return stop("Another time, then.") }
        state.submitChallenge(challenge: code, delegate: self)
    }

    func onMFASubmitChallengeError(error: MFASubmitChallengeError, newState: MFARequiredState?) {
        guard error.isInvalidChallenge, let newState else { return stop(report(error)) }
        print("This is not the code.")
        askForSecondCode(newState)
    }
}

extension SignIn: RegisterStrongAuthChallengeDelegate, RegisterStrongAuthSubmitChallengeDelegate {
    func onSignInStrongAuthMethodRegistration(authMethods: [MSALAuthMethod], newState: RegisterStrongAuthState) {
        methods = authMethods
        let contact = ask("Where shall second codes go, a mail address or +47...?")
        let wanted = authMethods.first { $0.channelTargetType.isSMSType == contact.hasPrefix("+") }
        guard !contact.isEmpty, let wanted else { return stop("Another time, then.") }
        newState.challengeAuthMethod(
            parameters: MSALNativeAuthChallengeAuthMethodParameters(authMethod: wanted, verificationContact: contact),
            delegate: self)
    }

    func onRegisterStrongAuthVerificationRequired(
        result: MSALNativeAuthRegisterStrongAuthVerificationRequiredResult
    ) {
        print("A second code was sent to \(result.sentTo).")
        askForFirstSecondCode(result.newState)
    }

    func askForFirstSecondCode(_ state: RegisterStrongAuthVerificationRequiredState) {
        let code = ask("Second code:")
        guard !code.isEmpty else { return stop("Another time, then.") }
        state.submitChallenge(challenge: code, delegate: self)
    }

    func onRegisterStrongAuthChallengeError(
        error: RegisterStrongAuthChallengeError, newState: RegisterStrongAuthState?
    ) {
        guard let newState else { return stop(report(error)) }
        if error.isInvalidInput {
            print("This is neither a mail address nor a telephone number.")
        } else if error.isVerificationContactBlocked {
            print("Codes cannot be sent there.")
        } else {
            return stop(report(error))
        }
        onSignInStrongAuthMethodRegistration(authMethods: methods, newState: newState)
    }

    func onRegisterStrongAuthSubmitChallengeError(
        error: RegisterStrongAuthSubmitChallengeError, newState: RegisterStrongAuthVerificationRequiredState?
    ) {
        guard error.isInvalidChallenge, let newState else { return stop(report(error)) }
        print("This is not the code.")
        askForFirstSecondCode(newState)
    }
}

@MainActor
extension FirstSignIn {
    func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState) {
        SignIn(end).onSignInAwaitingMFA(authMethods: authMethods, newState: newState)
    }

    func onSignInStrongAuthMethodRegistration(authMethods: [MSALAuthMethod], newState: RegisterStrongAuthState) {
        SignIn(end).onSignInStrongAuthMethodRegistration(authMethods: authMethods, newState: newState)
    }
}

// MARK: - A forgotten password

@MainActor
func reset(_ app: MSALNativeAuthPublicClientApplication) async {
    let parameters = MSALNativeAuthResetPasswordParameters(username: ask("Email:"))
    let state = await withCheckedContinuation { end in
        app.resetPassword(parameters: parameters, delegate: PasswordReset(end))
    }
    guard let state, let result = await signIn(after: state) else { return }
    print("The password is new, and \(result.account.username ?? "nobody") is signed in.")
}

/// A password reset on its way.
final class PasswordReset {
    private let end: CheckedContinuation<SignInAfterResetPasswordState?, Never>

    init(_ end: CheckedContinuation<SignInAfterResetPasswordState?, Never>) {
        self.end = end
    }

    func stop(_ reason: String) {
        print(reason)
        end.resume(returning: nil)
    }
}

extension PasswordReset: ResetPasswordStartDelegate {
    func onResetPasswordCodeRequired(
        newState: ResetPasswordCodeRequiredState, sentTo: String,
        channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    ) {
        print("A code of \(codeLength) digits was sent to \(sentTo).")
        askForCode(newState)
    }

    func onResetPasswordStartError(error: ResetPasswordStartError) {
        if error.isUserNotFound {
            stop("There is no such account. Sign up.")
        } else if error.isUserDoesNotHavePassword {
            stop("This account has no password. It signs in with codes.")
        } else if error.isInvalidUsername {
            stop("An address has to be there.")
        } else {
            stop(report(error))
        }
    }
}

extension PasswordReset: ResetPasswordVerifyCodeDelegate, ResetPasswordResendCodeDelegate {
    func askForCode(_ state: ResetPasswordCodeRequiredState) {
        switch ask("Code, or r for a new one:") {
        case "": stop("Another time, then.")
        case "r": state.resendCode(delegate: self)
        case let code: state.submitCode(code: code, delegate: self)
        }
    }

    func onResetPasswordVerifyCodeError(error: VerifyCodeError, newState: ResetPasswordCodeRequiredState?) {
        guard error.isInvalidCode, let newState else { return stop(report(error)) }
        print("This is not the code.")
        askForCode(newState)
    }

    func onResetPasswordResendCodeRequired(
        newState: ResetPasswordCodeRequiredState, sentTo: String,
        channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    ) {
        print("Another code was sent to \(sentTo). The first one is void.")
        askForCode(newState)
    }

    func onResetPasswordResendCodeError(error: ResendCodeError, newState: ResetPasswordCodeRequiredState?) {
        stop(report(error))
    }

    func onPasswordRequired(newState: ResetPasswordRequiredState) {
        let password = ask("New password:")
        guard !password.isEmpty else { return stop("Another time, then.") }
        newState.submitPassword(password: password, delegate: self)
    }
}

extension PasswordReset: ResetPasswordRequiredDelegate {
    func onResetPasswordCompleted(newState: SignInAfterResetPasswordState) {
        end.resume(returning: newState)
    }

    func onResetPasswordRequiredError(error: PasswordRequiredError, newState: ResetPasswordRequiredState?) {
        guard error.isInvalidPassword, let newState else { return stop(report(error)) }
        print("Choose another password. \(error.errorDescription ?? "")")
        onPasswordRequired(newState: newState)
    }
}

// MARK: - In an app

/// Who is signed in, and the buttons for it.
@MainActor
final class SessionModel: SignInStartDelegate {
    private(set) var account: MSALNativeAuthUserAccountResult? { didSet { changed() } }
    private(set) var message = "" { didSet { changed() } }
    /// Called when there is something new to be shown.
    var changed: () -> Void = {}
    private let app: MSALNativeAuthPublicClientApplication

    init(_ app: MSALNativeAuthPublicClientApplication) {
        self.app = app
        account = app.getNativeAuthUserAccount()
    }

    func signIn(username: String, password: String) {
        let parameters = MSALNativeAuthSignInParameters(username: username)
        parameters.password = password
        app.signIn(parameters: parameters, delegate: self)
    }

    func signOut() {
        account?.signOut()
        account = nil
    }

    func onSignInCompleted(result: MSALNativeAuthUserAccountResult) {
        account = result
    }

    func onSignInStartError(error: SignInStartError) {
        message =
            error.isUserNotFound || error.isInvalidCredentials
            ? "The address and the password do not belong together." : report(error)
    }
}
