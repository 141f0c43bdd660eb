// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials
import Wire

/// An extension as its author writes it: a JSON object whose ids may be missing.
package struct ExtensionDraft: Sendable, Codable {
    private var members: [String: JSONValue]

    /// Why a file is no definition, in words for its author.
    package struct Malformed: Error, Sendable, Equatable {
        package let reason: String
    }

    package init(json data: Data) throws(Malformed) {
        guard let members = JSONValue(json: data)?.object else { throw Malformed(reason: "it is no JSON object") }
        let known = AuthenticationExtension.CodingKeys.allCases.map(\.rawValue)
        // A misspelt 'enabled' must not go unnoticed.
        if let unknown = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw Malformed(reason: "there is no member '\(unknown)'")
        }
        self.members = members
    }

    /// The definition. Ids that are missing are those of the extension of the same name, or made.
    package func registration(
        among others: [AuthenticationExtension], random: RandomSource = .system
    ) throws(Malformed) -> AuthenticationExtension {
        let former = others.first { other in
            members["id"]?.string.map { $0.lowercased() == other.id.lowercased() }
                ?? (other.name == members["name"]?.string)
        }
        var filled = members
        filled["id"] = members["id"] ?? .string(former?.id ?? random.uuid())
        filled["listener_id"] = members["listener_id"] ?? .string(former?.listenerID ?? random.uuid())
        filled["resource_id"] = members["resource_id"] ?? .string(resourceID(former, random))
        return try Self.decode(filled)
    }

    /// The former id while the host is the same; the host with a new application id otherwise. Where the target is no
    /// URL, that is the definition's problem.
    private func resourceID(_ former: AuthenticationExtension?, _ random: RandomSource) -> String {
        guard let target = (members["target_url"]?.string).flatMap(CalloutTarget.init) else { return "" }
        if let former, former.resource?.host == target.host { return former.resourceID }
        let host = target.host.contains(":") ? "[\(target.host)]" : target.host
        return "api://\(host)/\(random.uuid())"
    }

    private static func decode(_ members: [String: JSONValue]) throws(Malformed) -> AuthenticationExtension {
        do {
            return try JSONDecoder().decode(
                AuthenticationExtension.self, from: try JSONEncoder().encode(JSONValue.object(members)))
        } catch DecodingError.keyNotFound(let key, _) {
            throw Malformed(reason: "'\(key.stringValue)' is missing")
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context)
        {
            throw Malformed(reason: "the value of '\(context.codingPath.first?.stringValue ?? "")' is not of its kind")
        } catch {
            throw Malformed(reason: "it cannot be read")
        }
    }
}

extension AuthenticationExtension {
    /// Why it cannot stand beside the others, in words for its author; nil if it can.
    func conflict(with others: [AuthenticationExtension]) -> String? {
        for other in others where other.id.lowercased() != id.lowercased() {
            if other.name == name { return "another extension has the name '\(name)'" }
            if enabled, other.enabled, other.event == event, sharesApps(with: other) {
                return "the extension '\(other.name)' is for the same event and app"
            }
        }
        return nil
    }

    /// Whether it would be chance which of the two is asked.
    private func sharesApps(with other: AuthenticationExtension) -> Bool {
        switch (apps, other.apps) {
        case (nil, nil): true
        case (let own?, let others?):
            !Set(own.map { $0.lowercased() }).isDisjoint(with: others.map { $0.lowercased() })
        default: false
        }
    }
}
