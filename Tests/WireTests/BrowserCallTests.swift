// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import Wire

/// Requests and answers of sign-in by a browser, as RFC 6749, RFC 7636 and RFC 8628 write them in their examples.
struct BrowserCallTests {
    private let id = "3b6a2d54-0c1f-4f7e-8f43-6d1f2f3f4a10"

    @Test("the code's exchange (RFC 6749, section 4.1.3, with the verifier of RFC 7636, section 4.5)")
    func authorizationCode() throws {
        try expectBody(
            "client_id=\(id)&grant_type=authorization_code&code=SplxlOBeZQQYbYS6WxSbIA"
                + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A51004%2Fcallback"
                + "&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk&client_info=1",
            SignIn.Token(
                clientId: id, grantType: .authorizationCode, clientInfo: "1", code: "SplxlOBeZQQYbYS6WxSbIA",
                redirectUri: "http://127.0.0.1:51004/callback",
                codeVerifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"), path: "/oauth2/v2.0/token")
    }

    @Test("the device's question (RFC 8628, section 3.4)")
    func deviceCode() throws {
        try expectBody(
            "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code"
                + "&device_code=GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS&client_id=\(id)",
            SignIn.Token(
                clientId: id, grantType: .deviceCode, deviceCode: "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS"),
            path: "/oauth2/v2.0/token")
    }

    @Test("the device's beginning (RFC 8628, sections 3.1 and 3.2)")
    func device() throws {
        try expectBody(
            "client_id=\(id)&scope=openid+profile",
            DeviceAuthorization.Start(clientId: id, scope: [.openid, .profile]),
            path: "/oauth2/v2.0/devicecode")
        let answer = """
            {"device_code": "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS", "user_code": "WDJB-MJHT",
             "verification_uri": "https://example.com/device",
             "verification_uri_complete": "https://example.com/device?user_code=WDJB-MJHT",
             "expires_in": 1800, "interval": 5}
            """
        let reply = DeviceAuthorization.Start.Reply(
            deviceCode: "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS", userCode: "WDJB-MJHT",
            verificationUri: "https://example.com/device",
            verificationUriComplete: "https://example.com/device?user_code=WDJB-MJHT", expiresIn: 1800, interval: 5)
        #expect(try WireJSON.decode(DeviceAuthorization.Start.Reply.self, from: Data(answer.utf8)) == reply)
        #expect(try JSONValue(json: WireJSON.encode(reply)) == JSONValue(json: answer.utf8))
    }
}
