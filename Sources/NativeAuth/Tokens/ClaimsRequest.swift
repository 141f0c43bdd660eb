// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// The claims that tokens are to hold (OpenID Connect Core 1.0, section 5.5), or the answer to a resource that wants
/// more than a token says (`claims` in `WWW-Authenticate`).
///
/// Tokens that are in the cache are no answer to it, so a request with claims always goes to the tenant.
public struct ClaimsRequest: Sendable, Hashable {
    /// The request as it is sent: a JSON object.
    public let json: String
    /// True if no claim is asked for; then the request counts as none.
    public let isEmpty: Bool

    /// Why text is no claims request.
    public enum Invalid: Error, Sendable, Equatable {
        /// Not one JSON object, without repeated names.
        case notAnObject
        /// A member that does not have the form of section 5.5, by its path: `id_token.email.essential`.
        case malformed(String)
    }

    /// Reads a request that somebody else wrote; it is sent exactly as it is.
    ///
    /// Members of the object that are none of the standard's are let through, as section 5.5 has it.
    ///
    /// - Parameter text: A JSON object, as OpenID Connect Core 1.0, section 5.5, describes it.
    /// - Throws: ``Invalid``.
    public init(json text: String) throws(Invalid) {
        guard case .object(let members)? = JSONValue(json: text.utf8) else { throw .notAnObject }
        json = text
        isEmpty = try Self.demands(in: members).isEmpty
    }

    /// A request for single claims, by name.
    ///
    /// - Parameters:
    ///   - idToken: Claims of the ID token.
    ///   - accessToken: Claims of the access token.
    public init(idToken: [String: Demand] = [:], accessToken: [String: Demand] = [:]) {
        let targets = ["id_token": idToken, "access_token": accessToken].filter { !$0.value.isEmpty }
        let object = JSONValue.object(targets.mapValues { .object($0.mapValues(\.json)) })
        isEmpty = targets.isEmpty
        do {
            json = String(decoding: try WireJSON.encode(object), as: UTF8.self)
        } catch {
            // Texts, truth values and whole numbers can always be written.
            preconditionFailure("a claims request that is no JSON: \(error)")
        }
    }

    /// What the `claims` field holds.
    var field: String? { isEmpty ? nil : json }
}

extension ClaimsRequest {
    /// How a claim is wanted. All members may be left out: then the tenant may leave the claim out, too.
    public struct Demand: Sendable, Hashable {
        /// Whether the app needs the claim to work smoothly.
        public var isEssential: Bool?
        /// The value that the claim is to have.
        public var value: AttributeValue?
        /// The values that the claim may have, the preferred one first.
        public var values: [AttributeValue]?

        /// A demand.
        public init(essential: Bool? = nil, value: AttributeValue? = nil, values: [AttributeValue]? = nil) {
            isEssential = essential
            self.value = value
            self.values = values
        }

        /// A claim that the app would like to have.
        public static let voluntary = Demand()
        /// A claim that the app needs.
        public static let essential = Demand(essential: true)

        fileprivate var json: JSONValue {
            var members: [String: JSONValue] = [:]
            members["essential"] = isEssential.map { .bool($0) }
            members["value"] = value?.json
            members["values"] = values.map { .array($0.map(\.json)) }
            return members.isEmpty ? .null : .object(members)
        }
    }
}

// MARK: - The form

extension ClaimsRequest {
    /// The names of the claims that are asked for; throws where one is asked for in no way that there is.
    private static func demands(in members: [String: JSONValue]) throws(Invalid) -> [String] {
        var names: [String] = []
        for target in ["id_token", "access_token", "userinfo"] {
            switch members[target] {
            case nil, .null?: continue
            case .object(let claims)?:
                for (name, demand) in claims { try check(demand, "\(target).\(name)") }
                names += claims.keys
            default: throw .malformed(target)
            }
        }
        return names
    }

    private static func check(_ demand: JSONValue, _ path: String) throws(Invalid) {
        if demand == .null { return }
        guard case .object(let members) = demand else { throw .malformed(path) }
        switch members["essential"] {
        case nil, .bool?: break
        default: throw .malformed(path + ".essential")
        }
        switch members["values"] {
        case nil, .array?: break
        default: throw .malformed(path + ".values")
        }
    }
}
