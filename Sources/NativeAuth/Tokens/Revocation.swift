// SPDX-License-Identifier: Apache-2.0

import Wire

/// What became of the session at the tenant when it was signed out here (RFC 7009).
public enum Revocation: Sendable, Equatable {
    /// The tenant will not take the session's refresh tokens any more. Access tokens are good until they expire.
    case revoked
    /// The tenant has no way to end a session: Entra External ID publishes none for native authentication.
    case notOffered
    /// There was no refresh token.
    case nothingToRevoke
    /// The tenant could not be told, so that the session ends when its tokens expire.
    case failed(AuthError)
}

extension Account {
    /// Forgets the account and its tokens on this machine, and then tells the tenant, where it wants to know.
    ///
    /// The first is certain when this returns, whatever comes of the second.
    ///
    /// - Returns: What came of the second.
    /// - Throws: ``AuthError`` with ``AuthError/Reason/storage(_:)``; the tokens may still be there then.
    public func signOutEverywhere() async throws(AuthError) -> Revocation {
        await session.revoke(try await session.end(of: homeAccountID))
    }
}

extension NativeAuthClient {
    /// Forgets every account of this app and all its tokens on this machine, also those that no account can be made of, and
    /// then tells the tenant, where it wants to know.
    ///
    /// - Returns: What the tenant said.
    /// - Throws: ``AuthError`` with ``AuthError/Reason/storage(_:)``; tokens may still be there then.
    public func signOutEverybody() async throws(AuthError) -> Revocation {
        await session.revoke(try await session.endAll())
    }
}

extension Session {
    /// Tells the tenant that these refresh tokens are not used any more.
    fileprivate func revoke(_ secrets: [String]) async -> Revocation {
        guard !secrets.isEmpty else { return .nothingToRevoke }
        let id = Correlation().id
        do throws(AuthError) {
            guard let place = try await provider.revocationEndpoint(correlationID: id) else { return .notOffered }
            var first: AuthError?
            for secret in secrets {
                do throws(AuthError) { try await revoke(secret, at: place, correlationID: id) } catch {
                    first = first ?? error
                }
            }
            return first.map { .failed($0) } ?? .revoked
        } catch {
            return .failed(error)
        }
    }

    private func revoke(_ secret: String, at place: String, correlationID: String) async throws(AuthError) {
        let form = Form([
            "client_id": service.configuration.clientID, "token": secret, "token_type_hint": "refresh_token",
        ])
        let status = try await service.post(form, to: place, correlationID: correlationID)
        guard status == 200 else {
            throw AuthError(.unexpectedAnswer(.body(status: status)), correlationID: correlationID)
        }
    }
}
