// SPDX-License-Identifier: Apache-2.0

public import Foundation
import NativeAuth
import Synchronization

/// Somebody who is signed in.
public final class MSALNativeAuthUserAccountResult: NSObject, Sendable {
    let client: NativeAuthClient
    private let held: Mutex<(account: MSALAccount, idToken: String)>

    init(_ account: Account, _ client: NativeAuthClient) {
        self.client = client
        held = Mutex((MSALAccount(account, client), account.idToken))
    }

    /// The account. A new access token brings a new one.
    public var account: MSALAccount {
        get { held.withLock { $0.account } }
        set { held.withLock { $0.account = newValue } }
    }

    /// The ID token as it was issued; it may have expired since.
    public var idToken: String? { held.withLock { $0.idToken } }

    /// Forgets the account and its tokens on this machine. Native authentication has no sign-out at the service.
    ///
    /// Waits for a refresh that is under way. Should the cache fail, the log tells.
    public func signOut() {
        let session = account.account
        do { try Worker.shared.wait { try await session.signOut() } } catch { Log.error("signOut fails: \(error)") }
    }

    /// An access token: from the cache while it is valid for five minutes more, else by one refresh.
    ///
    /// - Parameters:
    ///   - parameters: Which token. The scopes that every sign-in asks for cannot be named.
    ///   - delegate: Hears of the token.
    public func getAccessToken(
        parameters: MSALNativeAuthGetAccessTokenParameters, delegate: any CredentialsDelegate
    ) {
        let flow = Flow(client, parameters.correlationId)
        let wish = SilentWish(parameters, flow)
        let session = account.account
        flow.perform(delegate, { try await wish.fulfilled(session) }) { [self] delegate, outcome in
            switch outcome {
            case .done(let tokens):
                held.withLock { $0 = (MSALAccount(tokens.account, client), tokens.account.idToken) }
                delegate.onAccessTokenRetrieveCompleted(result: MSALNativeAuthTokenResult(tokens))
            case .failed(let failure, _):
                delegate.onAccessTokenRetrieveError(error: RetrieveAccessTokenError(failure))
            }
        }
    }
}

/// An access token, and what came with it.
public final class MSALNativeAuthTokenResult: NSObject, Sendable {
    private let tokens: SilentTokens

    init(_ tokens: SilentTokens) { self.tokens = tokens }

    /// The token itself; send it as `Authorization: Bearer …`.
    public var accessToken: String { tokens.access.value }
    /// The refresh token, if it was asked for and there is one.
    public var refreshToken: String? { tokens.refresh }
    /// What the token allows.
    public var scopes: [String] { tokens.access.scopes }
    /// When it ends, by this machine's clock.
    public var expiresOn: Date? { tokens.access.expiresAt }
    /// What the token is for, without the token.
    public override var description: String { tokens.access.description }
}
