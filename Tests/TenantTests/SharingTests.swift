// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Testing

@testable import Tenant

/// Calls from scripts of other origins.
struct SharingTests {
    private let shop = "https://shop.example"
    private let scene: Scene

    init() throws {
        scene = Scene(try TestTenant { $0.corsOrigins = ["https://shop.example", "http://127.0.0.1:3000"] })
    }

    private func preflight(_ scene: Scene, _ origin: String, _ path: String = "/oauth2/v2.0/token") throws -> RawAnswer
    {
        try scene.caller.answer(
            "OPTIONS", path,
            [
                "origin": origin, "access-control-request-method": "POST",
                "access-control-request-headers": "client-request-id",
            ], "")
    }

    @Test("Rule 97: nobody's script is let in unless the owner lists its origin")
    func offByDefault() throws {
        let scene = Scene(try TestTenant())
        let asked = try preflight(scene, shop)
        #expect(asked.status == 405 && asked.headers["allow"] == "POST")
        let answer = try scene.caller.post("/oauth2/v2.0/token", "", ["origin": shop])
        #expect(answer.headers.keys.allSatisfy { !$0.hasPrefix("access-control-") } && answer.headers["vary"] == nil)
    }

    @Test(
        "Rule 97: a listed origin may ask first, and reads answers",
        arguments: ["https://shop.example", "http://127.0.0.1:3000"])
    func listed(origin: String) throws {
        let asked = try preflight(scene, origin)
        #expect(asked.status == 204 && asked.body.isEmpty)
        #expect(asked.headers["access-control-allow-origin"] == origin)
        #expect(asked.headers["access-control-allow-methods"] == "GET, POST")
        #expect(asked.headers["access-control-allow-headers"]?.contains("client-request-id") == true)
        #expect(asked.headers["vary"] == "Origin")
        let answer = try scene.caller.post("/oauth2/v2.0/token", "", ["origin": origin])
        #expect(answer.status == 400)
        #expect(answer.headers["access-control-allow-origin"] == origin)
        #expect(answer.headers["access-control-expose-headers"]?.contains("x-ms-request-id") == true)
        #expect(answer.headers["vary"] == "Origin")
        #expect(answer.headers["access-control-allow-credentials"] == nil, "there are none that count")
    }

    @Test(
        "Rule 97: every other origin is none",
        arguments: [
            "https://shop.example.evil.example", "https://evil.example", "http://shop.example",
            "https://shop.example:444",
            "https://SHOP.example", "null", "", "*", "https://shop.example, https://evil.example",
        ])
    func others(origin: String) throws {
        let asked = try preflight(scene, origin)
        #expect(asked.status == 405)
        let answer = try scene.caller.post("/oauth2/v2.0/token", "", ["origin": origin])
        #expect(answer.headers["access-control-allow-origin"] == nil)
        #expect(answer.headers["vary"] == "Origin")
    }

    @Test("OPTIONS leads to no endpoint that there is not, and is answered for nothing but a preflight")
    func otherOptions() throws {
        #expect(try preflight(scene, shop, "/nothing").status == 404)
        #expect(try scene.caller.answer("OPTIONS", "/oauth2/v2.0/token", ["origin": shop], "").status == 405)
    }

    @Test("the public documents are for every script, without credentials")
    func documents() throws {
        let answer = try scene.caller.get("/discovery/v2.0/keys", ["origin": shop])
        #expect(answer.headers["access-control-allow-origin"] == "*")
        #expect(answer.headers["access-control-allow-credentials"] == nil)
    }

    @Test(
        "origins are written as browsers write them",
        arguments: [
            ("https://shop.example", true), ("http://localhost:3000", true), ("http://[::1]:3000", true),
            ("https://shop.example:8443", true), ("https://shop.example/", false), ("https://shop.example:443", false),
            ("https://Shop.example", false), ("http://shop.example", false), ("*", false), ("null", false), ("", false),
            ("https://*.example", false), ("shop.example", false), ("https://shop.example?x", false),
        ])
    func origins(text: String, isOne: Bool) {
        #expect(Settings.canBe(origin: text) == isOne)
    }
}
