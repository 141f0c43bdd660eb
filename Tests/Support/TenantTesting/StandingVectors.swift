// SPDX-License-Identifier: Apache-2.0

import Tenant
import Wire

private let mira = "mira@lofoten.example"

extension Conformance {
    /// What an administrator has decided about apps and accounts.
    static let standing = apps + accounts

    private static let apps: [ConformanceVector] = [
        ConformanceVector("9", "start of a confidential app", .refused("invalid_client", nil, 550_022)) { scene in
            try scene.change { $0.isPublicClient = false }
            return try scene.start(mira)
        },
        ConformanceVector(
            "10", "start whose list lacks redirect, by the service's other document",
            .refused("invalid_request", nil, 901_007), settings: { $0.noRedirectIsInvalidRequest = true }
        ) { scene in
            try scene.caller.post(
                "/signup/v1.0/start",
                "client_id=\(Scene.passwordApp)&username=mira%40lofoten.example&challenge_type=oob+password")
        },
        ConformanceVector(
            "51", "initiate whose list lacks redirect, by the service's other document",
            .refused("invalid_request", nil, 901_007), settings: { $0.noRedirectIsInvalidRequest = true }
        ) { scene in
            try scene.caller.post(
                "/oauth2/v2.0/initiate",
                "client_id=\(Scene.passwordApp)&username=mira%40lofoten.example&challenge_type=oob+password")
        },
        ConformanceVector(
            "85", "scope that nobody has consented to", .refused("invalid_grant", "consent_required", 65001)
        ) { scene in
            try scene.change { $0.consented = ["api://sample/Orders.Read"] }
            return try scene.signedIn(mira, scope: "scope=openid+api%3A%2F%2Fsample%2FOrders.Write")
        },
        ConformanceVector("85", "scope that somebody has consented to", .tokens.without("refresh_token")) { scene in
            try scene.change { $0.consented = ["api://sample/Orders.Read"] }
            return try scene.signedIn(mira, scope: "scope=openid+api%3A%2F%2Fsample%2FOrders.Read")
        },
    ]

    private static func account(_ scene: Scene, _ change: (inout AccountStatus) -> Void) throws {
        try scene.passwordAccount(mira)
        _ = try scene.tenant.provider.changeAccount(mira, change)
    }

    private static let accounts: [ConformanceVector] = [
        ConformanceVector("52", "initiate by an alias", .continuation, settings: { $0.aliasSignIn = true }) { scene in
            try account(scene) { $0.alias = "mira.l" }
            return try scene.initiate("Mira.L")
        },
        ConformanceVector("52", "sign-in by an alias", .tokens, settings: { $0.aliasSignIn = true }) { scene in
            try account(scene) { $0.alias = "mira.l" }
            return try scene.signIn("mira.l")
        },
        ConformanceVector(
            "52", "initiate by an alias where only addresses are names",
            .refused("invalid_request", nil, 90100, text: "username parameter is empty or not valid")
        ) { scene in
            try account(scene) { $0.alias = "mira.l" }
            return try scene.initiate("mira.l")
        },
        ConformanceVector("53", "initiate of a federated account", .redirect) { scene in
            try account(scene) { $0.identityProvider = "google.com" }
            return try scene.initiate(mira)
        },
        ConformanceVector("87", "password that has to be changed", .refused("invalid_request", nil, 50142)) { scene in
            try account(scene) { $0.mustChangePassword = true }
            return try scene.signIn(mira)
        },
        ConformanceVector("87", "wrong password of such an account", .refused("invalid_grant", nil, 50126)) { scene in
            try account(scene) { $0.mustChangePassword = true }
            return try scene.submit(password: "Fjord-Salmon-48", try scene.challenged(mira).token)
        },
    ]
}
