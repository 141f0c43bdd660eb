// SPDX-License-Identifier: Apache-2.0

public import Foundation
import NativeAuth

/// Takes the outcome of a silent request: a result, or an error.
public typealias MSALCompletionBlock = @Sendable (MSALResult?, (any Error)?) -> Void

/// Takes the account that is signed in, the one that was before, or an error.
public typealias MSALCurrentAccountCompletionBlock = @Sendable (MSALAccount?, MSALAccount?, (any Error)?) -> Void

/// An app's accounts, and tokens for them without a word to the person.
public class MSALPublicClientApplication: NSObject, @unchecked Sendable {
    /// How the app reaches its tenant. Changes have no effect any more.
    public let configuration: MSALPublicClientApplicationConfig
    let client: NativeAuthClient

    /// The version of this package.
    public class var sdkVersion: String { Version.current }

    /// An app that does without native authentication: it finds the accounts that others have put into its cache.
    ///
    /// - Throws: An error of ``MSALErrorDomain`` for an empty client id, or a user without a home folder.
    public convenience init(configuration config: MSALPublicClientApplicationConfig) throws {
        try self.init(config, config.configuration(), nil)
    }

    init(
        _ config: MSALPublicClientApplicationConfig, _ configuration: Configuration,
        _ interceptor: (any MSALNativeAuthRequestInterceptor)?, storage: (any TokenStorage)? = nil,
        transport: (any Transport)? = nil, time: TimeSource = .system
    ) throws {
        self.configuration = config
        client = NativeAuthClient(
            configuration, storage: try storage ?? config.cacheConfig.storage(),
            transport: AppTransport(
                inner: transport ?? CurlTransport(configuration), dataCentre: config.sliceConfig?.dc,
                interceptor: interceptor.map { Interceptor(app: $0) }),
            time: time)
    }

    /// There is no browser session to be cancelled.
    ///
    /// - Returns: False.
    @discardableResult
    public class func cancelCurrentWebAuthSession() -> Bool { false }
}

// MARK: - Accounts

extension MSALPublicClientApplication {
    /// The accounts in the cache: one at most.
    ///
    /// - Throws: An error of ``MSALErrorDomain`` when the cache cannot be read.
    public func allAccounts() throws -> [MSALAccount] {
        do {
            return try client.account().map { [MSALAccount($0, client)] } ?? []
        } catch {
            throw NSError.msal(.internal, "The cache cannot be read: \(error.reason)")
        }
    }

    /// The account with this ``MSALAccount/identifier``.
    ///
    /// - Throws: An error of ``MSALErrorDomain`` when there is none.
    public func account(forIdentifier identifier: String) throws -> MSALAccount {
        try only { $0.identifier == identifier }
    }

    /// The account with this user name.
    ///
    /// - Throws: An error of ``MSALErrorDomain`` when there is none.
    public func account(forUsername username: String) throws -> MSALAccount {
        try only { $0.username == username.lowercased() }
    }

    /// The accounts that fit.
    public func accounts(for parameters: MSALAccountEnumerationParameters) throws -> [MSALAccount] {
        try allAccounts().filter { account in
            (parameters.identifier.map { $0 == account.identifier } ?? true)
                && (parameters.username.map { $0.lowercased() == account.username } ?? true)
                && (parameters.tenantProfileIdentifier.map { $0 == account.homeAccountId?.objectId } ?? true)
        }
    }

    /// The account that is signed in.
    public func getCurrentAccount(
        with parameters: MSALParameters?, completionBlock: @escaping MSALCurrentAccountCompletionBlock
    ) {
        let accounts = Result { try allAccounts() }
        (parameters?.completionBlockQueue ?? .main).async {
            switch accounts {
            case .success(let accounts): completionBlock(accounts.first, nil, nil)
            case .failure(let error): completionBlock(nil, nil, error)
            }
        }
    }

    /// Forgets an account and its tokens on this machine.
    ///
    /// - Throws: An error of ``MSALErrorDomain`` when the cache cannot be changed.
    public func remove(_ account: MSALAccount) throws {
        let session = account.account
        do { try Worker.shared.wait { try await session.signOut() } } catch {
            throw NSError.msal(.internal, "The account is still in the cache: \(error)")
        }
    }

    private func only(_ isWanted: (MSALAccount) -> Bool) throws -> MSALAccount {
        guard let account = try allAccounts().first(where: isWanted) else {
            throw NSError.msal(.internal, "There is no such account in the cache.")
        }
        return account
    }
}

// MARK: - Tokens

extension MSALPublicClientApplication {
    /// An access token: from the cache, or by one refresh.
    ///
    /// - Parameters:
    ///   - parameters: Which token, and of whom.
    ///   - completionBlock: Takes the token, on the queue of the parameters.
    public func acquireTokenSilent(
        with parameters: MSALSilentTokenParameters, completionBlock: @escaping MSALCompletionBlock
    ) {
        let queue = parameters.completionBlockQueue ?? .main
        let result = silentResult(parameters)
        Task(executorPreference: Worker.shared) {
            switch await result() {
            case .success(let result): queue.async { completionBlock(result, nil) }
            case .failure(let error): queue.async { completionBlock(nil, error) }
            }
        }
    }

    /// The same, awaited.
    ///
    /// - Throws: An error of ``MSALErrorDomain``.
    public func acquireTokenSilent(with parameters: MSALSilentTokenParameters) async throws -> MSALResult {
        let result = silentResult(parameters)
        return try await withTaskExecutorPreference(Worker.shared) { await result() }.get()
    }

    /// What leads to the token. The parameters are read now, for the app may change them later.
    private func silentResult(
        _ parameters: MSALSilentTokenParameters
    ) -> @Sendable () async -> Result<MSALResult, NSError> {
        let flow = Flow(client, parameters.correlationId)
        let (wish, account) = (SilentWish(parameters, flow), parameters.account.account)
        return {
            do {
                return .success(MSALResult(try await wish.fulfilled(account), flow))
            } catch {
                let failure = (error as? AuthError).map { Failure($0, flow.correlation) } ?? flow.general
                return .failure(failure.silentError)
            }
        }
    }
}

extension Failure {
    /// The same as an error of ``MSALErrorDomain``.
    fileprivate var silentError: NSError {
        let code: MSALError =
            switch error.reason {
            case .signInRequired, .multiFactorRequired, .passwordChangeRequired, .browserRequired: .interactionRequired
            case .scopesDeclined: .serverDeclinedScopes
            default: .internal
            }
        return .msal(code, RetrieveAccessTokenError(self).errorDescription ?? "")
    }
}
