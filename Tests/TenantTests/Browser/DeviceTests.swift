// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import TenantTesting
import Testing
import Wire

@testable import Tenant

/// Sign-in on another device (RFC 8628).
struct DeviceTests {
    private let mira = "mira@lofoten.example"
    private let scene: Scene
    private let pages: Pages

    init() throws {
        scene = Scene(try TestTenant())
        pages = Pages(scene)
        try scene.passwordAccount(mira)
    }

    private func start(_ more: String = "&scope=openid+profile+offline_access") throws -> RawAnswer {
        try scene.caller.post("/oauth2/v2.0/devicecode", "client_id=\(Scene.passwordApp)" + more)
    }

    private func poll(_ started: RawAnswer, app: String = Scene.passwordApp) throws -> RawAnswer {
        let code = started["device_code"]?.string ?? ""
        return try scene.caller.post(
            "/oauth2/v2.0/token",
            "client_id=\(app)&grant_type=urn:ietf:params:oauth:grant-type:device_code&device_code=\(code)")
    }

    private func signIn(_ code: String) throws {
        try pages.open("/device")
        try pages.submit(["code": code])
        try pages.submit()
        try pages.submit(["username": mira])
        try pages.submit(["password": Scene.password])
    }

    @Test("the device gets codes, and tokens when somebody has signed in")
    func signsIn() throws {
        let started = try start()
        #expect(started.status == 200 && started["expires_in"] == .integer(900) && started["interval"] == .integer(5))
        let code = try #require(started["user_code"]?.string)
        #expect(code.wholeMatch(of: /[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/) != nil)
        #expect(started["verification_uri"] == .string("http://127.0.0.1:8400/local/device"))
        #expect(
            started["verification_uri_complete"]
                == .string("http://127.0.0.1:8400/local/device?user_code=\(code)"))
        #expect(started["message"]?.string?.contains(code) == true)
        #expect(try poll(started).error == "authorization_pending")
        try signIn(code.lowercased().replacing("-", with: " "))
        #expect(pages.title == "You are signed in" && pages.location == nil)
        let tokens = try poll(started)
        #expect(tokens.status == 200 && !tokens.refreshToken.isEmpty)
        #expect(try poll(started).error == "invalid_grant", "once")
    }

    @Test("the page says for which app and which code it is, and asks first")
    func consent() throws {
        let code = try #require(try start()["user_code"]?.string)
        try pages.open("/device?user_code=\(code)")
        #expect(pages.text.contains(#"value="\#(code)""#), "the code is filled in, and has to be confirmed")
        try pages.submit(["code": code])
        #expect(pages.title == "Sign in to Sample app (password) on another device" && pages.text.contains(code))
    }

    @Test("a device that asks too often waits longer")
    func slowDown() throws {
        let started = try start()
        #expect(try poll(started).error == "authorization_pending")
        #expect(try poll(started).error == "slow_down")
        scene.tenant.clock.advance(by: 6)
        #expect(try poll(started).error == "slow_down")
        scene.tenant.clock.advance(by: 15)
        #expect(try poll(started).error == "authorization_pending")
    }

    @Test("who does not want to is believed")
    func denied() throws {
        let started = try start()
        try pages.open("/device")
        try pages.submit(["code": started["user_code"]?.string ?? ""])
        try pages.submit(["do": "cancel"])
        #expect(pages.title == "Nobody was signed in")
        #expect(try poll(started).error == "access_denied")
    }

    @Test("codes end after a quarter of an hour, and are of one app")
    func ends() throws {
        let started = try start()
        #expect(try poll(started, app: Scene.codeApp).error == "invalid_grant")
        scene.tenant.clock.advance(by: 900)
        #expect(try poll(started).error == "expired_token")
        try pages.open("/device")
        try pages.submit(["code": started["user_code"]?.string ?? ""])
        #expect(pages.problem?.contains("not known, or has expired") == true)
    }

    @Test("what is asked for is looked at before anybody is sent anywhere")
    func refused() throws {
        #expect(try start("&scope=nonsense").error == "invalid_scope")
        #expect(try scene.caller.post("/oauth2/v2.0/devicecode", "client_id=nobody").error == "unauthorized_client")
        #expect(try scene.caller.post("/oauth2/v2.0/devicecode", "").code == 90100)
        #expect(try scene.caller.get("/oauth2/v2.0/devicecode").status == 405)
    }

    @Test("wrong codes count for their network, and end in a pause")
    func guessing() throws {
        let scene = Scene(
            try TestTenant {
                $0.failuresPerNetwork = 3
                $0.limitLoopback = true
            })
        let pages = Pages(scene)
        try pages.open("/device")
        for _ in 0..<3 {
            try pages.submit(["code": "BBBB-BBBB"])
            #expect(pages.answer.status == 400)
        }
        try pages.submit(["code": "BBBB-BBBC"])
        #expect(pages.answer.status == 429 && pages.problem?.hasPrefix("That was too often") == true)
    }

    @Test("nothing goes on without a code")
    func noShortCut() throws {
        for step in ["signin", "signup"] {
            try pages.open("/device")
            try pages.submit(["do": step])
            #expect(pages.title == "Enter the code of your device")
        }
    }
}
