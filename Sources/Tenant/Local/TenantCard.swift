// SPDX-License-Identifier: Apache-2.0

import Files
import FoundationEssentials
import Glibc

/// What anyone on this machine may know of a tenant, in a file beside its database: other processes read it while one
/// has the database open. It holds no secret.
package struct TenantCard: Sendable, Codable, Equatable {
    /// An app, as it is listed.
    package struct App: Sendable, Codable, Equatable {
        package var clientID: String
        package var name: String
        package var flow: String?
        package var challengeTypes: [String]
        package var scopes: [String]
        /// Nil in the file of an older program.
        package var redirectURIs: [String]?

        enum CodingKeys: String, CodingKey {
            case clientID = "client_id"
            case name
            case flow
            case challengeTypes = "challenge_types"
            case scopes
            case redirectURIs = "redirect_uris"
        }
    }

    package var tenantID: String
    package var name: String
    /// The address below which the endpoints are.
    package var authority: String
    package var issuer: String
    package var profile: String
    /// The address that `serve` listens on unless it is told another.
    package var listen: String
    package var apps: [App]

    enum CodingKeys: String, CodingKey {
        case tenantID = "tenant_id"
        case name
        case authority
        case issuer
        case profile
        case listen
        case apps
    }
}

extension TenantFolder {
    private static let cardName = "tenant.json"

    /// The card; nil where there is no tenant yet.
    package func card() throws(Problem) -> TenantCard? {
        do throws(FileError) {
            let file = try FileDescriptor(path + "/" + Self.cardName, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            let data = try file.readToEnd(limit: 1024 * 1024)
            guard let card = try? JSONDecoder().decode(TenantCard.self, from: data) else { return nil }
            return card
        } catch {
            if error.errno == ENOENT || error.errno == ENOTDIR { return nil }
            throw .file(error)
        }
    }

    /// Writes the card anew where it differs from the tenant.
    @discardableResult
    package func updateCard(of provider: IdentityProvider) throws(Problem) -> TenantCard {
        do {
            let card = try TenantCard(provider)
            if (try? self.card()) == card { return card }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try FileDescriptor(folder: path).replace(Self.cardName, with: Array(encoder.encode(card)))
            return card
        } catch let error as FileError {
            throw .file(error)
        } catch let error as StoreError {
            throw error.reason == .damaged
                ? .damaged(path: databasePath) : .database(error, path: databasePath)
        } catch {
            throw .damaged(path: databasePath)
        }
    }
}

extension TenantCard {
    fileprivate init(_ provider: IdentityProvider) throws {
        let settings = provider.currentSettings
        let flows = try provider.userFlows()
        let resources = try provider.resources()
        self.init(
            tenantID: settings.tenantID, name: settings.name, authority: settings.authority, issuer: settings.issuer,
            profile: settings.profile.rawValue,
            listen: settings.origin.split(separator: "//").last.map(String.init) ?? "",
            apps: try provider.apps().map { app in
                let flow = flows.first { $0.name == app.userFlow }
                return App(
                    clientID: app.clientID, name: app.name, flow: app.userFlow,
                    challengeTypes: flow?.method == .password ? ["oob", "password", "redirect"] : ["oob", "redirect"],
                    scopes: Resource.userInfo.scopes
                        + resources.flatMap(\.fullScopes).filter { app.consented?.contains($0) ?? true },
                    redirectURIs: app.redirects ?? [])
            })
    }
}
