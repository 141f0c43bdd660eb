// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import NativeAuth
import Wire

/// Native authentication for one app, in the terms of Microsoft's SDK.
///
/// ```swift
/// let config = try MSALNativeAuthPublicClientApplicationConfig(
///     clientId: id, tenantSubdomain: "contoso", challengeTypes: [.OOB, .password])
/// let app = try MSALNativeAuthPublicClientApplication(nativeAuthConfiguration: config)
/// app.signUp(parameters: MSALNativeAuthSignUpParameters(username: mail), delegate: self)
/// ```
///
/// Every call returns at once. Its delegate is told the outcome once, on the main actor; it is kept until then.
public final class MSALNativeAuthPublicClientApplication: MSALPublicClientApplication, @unchecked Sendable {
    /// An app.
    ///
    /// - Throws: An error for an empty client id, an authority that is no External ID tenant, or a user without a home
    ///   folder.
    public init(nativeAuthConfiguration: MSALNativeAuthPublicClientApplicationConfig) throws {
        let configuration = try nativeAuthConfiguration.configuration()
        try super.init(nativeAuthConfiguration, configuration, nativeAuthConfiguration.requestInterceptor)
        nativeAuthConfiguration.warnAboutRedirect()
    }

    /// An app whose requests, files and clock are given.
    package init(
        _ config: MSALNativeAuthPublicClientApplicationConfig, storage: any TokenStorage, transport: any Transport,
        time: TimeSource
    ) throws {
        try super.init(
            config, config.configuration(), config.requestInterceptor, storage: storage, transport: transport,
            time: time)
    }

    /// An app.
    ///
    /// - Throws: An error as ``init(nativeAuthConfiguration:)`` does.
    @available(*, deprecated, message: "Use init(nativeAuthConfiguration: ) instead.")
    public convenience init(
        configuration config: MSALPublicClientApplicationConfig, challengeTypes: MSALNativeAuthChallengeTypes
    ) throws {
        let new = MSALNativeAuthPublicClientApplicationConfig(
            clientId: config.clientId, authority: config.authority, challengeTypes: challengeTypes)
        new.redirectUri = config.redirectUri
        new.sliceConfig = config.sliceConfig
        new.bypassRedirectURIValidation = config.bypassRedirectURIValidation
        try self.init(nativeAuthConfiguration: new)
    }

    /// An app of a tenant at `ciamlogin.com`.
    ///
    /// - Throws: An error as ``init(nativeAuthConfiguration:)`` does, and for what is no subdomain.
    @available(*, deprecated, message: "Use init(nativeAuthConfiguration: ) instead.")
    public convenience init(
        clientId: String, tenantSubdomain: String, challengeTypes: MSALNativeAuthChallengeTypes,
        redirectUri: String? = nil
    ) throws {
        let config = try MSALNativeAuthPublicClientApplicationConfig(
            clientId: clientId, tenantSubdomain: tenantSubdomain, challengeTypes: challengeTypes)
        config.redirectUri = redirectUri
        try self.init(nativeAuthConfiguration: config)
    }

    /// The account in the cache, without a request.
    ///
    /// - Parameter correlationId: The id under which the log tells of a cache that fails.
    /// - Returns: Nil when nobody is signed in. Expired tokens do not matter.
    public func getNativeAuthUserAccount(correlationId: UUID? = nil) -> MSALNativeAuthUserAccountResult? {
        do {
            return try client.account().map { MSALNativeAuthUserAccountResult($0, client) }
        } catch {
            Log.error("getNativeAuthUserAccount fails: \(error.reason)", Correlation(correlationId))
            return nil
        }
    }
}

extension MSALNativeAuthPublicClientApplicationConfig {
    fileprivate func warnAboutRedirect() {
        guard redirectUri == nil else { return }
        bypassRedirectURIValidation = true
        Log.warning("There is no redirectUri, so a flow that needs a browser cannot go on in one.")
    }
}

// MARK: - Flows

extension MSALNativeAuthPublicClientApplication {
    /// Opens a sign-up.
    public func signUp(parameters: MSALNativeAuthSignUpParameters, delegate: any SignUpStartDelegate) {
        let flow = Flow(client, parameters.correlationId)
        let (username, password) = (parameters.username, parameters.password)
        let values = AttributeValue.values(parameters.attributes ?? [:])
        flow.perform(
            delegate, about: username,
            { try await flow.client.signUp(username, password, values.get(), flow.correlation) }
        ) { delegate, outcome in
            switch outcome {
            case .done(.codeRequired(let next)):
                delegate.onSignUpCodeRequired(
                    newState: SignUpCodeRequiredState(next, flow), sentTo: next.delivery.sentTo,
                    channelTargetType: next.delivery.channelType, codeLength: next.delivery.codeLength)
            case .done(.attributesRequired(let page)):
                delegate.onSignUpStartError(error: SignUpStartError(Failure(page.request, flow.correlation)))
            case .done(.passwordRequired), .done(.completed):
                delegate.onSignUpStartError(error: SignUpStartError(flow.general))
            case .failed(let failure, _):
                if case .invalidAttributes(let names) = failure.error.reason, !names.isEmpty {
                    return delegate.onSignUpAttributesInvalid(attributeNames: names)
                }
                delegate.onSignUpStartError(error: SignUpStartError(failure))
            }
        }
    }

    /// Opens a sign-in, and goes as far as it can: with a password to the account, if it has one.
    public func signIn(parameters: MSALNativeAuthSignInParameters, delegate: any SignInStartDelegate) {
        let flow = Flow(client, parameters.correlationId)
        let (username, password) = (parameters.username, parameters.password)
        let (scopes, claims) = (parameters.scopes ?? [], parameters.claimsRequest?.request)
        flow.perform(
            delegate, about: username,
            { try await flow.client.signIn(username, password, scopes, claims, flow.correlation) }
        ) { delegate, outcome in
            switch SignInOutcome(outcome, flow) {
            case .awaitingMFA(let methods, let next):
                delegate.onSignInAwaitingMFA(authMethods: methods, newState: next)
            case .registration(let methods, let next):
                delegate.onSignInStrongAuthMethodRegistration(authMethods: methods, newState: next)
            case .completed(let result):
                delegate.onSignInCompleted(result: result)
            case .other(.codeRequired(let next)?, _, _):
                delegate.onSignInCodeRequired(
                    newState: SignInCodeRequiredState(next, flow), sentTo: next.delivery.sentTo,
                    channelTargetType: next.delivery.channelType, codeLength: next.delivery.codeLength)
            case .other(.passwordRequired(let next)?, _, _):
                delegate.onSignInPasswordRequired(newState: SignInPasswordRequiredState(next, flow))
            case .other(_, let failure, _):
                delegate.onSignInStartError(error: SignInStartError(failure))
            }
        }
    }

    /// Opens the reset of a forgotten password.
    public func resetPassword(
        parameters: MSALNativeAuthResetPasswordParameters, delegate: any ResetPasswordStartDelegate
    ) {
        let flow = Flow(client, parameters.correlationId)
        let username = parameters.username
        flow.perform(
            delegate, about: username,
            { try await flow.client.resetPassword(username, flow.correlation) }
        ) {
            delegate, outcome in
            switch outcome {
            case .done(.codeRequired(let next)):
                delegate.onResetPasswordCodeRequired(
                    newState: ResetPasswordCodeRequiredState(next, flow), sentTo: next.delivery.sentTo,
                    channelTargetType: next.delivery.channelType, codeLength: next.delivery.codeLength)
            case .done:
                delegate.onResetPasswordStartError(error: ResetPasswordStartError(flow.general))
            case .failed(let failure, _):
                delegate.onResetPasswordStartError(error: ResetPasswordStartError(failure))
            }
        }
    }
}

extension AttributeValue {
    /// An app's attributes; an error for what JSON cannot hold.
    static func values(_ attributes: [String: Any]) -> Result<[String: AttributeValue], AuthError> {
        let odd = attributes.filter { !JSONSerialization.isValidJSONObject([$0.value]) }.keys.sorted()
        guard odd.isEmpty, let data = try? JSONSerialization.data(withJSONObject: attributes),
            case .object(let members)? = JSONValue(json: data)
        else {
            return .failure(AuthError(.refused, message: "JSON cannot hold \(odd.joined(separator: ", "))"))
        }
        return .success(members.mapValues { AttributeValue($0) })
    }
}
