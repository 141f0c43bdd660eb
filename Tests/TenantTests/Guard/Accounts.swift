// SPDX-License-Identifier: Apache-2.0

import TenantTesting

/// Accounts of a tenant of the profile `strict`, whose passwords have fifteen characters.
enum Accounts {
    static let password = "Fjord-Salmon-Boat-47"

    static func password(_ address: String, _ scene: Scene) throws {
        _ = try scene.verified(address, "&password=\(password)&\(Scene.country)")
    }

    static func code(_ address: String, _ scene: Scene) throws { _ = try scene.codeAccount(address) }
}
