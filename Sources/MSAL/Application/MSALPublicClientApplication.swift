// SPDX-License-Identifier: Apache-2.0

public import Foundation
import NativeAuth

/// An app's accounts, and tokens for them without a word to the person.
public class MSALPublicClientApplication: NSObject, @unchecked Sendable {
    // Unchecked for the configuration, which an app may still change: it was read when the app was made, and is not again.

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
        let block = CompletionBlock(completionBlock, parameters)
        let result = silentResult(parameters)
        Task(executorPreference: Worker.shared) {
            switch await result() {
            case .success(let result): block.call { $0(result, nil) }
            case .failure(let error): block.call { $0(nil, error) }
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
        let (wish, account) = (SilentWish(parameters, flow), parameters.account)
        return {
            do {
                return .success(MSALResult(try await wish.fulfilled(account.account), flow))
            } catch {
                let failure = (error as? AuthError).map { Failure($0, flow.correlation) } ?? flow.general
                return .failure(failure.silentError(wish, account))
            }
        }
    }
}
