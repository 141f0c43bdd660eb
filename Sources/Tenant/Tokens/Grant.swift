// SPDX-License-Identifier: Apache-2.0

import Wire

/// What a token request asks for: one resource, and the standard scopes.
struct Grant: Sendable, Equatable {
    let resource: Resource
    /// As they are granted, in the order in which they were asked for.
    let scopes: [String]

    /// Nil for a scope that is not known, and for scopes of two resources: a token has one audience.
    init?(_ asked: [Scope]) {
        let names = asked.map(\.rawValue)
        let own = names.filter { !Resource.userInfo.scopes.contains($0) }
        guard own.allSatisfy(Resource.sample.scopes.contains) else { return nil }
        resource = own.isEmpty ? .userInfo : .sample
        scopes = names
    }

    func contains(_ scope: Scope) -> Bool { scopes.contains(scope.rawValue) }

    /// The `scp` of an access token: the resource's scopes by their short names.
    var scp: String {
        scopes.filter(resource.scopes.contains).map { String($0.split(separator: "/").last ?? "") }
            .joined(separator: " ")
    }
}
