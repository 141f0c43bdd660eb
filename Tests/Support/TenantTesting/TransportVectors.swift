// SPDX-License-Identifier: Apache-2.0

import Tenant
import Wire

private let mira = "mira@lofoten.example"

extension Conformance {
    /// What every endpoint does, discovery and keys.
    static let transport = rate + correlated + documents

    private static let tooMany = Expected(status: 429)

    /// The tenant's clock stands still, so all requests of a line are of the same second until it is moved.
    private static func requests(_ count: Int, _ scene: Scene) throws -> RawAnswer {
        var answer = try scene.initiate(mira)
        for _ in 1..<count { answer = try scene.initiate(mira) }
        return answer
    }

    private static let rate: [ConformanceVector] = [
        ConformanceVector(
            "120", "the 20th request in a second", .refused("user_not_found", nil, 50034),
            settings: { $0.requestsPerSecond = 20 }
        ) { try requests(20, $0) },
        ConformanceVector("120", "the 21st request in a second", tooMany, settings: { $0.requestsPerSecond = 20 }) {
            try requests(21, $0)
        }.and("it tells when to come again, and nothing else") { _, answer in
            answer.headers["retry-after"] == "1" && answer.json == .object([:])
        },
        ConformanceVector(
            "120", "the 22nd request, a second later", .refused("user_not_found", nil, 50034),
            settings: { $0.requestsPerSecond = 20 }
        ) { scene in
            _ = try requests(21, scene)
            scene.tenant.clock.advance(by: 1)
            return try scene.initiate(mira)
        },
    ]

    private static let correlation = "5E1C0B0A-7D5B-4C55-9A0E-2F3B7A5D9911"

    private static let correlated: [ConformanceVector] = [
        ConformanceVector(
            "121", "correlation id in an error",
            Expected(
                status: 400, error: "user_not_found", code: 50034, members: ["correlation_id": .string(correlation)])
        ) { scene in
            try scene.caller.post(
                "/oauth2/v2.0/initiate",
                "client_id=\(Scene.passwordApp)&username=mira%40lofoten.example&challenge_type=oob+redirect",
                ["client-request-id": correlation])
        }.and("the header is the same") { _, answer in answer.headers["client-request-id"] == correlation },
        ConformanceVector("121", "correlation id of a success", .continuation) { scene in
            try scene.caller.post(
                "/signup/v1.0/start",
                "client_id=\(Scene.passwordApp)&username=mira%40lofoten.example&challenge_type=oob+password+redirect",
                ["client-request-id": correlation])
        }.and("the header is the same") { _, answer in answer.headers["client-request-id"] == correlation },
        ConformanceVector("122", "GET instead of POST", Expected(status: 405, error: "invalid_request")) { scene in
            try scene.caller.get("/signup/v1.0/start")
        },
        ConformanceVector("122", "POST instead of GET", Expected(status: 405, error: "invalid_request")) { scene in
            try scene.caller.post("/discovery/v2.0/keys", "")
        },
    ]

    private static let documents: [ConformanceVector] = [
        ConformanceVector("123", "discovery", Expected()) {
            try $0.caller.get("/v2.0/.well-known/openid-configuration")
        }.and("the issuer is named by the tenant's id") { scene, answer in
            let id = scene.tenant.provider.currentSettings.tenantID
            return answer["issuer"] == .string("http://127.0.0.1:8400/\(id)/v2.0")
        },
        ConformanceVector("124", "keys", Expected()) { try $0.caller.get("/discovery/v2.0/keys") }
            .and("the key of issued tokens is among them") { scene, answer in
                guard case .array(let keys)? = answer["keys"] else { return false }
                let kid = JWT(try scene.signedIn(mira)["id_token"]?.string ?? "")?.header.kid
                return keys.contains { $0["kid"]?.string == kid && kid != nil }
            },
    ]
}
