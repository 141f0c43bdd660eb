// SPDX-License-Identifier: Apache-2.0

import MSAL

// The code of the page of MSAL, and of the article "Move code that was written for Microsoft's SDK".

func cloudApp() throws -> MSALNativeAuthPublicClientApplication {
    let config = try MSALNativeAuthPublicClientApplicationConfig(
        clientId: "00001111-aaaa-2222-bbbb-3333cccc4444", tenantSubdomain: "contoso", challengeTypes: [.OOB, .password])
    let app = try MSALNativeAuthPublicClientApplication(nativeAuthConfiguration: config)
    return app
}

func localApp(at address: URL) throws -> MSALNativeAuthPublicClientApplication {
    let config = MSALNativeAuthPublicClientApplicationConfig(
        clientId: "5a3d1e00-0000-4000-8000-000000000001", authority: try MSALCIAMAuthority(url: address),
        challengeTypes: [.OOB, .password])
    config.capabilities = [.mfaRequired, .registrationRequired]
    return try MSALNativeAuthPublicClientApplication(nativeAuthConfiguration: config)
}

func keepAccounts(of config: MSALNativeAuthPublicClientApplicationConfig, in folder: URL) {
    config.cacheConfig.directory = folder
}

func log() {
    MSALGlobalConfig.loggerConfig.logLevel = .verbose
    MSALGlobalConfig.loggerConfig.setLogCallback { level, message, containsPII in
        print(message ?? "")
    }
}
