// SPDX-License-Identifier: Apache-2.0

import Console
import Tenant

/// Lists the keys that sign, or signed, the tenant's tokens.
struct ListKeys: TenantCommand {
    var tenant = TenantDefaults.name
    var json = false

    static let name = "key list"
    static let summary = "List the keys that sign tokens"

    static var parameters: [Parameter<ListKeys>] {
        [.flag("--json", to: \.json, help: "Print a JSON object."), .tenant(to: \.tenant)]
    }

    static var discussion: String {
        """
        One key is 'current' and signs. The 'next' one is published a day before it signs, so that clients know it then. A \
        'retired' one is published until the last token that it signed has expired. The setting key_rotation says after \
        how many days a key is replaced by itself; 0 is never.
        """
    }

    func run(_ context: TenantContext) throws {
        let keys = try context.perform(ReadKeys(), on: tenant)
        if json { return try context.print(json: KeyList(keys: keys.map(KeyObject.init))) }
        for key in keys { try context.output.line("\(key.kid)\t\(key.state.rawValue)\t\(key.words)") }
    }
}

/// Replaces the key that signs tokens.
struct RotateKey: TenantCommand {
    var tenant = TenantDefaults.name
    var now = false
    var json = false

    static let name = "key rotate"
    static let summary = "Replace the key that signs tokens"

    static var parameters: [Parameter<RotateKey>] {
        [
            .flag("--now", to: \.now, help: "Use the new key at once, as after a leak, and not in a day."),
            .flag("--json", to: \.json, help: "Print the keys as a JSON object."), .tenant(to: \.tenant),
        ]
    }

    static var examples: [Example] {
        [Example("nativeauth tenant key rotate", "Publish a new key, which signs from tomorrow on.")]
    }

    func run(_ context: TenantContext) throws {
        let reply = try context.perform(RotateKeys(immediately: now), on: tenant)
        let keys = reply.keys
        if !reply.didChange { try context.errors.line("A new key is published already, and waits for its time.") }
        if json { return try context.print(json: KeyList(keys: keys.map(KeyObject.init))) }
        guard let newest = keys.last else { return }
        try context.output.line("\(newest.kid)\t\(newest.state.rawValue)\t\(newest.words)")
    }
}

extension KeyCard {
    fileprivate var words: String {
        switch state {
        case .next: "signs from \(RFC3339.text(activatesAt))"
        case .current: "signs since \(RFC3339.text(activatesAt))"
        case .retired: "signed until \(RFC3339.text(retiresAt ?? activatesAt))"
        }
    }
}

private struct KeyList: Encodable {
    var schema = 1
    var keys: [KeyObject]
}

/// A key as `--json` prints it.
private struct KeyObject: Encodable {
    var kid: String
    var state: KeyCard.State
    var published_at: String
    var activates_at: String
    var retires_at: String?

    init(_ key: KeyCard) {
        kid = key.kid
        state = key.state
        published_at = RFC3339.text(key.publishedAt)
        activates_at = RFC3339.text(key.activatesAt)
        retires_at = key.retiresAt.map(RFC3339.text)
    }
}
