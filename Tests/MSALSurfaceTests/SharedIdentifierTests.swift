// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL
import Testing

/// The identifiers that native authentication shares with the rest of Microsoft's SDK: claims and the log.
struct SharedIdentifierTests {
    private static let claims: [Identifier] = [
        Identifier("MSALClaimsRequest()") { MSALClaimsRequest().jsonString() == "{}" },
        Identifier("MSALClaimsRequest(jsonString:error:)") {
            let json = #"{"access_token":{"acrs":{"essential":true,"value":"c4"}}}"#
            return MSALClaimsRequest(jsonString: json, error: nil).jsonString() == json
        },
        Identifier("MSALClaimsRequest(jsonString:error:), refused") {
            var error: NSError?
            let request = MSALClaimsRequest(jsonString: #"{"userinfo":{}}"#, error: &error)
            return error?.domain == MSALErrorDomain && error?.code == -50000 && request.jsonString() == "{}"
        },
        Identifier("requestClaim(_:for:)") {
            let request = MSALClaimsRequest()
            let claim = MSALIndividualClaimRequest(name: "acrs")
            claim.additionalInfo = MSALIndividualClaimRequestAdditionalInfo()
            claim.additionalInfo?.essential = NSNumber(value: true)
            claim.additionalInfo?.values = ["c1", "c4"]
            try request.requestClaim(claim, for: .accessToken)
            try request.requestClaim(MSALIndividualClaimRequest(name: "city"), for: .idToken)
            return request.jsonString()
                == #"{"access_token":{"acrs":{"essential":true,"values":["c1","c4"]}},"id_token":{"city":null}}"#
        },
        Identifier("removeClaimRequest(withName:target:)") {
            let request = MSALClaimsRequest(jsonString: #"{"id_token":{"city":null}}"#, error: nil)
            try request.removeClaimRequest(withName: "city", target: MSALClaimsRequestTarget.idToken)
            return request.claimsRequests(for: .idToken) == nil && request.jsonString() == "{}"
        },
        Identifier("removeClaimRequest(withName:target:), refused") {
            (try? MSALClaimsRequest().removeClaimRequest(withName: "city", target: .idToken)) == nil
        },
        Identifier("claimsRequests(for:)") {
            let request = MSALClaimsRequest(
                jsonString: #"{"id_token":{"level":{"essential":true,"value":3}}}"#, error: nil)
            let claim = request.claimsRequests(for: .idToken)?.first
            return claim?.name == "level" && claim?.additionalInfo?.essential == NSNumber(value: true)
                && claim?.additionalInfo?.value as? Int == 3 && claim?.additionalInfo?.values == nil
        },
    ]

    private static let errors: [Identifier] = [
        Identifier("MSALError") {
            let codes: [MSALError] = [
                .internal, .workplaceJoinRequired, .interactionRequired, .serverDeclinedScopes,
                .serverProtectionPoliciesRequired, .userCanceled, .serverError, .insufficientDeviceStrength,
            ]
            return codes.map(\.rawValue) == (0...7).map { -50000 - $0 }
        },
        Identifier("the keys of errors") {
            let keys = [
                MSALErrorDescriptionKey, MSALCorrelationIDKey, MSALOAuthErrorKey, MSALOAuthSubErrorKey,
                MSALGrantedScopesKey, MSALDeclinedScopesKey, MSALHomeAccountIdKey, MSALDisplayableUserIdKey,
                MSALInternalErrorCodeKey,
            ]
            return Set(keys).count == keys.count
        },
    ]

    private static let log: [Identifier] = [
        .compiles("MSALGlobalConfig.loggerConfig", { MSALGlobalConfig.loggerConfig.logLevel = .info }),
        .compiles("logMaskingLevel", { MSALGlobalConfig.loggerConfig.logMaskingLevel = .settingsMaskAllPII }),
        Identifier("MSALLogLevel") {
            let levels: [MSALLogLevel] = [.nothing, .error, .warning, .info, .verbose, .last]
            return levels.map(\.rawValue) == [0, 1, 2, 3, 4, 4]
        },
        Identifier("MSALLogMaskingLevel") {
            let levels: [MSALLogMaskingLevel] = [.settingsMaskAllPII, .settingsMaskEUIIOnly, .settingsMaskSecretsOnly]
            return levels.map(\.rawValue) == Array(0...2)
        },
        .compiles(
            "setLogCallback",
            { (config: MSALLoggerConfig) in
                config.setLogCallback { (level: MSALLogLevel, message: String?, containsPII: Bool) in
                    _ = (level, message, containsPII)
                }
                return config.callback
            }),
        Identifier("MSALGlobalConfig.httpConfig") {
            let config = MSALGlobalConfig.httpConfig
            return config.retryCount == 1 && config.retryInterval == 0.5 && config.timeoutIntervalForRequest == 300
        },
        Identifier("MSALGlobalConfig.brokerAvailability") { MSALGlobalConfig.brokerAvailability == .auto },
    ]

    @available(*, deprecated)
    private static let deprecated: [Identifier] = [
        Identifier("init(configuration:challengeTypes:)") {
            let authority = try MSALCIAMAuthority(url: #require(URL(string: "https://contoso.ciamlogin.com")))
            let config = MSALPublicClientApplicationConfig(clientId: "a", redirectUri: "b:c", authority: authority)
            return try MSALNativeAuthPublicClientApplication(configuration: config, challengeTypes: [.OOB])
                .configuration.redirectUri == "b:c"
        },
        Identifier("init(clientId:tenantSubdomain:challengeTypes:redirectUri:)") {
            try MSALNativeAuthPublicClientApplication(
                clientId: "a", tenantSubdomain: "contoso", challengeTypes: [.OOB, .password]
            ).configuration.redirectUri == nil
        },
        .compiles(
            "1.x calls of the app",
            {
                (
                    app: MSALNativeAuthPublicClientApplication, up: any SignUpStartDelegate,
                    in: any SignInStartDelegate,
                    reset: any ResetPasswordStartDelegate
                ) in
                app.signUp(username: "m", delegate: up)
                app.signUp(username: "m", password: "p", attributes: ["a": 1], correlationId: UUID(), delegate: up)
                app.signIn(username: "m", delegate: `in`)
                app.signIn(username: "m", password: "p", scopes: ["s"], correlationId: UUID(), delegate: `in`)
                app.resetPassword(username: "m", delegate: reset)
                app.resetPassword(username: "m", correlationId: UUID(), delegate: reset)
            }),
        .compiles(
            "1.x calls of the states",
            {
                (
                    up: SignInAfterSignUpState, upDelegate: any SignInAfterSignUpDelegate,
                    reset: SignInAfterResetPasswordState, resetDelegate: any SignInAfterResetPasswordDelegate
                ) in
                up.signIn(delegate: upDelegate)
                up.signIn(scopes: ["s"], delegate: upDelegate)
                reset.signIn(delegate: resetDelegate)
                reset.signIn(scopes: ["s"], delegate: resetDelegate)
            }),
        .compiles(
            "1.x calls of the account",
            {
                (result: MSALNativeAuthUserAccountResult, delegate: any CredentialsDelegate) in
                result.getAccessToken(delegate: delegate)
                result.getAccessToken(forceRefresh: true, correlationId: UUID(), delegate: delegate)
                result.getAccessToken(scopes: ["s"], delegate: delegate)
                result.getAccessToken(scopes: ["s"], forceRefresh: true, correlationId: UUID(), delegate: delegate)
            }),
    ]

    @Test(arguments: claims + errors + log)
    func exists(_ identifier: Identifier) throws {
        #expect(try identifier.holds())
    }

    @available(*, deprecated)
    @Test(arguments: deprecated)
    func existsStill(_ identifier: Identifier) throws {
        #expect(try identifier.holds())
    }
}
