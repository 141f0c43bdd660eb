// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL
import Testing

/// Which addresses an app can be pointed at.
struct AuthorityTests {
    @Test(arguments: [
        ("https://contoso.ciamlogin.com", "https://contoso.ciamlogin.com/contoso.onmicrosoft.com"),
        ("https://contoso.ciamlogin.com/", "https://contoso.ciamlogin.com/contoso.onmicrosoft.com"),
        ("https://contoso.ciamlogin.com/contoso.com", "https://contoso.ciamlogin.com/contoso.com"),
        (
            "https://login.contoso.com/8d0f6c1e-52b7-4f0a-9a55-1b7e0c9d2f31",
            "https://login.contoso.com/8d0f6c1e-52b7-4f0a-9a55-1b7e0c9d2f31"
        ),
        ("https://login.contoso.com/tenant?x=1#y", "https://login.contoso.com/tenant"),
        ("http://127.0.0.1:8080/local", "http://127.0.0.1:8080/local"),
        ("http://localhost:8080/local", "http://localhost:8080/local"),
        ("http://[::1]:8080/local", "http://[::1]:8080/local"),
    ])
    func taken(_ text: String, _ url: String) throws {
        let authority = try MSALCIAMAuthority(url: #require(URL(string: text)))
        #expect(authority.url.absoluteString == url)
        #expect(try MSALCIAMAuthority(url: #require(URL(string: text)), validateFormat: false).url == authority.url)
    }

    @Test(arguments: [
        ("http://contoso.ciamlogin.com/contoso.com", "neither https nor on loopback"),
        ("https://login.contoso.com", "does not name a tenant"),
        ("contoso", "no absolute URL"),
        ("https://me:secret@contoso.ciamlogin.com", "no absolute URL"),
    ])
    func refused(_ text: String, _ words: String) throws {
        let url = try #require(URL(string: text))
        let error = #expect(throws: NSError.self) { try MSALCIAMAuthority(url: url) }
        #expect(error?.domain == MSALErrorDomain)
        #expect(error?.localizedDescription.contains(words) == true)
    }

    @Test(arguments: [
        ("https://contoso.ciamlogin.com/contoso.com/more", "https://contoso.ciamlogin.com/contoso.com"),
        ("https://CONTOSO.CIAMLOGIN.com/contoso.com", "https://contoso.ciamlogin.com/contoso.com"),
        ("https://login.contoso.com/tenant", nil),
        ("http://127.0.0.1:8080/local", nil),
    ])
    func validated(_ text: String, _ url: String?) throws {
        let given = try #require(URL(string: text))
        #expect((try? MSALCIAMAuthority(url: given, validateFormat: true))?.url.absoluteString == url)
    }

    @Test(arguments: ["", "contoso.ciamlogin.com", "https://contoso", "con toso", "-contoso"])
    func subdomainsHaveOneLabel(_ subdomain: String) {
        #expect(throws: (any Error).self) {
            try MSALNativeAuthPublicClientApplicationConfig(
                clientId: "app", tenantSubdomain: subdomain, challengeTypes: [.OOB])
        }
    }

    /// The base class takes any tenant's address, and an app for native authentication only its own kind.
    @Test(arguments: [
        ("https://login.microsoftonline.com/common", false),
        ("https://contoso.b2clogin.com/contoso.onmicrosoft.com", false),
        ("https://contoso.ciamlogin.com", true),
    ])
    func otherKinds(_ text: String, _ isTaken: Bool) throws {
        let authority = try MSALAuthority(url: #require(URL(string: text)))
        let config = MSALNativeAuthPublicClientApplicationConfig(
            clientId: "app", authority: authority, challengeTypes: [.OOB])
        let app = Result { try MSALNativeAuthPublicClientApplication(nativeAuthConfiguration: config) }
        switch app {
        case .success: #expect(isTaken)
        case .failure(let error):
            #expect(!isTaken)
            #expect(error.localizedDescription.contains("no External ID tenant"))
        }
    }

    @Test func clientIdIsNeeded() throws {
        let config = try MSALNativeAuthPublicClientApplicationConfig(
            clientId: "", tenantSubdomain: "contoso", challengeTypes: [.OOB])
        let error = #expect(throws: NSError.self) {
            try MSALNativeAuthPublicClientApplication(nativeAuthConfiguration: config)
        }
        #expect(error?.domain == MSALErrorDomain && error?.code == -50000)
    }

    @Test func withoutRedirectNothingIsChecked() throws {
        let config = try MSALNativeAuthPublicClientApplicationConfig(
            clientId: "app", tenantSubdomain: "contoso", challengeTypes: [.OOB])
        _ = try MSALNativeAuthPublicClientApplication(nativeAuthConfiguration: config)
        #expect(config.bypassRedirectURIValidation)
    }
}
