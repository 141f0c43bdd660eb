// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL

// The program of docs/tutorials/add-sign-up.md.

// MARK: - The app

struct UsageError: Error, CustomStringConvertible {
    let description = "usage: shop TENANT CLIENT-ID FOLDER [MORE]"
}

/// The app that the command line names.
func shopApp(_ arguments: [String]) throws -> MSALNativeAuthPublicClientApplication {
    guard arguments.count >= 4, let tenant = URL(string: arguments[1]) else { throw UsageError() }
    let config = MSALNativeAuthPublicClientApplicationConfig(
        clientId: arguments[2],
        authority: try MSALCIAMAuthority(url: tenant),
        challengeTypes: [.OOB, .password])
    config.capabilities = [.mfaRequired, .registrationRequired]
    config.cacheConfig.directory = URL(fileURLWithPath: arguments[3])
    return try MSALNativeAuthPublicClientApplication(nativeAuthConfiguration: config)
}

/// Asks the person at the terminal. No answer means that they give up.
func ask(_ question: String) -> String {
    print(question, terminator: " ")
    return readLine() ?? ""
}

// MARK: - The program

enum AddSignUp {
    @MainActor
    static func main() async throws {
        let app = try shopApp(CommandLine.arguments)
        let parameters = MSALNativeAuthSignUpParameters(username: ask("Email:"))
        let password = ask("Password, or Enter to be asked later:")
        if !password.isEmpty { parameters.password = password }
        parameters.attributes = values(CommandLine.arguments.dropFirst(4))
        if await signUp(app, parameters) != nil {
            print("\(parameters.username) has an account now.")
        }
    }
}

/// Runs a sign-up to its end; nil where it does not lead to an account.
@MainActor
func signUp(
    _ app: MSALNativeAuthPublicClientApplication, _ parameters: MSALNativeAuthSignUpParameters
) async -> SignInAfterSignUpState? {
    await withCheckedContinuation { end in
        app.signUp(parameters: parameters, delegate: SignUp(end))
    }
}

/// A sign-up on its way. Each of its steps hands it on to the next.
final class SignUp {
    private let end: CheckedContinuation<SignInAfterSignUpState?, Never>
    private var page: [MSALNativeAuthRequiredAttribute] = []
    private var given: [String: Any] = [:]

    init(_ end: CheckedContinuation<SignInAfterSignUpState?, Never>) {
        self.end = end
    }

    func stop(_ reason: String) {
        print(reason)
        end.resume(returning: nil)
    }
}

extension SignUp: SignUpStartDelegate {
    func onSignUpCodeRequired(
        newState: SignUpCodeRequiredState, sentTo: String,
        channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    ) {
        print("A code of \(codeLength) digits was sent to \(sentTo).")
        askForCode(newState)
    }

    func onSignUpAttributesInvalid(attributeNames: [String]) {
        stop("The shop does not take this: \(attributeNames.joined(separator: ", "))")
    }

    func onSignUpStartError(error: SignUpStartError) {
        if error.isUserAlreadyExists {
            stop("This address has an account already. Sign in.")
        } else if error.isInvalidUsername {
            stop("This is no mail address.")
        } else if error.isInvalidPassword {
            stop("Choose another password. \(error.errorDescription ?? "")")
        } else if error.isBrowserRequired {
            stop("Go on in a browser. \(error.errorDescription ?? "")")
        } else {
            stop(report(error))
        }
    }
}

/// What is left to say of an error without a flag.
func report(_ error: MSALNativeAuthError) -> String {
    let lines = [error.errorDescription, error.failureReason, "Correlation id: \(error.correlationId)"]
    return lines.compactMap { $0 }.joined(separator: "\n")
}

// MARK: - The code

extension SignUp: SignUpVerifyCodeDelegate, SignUpResendCodeDelegate {
    func askForCode(_ state: SignUpCodeRequiredState) {
        switch ask("Code, or r for a new one:") {
        case "": stop("Another time, then.")
        case "r": state.resendCode(delegate: self)
        case let code: state.submitCode(code: code, delegate: self)
        }
    }

    func onSignUpCompleted(newState: SignInAfterSignUpState) {
        end.resume(returning: newState)
    }

    func onSignUpVerifyCodeError(error: VerifyCodeError, newState: SignUpCodeRequiredState?) {
        guard let newState else { return stop(report(error)) }
        print(error.isInvalidCode ? "This is not the code." : report(error))
        askForCode(newState)
    }

    func onSignUpResendCodeCodeRequired(
        newState: SignUpCodeRequiredState, sentTo: String,
        channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    ) {
        print("Another code was sent to \(sentTo). The first one is void.")
        askForCode(newState)
    }

    func onSignUpResendCodeError(error: ResendCodeError, newState: SignUpCodeRequiredState?) {
        guard let newState else { return stop(report(error)) }
        print(report(error))
        askForCode(newState)
    }
}

// MARK: - The password

extension SignUp: SignUpPasswordRequiredDelegate {
    func onSignUpPasswordRequired(newState: SignUpPasswordRequiredState) {
        let password = ask("New password:")
        guard !password.isEmpty else { return stop("Another time, then.") }
        newState.submitPassword(password: password, delegate: self)
    }

    func onSignUpPasswordRequiredError(error: PasswordRequiredError, newState: SignUpPasswordRequiredState?) {
        guard error.isInvalidPassword, let newState else { return stop(report(error)) }
        print("Choose another password. \(error.errorDescription ?? "")")
        onSignUpPasswordRequired(newState: newState)
    }
}

// MARK: - Attributes

/// What the command line tells of the person, as `country=Norway`.
func values(_ words: ArraySlice<String>) -> [String: Any] {
    var values: [String: Any] = [:]
    for word in words {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        if parts.count == 2 { values[parts[0]] = parts[1] }
    }
    return values
}

extension SignUp: SignUpAttributesRequiredDelegate {
    func onSignUpAttributesRequired(
        attributes: [MSALNativeAuthRequiredAttribute], newState: SignUpAttributesRequiredState
    ) {
        page = attributes
        given = [:]
        askForAttributes(attributes, newState)
    }

    func askForAttributes(_ wanted: [MSALNativeAuthRequiredAttribute], _ state: SignUpAttributesRequiredState) {
        guard let answers = answers(to: wanted) else { return stop("Another time, then.") }
        given.merge(answers) { $1 }
        state.submitAttributes(attributes: given, delegate: self)
    }

    func onSignUpAttributesInvalid(attributeNames: [String], newState: SignUpAttributesRequiredState) {
        print("The shop does not take this: \(attributeNames.joined(separator: ", "))")
        askForAttributes(page.filter { attributeNames.contains($0.name) }, newState)
    }

    func onSignUpAttributesRequiredError(error: AttributesRequiredError) {
        stop(report(error))
    }
}

/// The answers to one page; nil where something is missing that has to be there.
func answers(to attributes: [MSALNativeAuthRequiredAttribute]) -> [String: Any]? {
    var answers: [String: Any] = [:]
    for attribute in attributes {
        let label = attribute.name.split(separator: "_").last.map(String.init) ?? attribute.name
        let answer = ask(attribute.required ? "\(label):" : "\(label) (optional):")
        switch attribute.type {
        case _ where answer.isEmpty:
            if attribute.required { return nil }
        case "boolean": answers[attribute.name] = answer == "yes"
        case "integer": answers[attribute.name] = Int(answer)
        default: answers[attribute.name] = answer
        }
    }
    return answers
}

// MARK: - In an app

/// What a view of the sign-up shows, and what its buttons do.
@MainActor
final class SignUpModel {
    enum Screen {
        case start
        case code(SignUpCodeRequiredState, sentTo: String)
        case page(SignUpAttributesRequiredState, [MSALNativeAuthRequiredAttribute])
        case done(SignInAfterSignUpState)
    }

    private(set) var screen = Screen.start { didSet { changed() } }
    private(set) var message = "" { didSet { changed() } }
    /// Called when there is something new to be shown.
    var changed: () -> Void = {}
    private let app: MSALNativeAuthPublicClientApplication

    init(_ app: MSALNativeAuthPublicClientApplication) {
        self.app = app
    }

    func start(username: String, password: String) {
        let parameters = MSALNativeAuthSignUpParameters(username: username)
        parameters.password = password
        app.signUp(parameters: parameters, delegate: self)
    }

    func submit(code: String) {
        guard case .code(let state, _) = screen else { return }
        state.submitCode(code: code, delegate: self)
    }

    func submit(answers: [String: Any]) {
        guard case .page(let state, _) = screen else { return }
        state.submitAttributes(attributes: answers, delegate: self)
    }
}

extension SignUpModel: SignUpStartDelegate {
    func onSignUpCodeRequired(
        newState: SignUpCodeRequiredState, sentTo: String,
        channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    ) {
        screen = .code(newState, sentTo: sentTo)
    }

    func onSignUpStartError(error: SignUpStartError) {
        message = error.isUserAlreadyExists ? "You have an account already." : report(error)
    }
}

extension SignUpModel: SignUpVerifyCodeDelegate, SignUpAttributesRequiredDelegate {
    func onSignUpVerifyCodeError(error: VerifyCodeError, newState: SignUpCodeRequiredState?) {
        message = error.isInvalidCode ? "This is not the code." : report(error)
    }

    func onSignUpAttributesRequired(
        attributes: [MSALNativeAuthRequiredAttribute], newState: SignUpAttributesRequiredState
    ) {
        screen = .page(newState, attributes)
    }

    func onSignUpAttributesRequiredError(error: AttributesRequiredError) {
        message = report(error)
    }

    func onSignUpAttributesInvalid(attributeNames: [String], newState: SignUpAttributesRequiredState) {
        message = "Please look at \(attributeNames.joined(separator: ", ")) again."
    }

    func onSignUpCompleted(newState: SignInAfterSignUpState) {
        screen = .done(newState)
    }
}
