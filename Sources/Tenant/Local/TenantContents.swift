// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// What a tenant reads from its database when it starts.
struct TenantContents: Sendable {
    let settings: Settings
    let keys: KeyRing
    /// The latest time that the tenant has seen.
    let latestTime: Int64

    /// Why the contents cannot be used.
    enum Damaged: Error {
        case settings
        case signingKey
    }

    /// Reads the contents; a new database gets its tables and its first contents in one transaction, so that a tenant
    /// is there as a whole or not at all.
    static func load(
        from database: Database, _ vault: Vault, makingWith settings: () -> Settings, now: Date,
        releasingClaimsIf areDead: () -> Bool
    ) throws -> TenantContents {
        try database.transaction { connection in
            try Schema.prepare(&connection)
            if try connection.rows("SELECT 1 FROM signing_key").isEmpty {
                try make(settings(), vault, now, &connection)
            }
            try connection.releaseClaims(if: areDead)
            try connection.keep(latestTime: Int64(now.timeIntervalSince1970))
            return try read(vault, &connection)
        }
    }

    /// The settings as they are stored.
    static func settings(_ connection: inout Connection) throws -> Settings {
        guard let text = try connection.rows("SELECT value FROM setting WHERE name = 'settings'").first?.text(0),
            let settings = try? Settings(stored: text)
        else { throw Damaged.settings }
        return settings
    }

    /// Tells the contents from others, without reading the keys themselves.
    static func mark(_ connection: inout Connection) throws -> [SQLValue] {
        let settings = try connection.rows("SELECT value FROM setting WHERE name = 'settings'")
        let keys = try connection.rows("SELECT number, activates_at FROM signing_key ORDER BY number")
        return (settings + keys).flatMap { $0.values }
    }

    static func read(_ vault: Vault, _ connection: inout Connection) throws -> TenantContents {
        let settings = try settings(&connection)
        guard let keys = try connection.keyRing(vault) else { throw Damaged.signingKey }
        return TenantContents(settings: settings, keys: keys, latestTime: try connection.latestTime())
    }

    private static func make(_ settings: Settings, _ vault: Vault, _ now: Date, _ connection: inout Connection) throws {
        guard let signer = Signer.generate() else { throw Damaged.signingKey }
        let seconds = Int64(now.timeIntervalSince1970)
        let key = SigningKey(signer: signer, number: 0, publishedAt: seconds, activatesAt: seconds, longestToken: 0)
        _ = try connection.add(key, vault)
        try connection.save(settings)
        for flow in UserFlow.samples { try connection.save(flow) }
        for app in AppRegistration.samples { try connection.save(app) }
    }
}

// MARK: - What a fresh tenant has

extension UserFlow {
    private static let sampleAttributes = [
        AttributeDefinition(name: "country"), AttributeDefinition(name: "city", required: false),
    ]

    /// Sign-up by e-mail with a password, and by e-mail with a code each time.
    package static let samples = [
        UserFlow(name: "email-password", method: .password, attributes: sampleAttributes),
        UserFlow(name: "email-code", method: .code, attributes: sampleAttributes),
    ]
}

extension AppRegistration {
    /// The fixed client id of the sample app with passwords; no secret.
    package static let passwordSampleID = "5a3d1e00-0000-4000-8000-000000000001"
    /// The fixed client id of the sample app with codes alone; no secret.
    package static let codeSampleID = "5a3d1e00-0000-4000-8000-000000000002"

    /// One app for each sample user flow. A program on this machine may wait for a browser's code.
    package static let samples = [
        sample(passwordSampleID, "Sample app (password)", "email-password"),
        sample(codeSampleID, "Sample app (code)", "email-code"),
    ]

    private static func sample(_ id: String, _ name: String, _ flow: String) -> AppRegistration {
        var app = AppRegistration(clientID: id, name: name, userFlow: flow)
        app.redirects = RedirectAddress.samples
        return app
    }
}
