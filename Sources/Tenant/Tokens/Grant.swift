// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// What a token request asks for: one resource, and the standard scopes.
struct Grant: Sendable, Equatable {
    let resource: Resource
    /// As they are granted, in the order in which they were asked for.
    let scopes: [String]
    /// The claims request.
    var claims = ClaimsRequest()

    func contains(_ scope: Scope) -> Bool { scopes.contains(scope.rawValue) }

    /// The `scp` of an access token: the resource's scopes by their short names.
    var scp: String {
        scopes.filter(resource.fullScopes.contains).map { String($0.split(separator: "/").last ?? "") }
            .joined(separator: " ")
    }
}

/// Which claims a client would like to see beyond those that it gets anyway (OpenID Connect Core 1.0, section 5.5).
///
/// What is asked of a claim beyond its name is not looked at: a value that the tenant knows is told, and one that it
/// does not know is left out, "essential" or not, as the standard wants it.
struct ClaimsRequest: Sendable, Equatable {
    var idToken: Set<String> = []
    var accessToken: Set<String> = []

    init() {}

    init(_ text: String) throws(Refusal) {
        guard case .object(let members)? = JSONValue(json: text.utf8) else { throw .missing("claims") }
        idToken = try Self.names(members["id_token"])
        accessToken = try Self.names(members["access_token"])
    }

    private static func names(_ member: JSONValue?) throws(Refusal) -> Set<String> {
        switch member {
        case nil, .null?: return []
        case .object(let claims)?: return Set(claims.keys)
        default: throw .missing("claims")
        }
    }
}

extension IdentityProvider {
    /// What a call is granted, if the tenant knows what it asks for.
    func grant(_ call: SignIn.Token, _ app: AppRegistration, _ connection: inout Connection) throws -> Grant {
        var grant = try self.grant((call.scope?.elements ?? []).map(\.rawValue), app, &connection)
        if let claims = call.claims { grant.claims = try ClaimsRequest(claims) }
        return grant
    }

    /// - Throws: A refusal for a scope that is not known, for scopes of two resources, since a token has one audience,
    ///   and for a scope that nobody has consented to.
    func grant(_ scopes: [String], _ app: AppRegistration, _ connection: inout Connection) throws -> Grant {
        let own = scopes.filter { !Resource.userInfo.scopes.contains($0) }
        guard let first = own.first else { return Grant(resource: .userInfo, scopes: scopes) }
        guard let resource = try resources(&connection).first(where: { $0.fullScopes.contains(first) }),
            own.allSatisfy(resource.fullScopes.contains)
        else { throw Refusal.unknownScope }
        guard own.allSatisfy({ app.consented?.contains($0) ?? true }) else { throw Refusal.consentMissing }
        return Grant(resource: resource, scopes: scopes)
    }

    private func resources(_ connection: inout Connection) throws -> [Resource] {
        try connection.rows("SELECT id, definition FROM resource ORDER BY id")
            .map { try definitions.read(Resource.self, key: $0.text(0) ?? "", $0.text(1) ?? "") }
    }
}
