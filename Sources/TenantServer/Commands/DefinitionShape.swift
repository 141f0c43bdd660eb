// SPDX-License-Identifier: Apache-2.0

import Wire

/// The members that a definition in a JSON file may have. A misspelt one must not go unnoticed: an app would be saved without
/// its second factor.
indirect enum DefinitionShape: Sendable {
    case value
    case list(DefinitionShape)
    case members([String: DefinitionShape])

    /// The path of a member that is not known.
    func unknownMember(in json: JSONValue) -> String? {
        switch (self, json) {
        case (.members(let known), .object(let members)):
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                guard let shape = known[name] else { return name }
                if let inner = shape.unknownMember(in: value) { return "\(name).\(inner)" }
            }
            return nil
        case (.list(let shape), .array(let elements)):
            return elements.lazy.compactMap { shape.unknownMember(in: $0) }.first
        default:
            return nil
        }
    }

    static func named(_ names: String...) -> [String: DefinitionShape] {
        Dictionary(uniqueKeysWithValues: names.map { ($0, .value) })
    }

    private static let claims = list(.members(named("source", "id", "claim")))

    static let userFlow = members(
        named("name", "method").merging([
            "attributes": list(
                .members(named("name", "type", "required", "page", "regex", "choices", "takes_several")))
        ]) { $1 })

    static let app = members(
        named(
            "client_id", "name", "flow", "native_authentication", "public_client", "consented", "logout_redirects",
            "redirect_uris"
        )
        .merging([
            "multi_factor": .members(named("channels", "after_code")), "claims": claims,
        ]) { $1 })

    static let api = members(named("id", "name", "identifier", "scopes").merging(["claims": claims]) { $1 })
}
