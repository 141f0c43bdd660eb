// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL
import Testing

/// The identifiers by which an app is made and configured, and asks for things.
struct AppIdentifierTests {
    private static func authority() throws -> MSALCIAMAuthority {
        try MSALCIAMAuthority(url: #require(URL(string: "http://127.0.0.1:9/local")))
    }

    @Sendable private static func config() throws -> MSALNativeAuthPublicClientApplicationConfig {
        let config = try MSALNativeAuthPublicClientApplicationConfig(
            clientId: "app", tenantSubdomain: "contoso", challengeTypes: [.OOB, .password])
        config.cacheConfig.directory = URL(filePath: "/nonexistent")
        return config
    }

    @Sendable private static func app() throws -> MSALNativeAuthPublicClientApplication {
        try MSALNativeAuthPublicClientApplication(nativeAuthConfiguration: config())
    }

    private static let applications: [Identifier] = [
        Identifier("init(nativeAuthConfiguration:)") { try app().configuration.clientId == "app" },
        .compiles(
            "signUp",
            MSALNativeAuthPublicClientApplication.signUp(parameters:delegate:)
                as (MSALNativeAuthPublicClientApplication) -> (MSALNativeAuthSignUpParameters, any SignUpStartDelegate)
                -> Void),
        .compiles(
            "signIn",
            MSALNativeAuthPublicClientApplication.signIn(parameters:delegate:)
                as (MSALNativeAuthPublicClientApplication) -> (MSALNativeAuthSignInParameters, any SignInStartDelegate)
                -> Void),
        .compiles(
            "resetPassword",
            MSALNativeAuthPublicClientApplication.resetPassword(parameters:delegate:)
                as (MSALNativeAuthPublicClientApplication)
                -> (MSALNativeAuthResetPasswordParameters, any ResetPasswordStartDelegate) -> Void),
        Identifier("getNativeAuthUserAccount()") { try app().getNativeAuthUserAccount() == nil },
        Identifier("getNativeAuthUserAccount(correlationId:)") {
            try app().getNativeAuthUserAccount(correlationId: UUID()) == nil
        },
        Identifier("MSALPublicClientApplication") { try (app() as MSALPublicClientApplication).allAccounts().isEmpty },
        Identifier("account(forIdentifier:)") { (try? app().account(forIdentifier: "a.b")) == nil },
        Identifier("account(forUsername:)") { (try? app().account(forUsername: "mira@lofoten.example")) == nil },
        Identifier("accounts(for:)") { try app().accounts(for: MSALAccountEnumerationParameters()).isEmpty },
        Identifier("MSALAccountEnumerationParameters(identifier:)") {
            let parameters = MSALAccountEnumerationParameters(identifier: "a.b")
            return try parameters.identifier == "a.b" && parameters.username == nil
                && app().accounts(for: parameters).isEmpty
        },
        Identifier("MSALAccountEnumerationParameters(identifier:username:)") {
            let parameters = MSALAccountEnumerationParameters(identifier: nil, username: "mira@lofoten.example")
            return parameters.identifier == nil && parameters.username == "mira@lofoten.example"
        },
        Identifier("MSALAccountEnumerationParameters(tenantProfileIdentifier:)") {
            MSALAccountEnumerationParameters(tenantProfileIdentifier: "a").tenantProfileIdentifier == "a"
        },
        .property(
            "returnOnlySignedInAccounts", of: { .init() },
            \MSALAccountEnumerationParameters.returnOnlySignedInAccounts, first: true, then: false),
        .compiles(
            "accountsFromDevice",
            MSALNativeAuthPublicClientApplication.accountsFromDevice(for:completionBlock:)
                as (MSALNativeAuthPublicClientApplication) -> (
                    MSALAccountEnumerationParameters, @escaping MSALAccountsCompletionBlock
                ) -> Void),
        .compiles(
            "accountsFromDevice, awaited",
            { (app: MSALPublicClientApplication) async throws -> [MSALAccount] in
                try await app.accountsFromDevice(for: MSALAccountEnumerationParameters())
            }),
        .compiles(
            "currentAccount, awaited",
            { (app: MSALPublicClientApplication) async throws -> MSALAccount? in
                let (account, _): (MSALAccount?, MSALAccount?) = try await app.currentAccount(with: nil)
                return account
            }),
        .compiles(
            "acquireTokenSilent",
            MSALNativeAuthPublicClientApplication.acquireTokenSilent(with:completionBlock:)
                as (MSALNativeAuthPublicClientApplication) -> (MSALSilentTokenParameters, @escaping MSALCompletionBlock)
                -> Void),
        .compiles(
            "acquireTokenSilent, awaited",
            { (app: MSALPublicClientApplication, account: MSALAccount) async throws in
                let result: MSALResult = try await app.acquireTokenSilent(
                    with: MSALSilentTokenParameters(scopes: [], account: account))
                return (result.accessToken, result.expiresOn, result.scopes, result.account, result.idToken)
            }),
        .compiles(
            "remove",
            MSALNativeAuthPublicClientApplication.remove(_:)
                as (MSALNativeAuthPublicClientApplication) -> (MSALAccount) throws -> Void),
        .compiles(
            "getCurrentAccount",
            MSALNativeAuthPublicClientApplication.getCurrentAccount(with:completionBlock:)
                as (MSALNativeAuthPublicClientApplication) -> (
                    MSALParameters?, @escaping MSALCurrentAccountCompletionBlock
                ) -> Void),
        Identifier("cancelCurrentWebAuthSession()") { !MSALPublicClientApplication.cancelCurrentWebAuthSession() },
        Identifier("sdkVersion") { !MSALPublicClientApplication.sdkVersion.isEmpty },
    ]

    private static let configurations: [Identifier] = [
        Identifier("init(clientId:authority:challengeTypes:)") {
            let config = MSALNativeAuthPublicClientApplicationConfig(
                clientId: "app", authority: try authority(), challengeTypes: [.OOB])
            return config.authority.url.absoluteString == "http://127.0.0.1:9/local"
        },
        Identifier("init(clientId:tenantSubdomain:challengeTypes:)") {
            try config().authority.url.absoluteString == "https://contoso.ciamlogin.com/contoso.onmicrosoft.com"
        },
        Identifier("init(clientId:redirectUri:authority:)") {
            MSALPublicClientApplicationConfig(clientId: "a", redirectUri: "b:c", authority: try authority())
                .redirectUri == "b:c"
        },
        Identifier("init(clientId:redirectUri:authority:), without an authority") {
            let config = MSALPublicClientApplicationConfig(clientId: "a", redirectUri: nil, authority: nil)
            return (try? MSALPublicClientApplication(configuration: config)) == nil
        },
        Identifier("init(clientId:)") {
            let config = MSALPublicClientApplicationConfig(clientId: "a")
            config.authority = try authority()
            return try MSALPublicClientApplication(configuration: config).configuration.clientId == "a"
        },
        .property("capabilities", of: config, \.capabilities, first: [], then: [.mfaRequired, .registrationRequired]),
        Identifier("requestInterceptor") { try config().requestInterceptor == nil },
        .property("clientId", of: config, \.clientId, first: "app", then: "b"),
        .property("redirectUri", of: config, \.redirectUri, first: nil, then: "msauth.app://auth"),
        Identifier("authority") {
            let authority: MSALAuthority = try config().authority; return authority is MSALCIAMAuthority
        },
        Identifier("knownAuthorities") { try config().knownAuthorities == nil },
        .property("extendedLifetimeEnabled", of: config, \.extendedLifetimeEnabled, first: false, then: true),
        .property(
            "clientApplicationCapabilities", of: config, \.clientApplicationCapabilities, first: nil, then: ["CP1"]),
        .property("tokenExpirationBuffer", of: config, \.tokenExpirationBuffer, first: 300, then: 60),
        .property("sliceConfig", of: config, \.sliceConfig, first: nil, then: MSALSliceConfig(slice: nil, dc: "dc1")),
        Identifier("MSALSliceConfig") {
            let slice = MSALSliceConfig(slice: "s", dc: "d")
            return slice?.slice == "s" && slice?.dc == "d"
        },
        .property(
            "keychainSharingGroup", of: { try config().cacheConfig }, \.keychainSharingGroup, first: "app", then: "g"),
        .property("multipleCloudsSupported", of: config, \.multipleCloudsSupported, first: false, then: true),
        .property("bypassRedirectURIValidation", of: config, \.bypassRedirectURIValidation, first: false, then: true),
        .property("nestedAuthBrokerClientId", of: config, \.nestedAuthBrokerClientId, first: nil, then: "b"),
        .property("nestedAuthBrokerRedirectUri", of: config, \.nestedAuthBrokerRedirectUri, first: nil, then: "b:c"),
        Identifier("MSALCIAMAuthority(url:validateFormat:)") {
            let url = try #require(URL(string: "https://contoso.ciamlogin.com/contoso.onmicrosoft.com/more"))
            let path = try MSALCIAMAuthority(url: url, validateFormat: true).url.path
            return path == "/contoso.onmicrosoft.com"
        },
        Identifier("MSALAuthority(url:)") {
            try MSALAuthority(url: #require(URL(string: "https://contoso.ciamlogin.com"))).url.host()
                == "contoso.ciamlogin.com"
        },
        Identifier("MSALNativeAuthChallengeTypes") {
            MSALNativeAuthChallengeTypes.OOB.rawValue == 1 && MSALNativeAuthChallengeTypes.password.rawValue == 2
        },
        Identifier("MSALNativeAuthCapabilities") {
            MSALNativeAuthCapabilities.mfaRequired.rawValue == 1
                && MSALNativeAuthCapabilities.registrationRequired.rawValue == 2
        },
        Identifier("MSALNativeAuthRequestInterceptor") { (Fields() as any NSObjectProtocol).isEqual(nil) == false },
    ]

    private static let parameters: [Identifier] = [
        Identifier("SignUpParameters.username") { MSALNativeAuthSignUpParameters(username: "m").username == "m" },
        .property(
            "SignUpParameters.password", of: { .init(username: "m") }, \MSALNativeAuthSignUpParameters.password,
            first: nil, then: "p"),
        Identifier("SignUpParameters.attributes") {
            let parameters = MSALNativeAuthSignUpParameters(username: "m")
            parameters.attributes = ["country": "Norway", "age": 33, "tags": ["a"]]
            return parameters.attributes?.count == 3
        },
        .property(
            "SignUpParameters.correlationId", of: { .init(username: "m") },
            \MSALNativeAuthSignUpParameters.correlationId, first: nil, then: UUID()),
        Identifier("SignInParameters.username") { MSALNativeAuthSignInParameters(username: "m").username == "m" },
        .property(
            "SignInParameters.password", of: { .init(username: "m") }, \MSALNativeAuthSignInParameters.password,
            first: nil, then: "p"),
        .property(
            "SignInParameters.scopes", of: { .init(username: "m") }, \MSALNativeAuthSignInParameters.scopes, first: nil,
            then: ["s"]),
        Identifier("SignInParameters.claimsRequest") {
            MSALNativeAuthSignInParameters(username: "m").claimsRequest == nil
        },
        .property(
            "SignInParameters.correlationId", of: { .init(username: "m") },
            \MSALNativeAuthSignInParameters.correlationId, first: nil, then: UUID()),
        Identifier("ResetPasswordParameters.username") {
            MSALNativeAuthResetPasswordParameters(username: "m").username == "m"
        },
        .property(
            "ResetPasswordParameters.correlationId", of: { .init(username: "m") },
            \MSALNativeAuthResetPasswordParameters.correlationId, first: nil, then: UUID()),
        .property(
            "SignInAfterSignUpParameters.scopes", of: { .init() }, \MSALNativeAuthSignInAfterSignUpParameters.scopes,
            first: nil, then: ["s"]),
        Identifier("SignInAfterSignUpParameters.claimsRequest") {
            MSALNativeAuthSignInAfterSignUpParameters().claimsRequest == nil
        },
        .property(
            "SignInAfterResetPasswordParameters.scopes", of: { .init() },
            \MSALNativeAuthSignInAfterResetPasswordParameters.scopes, first: nil, then: ["s"]),
        Identifier("SignInAfterResetPasswordParameters.claimsRequest") {
            MSALNativeAuthSignInAfterResetPasswordParameters().claimsRequest == nil
        },
        .property(
            "GetAccessTokenParameters.forceRefresh", of: { .init() },
            \MSALNativeAuthGetAccessTokenParameters.forceRefresh, first: false, then: true),
        .property(
            "GetAccessTokenParameters.returnRefreshToken", of: { .init() },
            \MSALNativeAuthGetAccessTokenParameters.returnRefreshToken, first: false, then: true),
        .property(
            "GetAccessTokenParameters.scopes", of: { .init() }, \MSALNativeAuthGetAccessTokenParameters.scopes,
            first: nil, then: ["s"]),
        Identifier("GetAccessTokenParameters.claimsRequest") {
            MSALNativeAuthGetAccessTokenParameters().claimsRequest == nil
        },
        .property(
            "GetAccessTokenParameters.correlationId", of: { .init() },
            \MSALNativeAuthGetAccessTokenParameters.correlationId, first: nil, then: UUID()),
        .compiles(
            "ChallengeAuthMethodParameters",
            { (method: MSALAuthMethod) in
                let parameters = MSALNativeAuthChallengeAuthMethodParameters(
                    authMethod: method, verificationContact: "c")
                let _: (MSALAuthMethod, String) = (parameters.authMethod, parameters.verificationContact)
            }),
    ]

    @Test(arguments: applications + configurations + parameters)
    func exists(_ identifier: Identifier) throws {
        #expect(try identifier.holds())
    }
}

/// An app's interceptor, with the type of the block written out.
private final class Fields: NSObject, MSALNativeAuthRequestInterceptor {
    func addAdditionalHeaderFields(
        _ requestUrl: URL?, completionBlock: @escaping MSALNativeAuthRequestInterceptorAddHeaderCompletionBlock
    ) {
        completionBlock(["x-shop": requestUrl?.path ?? ""])
    }
}
