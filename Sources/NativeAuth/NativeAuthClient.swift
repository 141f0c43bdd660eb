// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials

/// Native authentication against one tenant, for one app.
///
/// ```swift
/// let client = NativeAuthClient(Configuration(authority: try Authority(subdomain: "contoso"), clientID: id))
/// var step = try await client.signUp(username: mail)
/// while true {
///     switch step {
///     case .codeRequired(let code): step = try await code.submit(ask("Code"))
///     case .passwordRequired(let password): step = try await password.submit(ask("Password"))
///     case .attributesRequired(let page): step = try await page.submit(ask(page.attributes))
///     case .completed(let done): return try await done.signIn()
///     }
/// }
/// ```
public struct NativeAuthClient: Sendable {
    /// The tenant and the app.
    public let configuration: Configuration
    let service: Service
    let session: Session

    /// A client.
    ///
    /// - Parameters:
    ///   - configuration: The tenant and the app.
    ///   - storage: Where the account and its tokens are kept; in memory by default.
    ///   - transport: What carries requests; libcurl by default.
    ///   - time: The clock.
    public init(
        _ configuration: Configuration, storage: any TokenStorage = MemoryStorage(),
        transport: (any Transport)? = nil, time: TimeSource = .system
    ) {
        self.configuration = configuration
        service = Service(
            configuration: configuration, transport: transport ?? CurlTransport(configuration), time: time)
        session = Session(service: service, storage: storage)
    }

    /// Opens a sign-up.
    ///
    /// - Parameters:
    ///   - username: The mail address to be registered.
    ///   - password: The password, if the app asks for it up front. A user flow with codes alone ignores it.
    ///   - attributes: What the app knows already, by attribute name.
    ///   - correlationID: The id of the conversation in the tenant's log; a new one by default.
    /// - Returns: What the tenant wants first; usually the code that it has just sent.
    /// - Throws: ``StepError``; ``AuthError/Reason/userAlreadyExists``, ``AuthError/Reason/invalidPassword(_:)`` and
    ///   ``AuthError/Reason/invalidAttributes(_:)`` are the ones to expect.
    public func signUp(
        username: String, password: String? = nil, attributes: [String: AttributeValue] = [:],
        correlationID: UUID? = nil
    ) async throws(StepError<SignUpStep>) -> SignUpStep {
        try await signUp(username, password, attributes, Correlation(correlationID))
    }

    package func signUp(
        _ username: String, _ password: String?, _ attributes: [String: AttributeValue], _ correlation: Correlation
    ) async throws(StepError<SignUpStep>) -> SignUpStep {
        let flow = SignUpFlow(conversation: Conversation(self, username: username, correlation))
        return try await flow.start(password: password, attributes: attributes)
    }

    /// Opens a sign-in.
    ///
    /// - Parameters:
    ///   - username: The account's mail address.
    ///   - password: The password, if the app has it already.
    ///   - scopes: The app's own scopes; `openid profile offline_access` are always asked for besides.
    ///   - claims: The claims that the tokens are to hold.
    ///   - correlationID: The id of the conversation in the tenant's log; a new one by default.
    /// - Returns: What the tenant wants next, or the account.
    /// - Throws: ``StepError``; after a wrong password it carries the step to submit another one to.
    public func signIn(
        username: String, password: String? = nil, scopes: [String] = [], claims: ClaimsRequest? = nil,
        correlationID: UUID? = nil
    ) async throws(StepError<SignInStep>) -> SignInStep {
        try await signIn(username, password, scopes, claims, Correlation(correlationID))
    }

    package func signIn(
        _ username: String, _ password: String?, _ scopes: [String], _ claims: ClaimsRequest?,
        _ correlation: Correlation
    ) async throws(StepError<SignInStep>) -> SignInStep {
        let conversation = Conversation<SignInStep>(self, username: username, correlation)
        return try await SignInFlow(conversation: conversation, scopes: scopes, claims: claims)
            .start(password: password)
    }

    /// Opens the reset of a forgotten password.
    ///
    /// - Parameters:
    ///   - username: The account's mail address.
    ///   - correlationID: The id of the conversation in the tenant's log; a new one by default.
    /// - Returns: The step that waits for the code that the tenant has just sent.
    /// - Throws: ``StepError``; ``AuthError/Reason/userNotFound`` and ``AuthError/Reason/userHasNoPassword`` are the
    ///   ones to expect.
    public func resetPassword(username: String, correlationID: UUID? = nil) async throws(StepError<ResetStep>)
        -> ResetStep
    {
        try await resetPassword(username, Correlation(correlationID))
    }

    package func resetPassword(_ username: String, _ correlation: Correlation) async throws(StepError<ResetStep>)
        -> ResetStep
    {
        try await ResetFlow(conversation: Conversation(self, username: username, correlation)).start()
    }

    /// The active account in the cache, without a request.
    ///
    /// - Returns: Nil when nobody is signed in. Expired tokens do not matter.
    /// - Throws: ``AuthError`` with ``AuthError/Reason/storage(_:)`` when the cache cannot be read.
    public func account() throws(AuthError) -> Account? {
        try session.account()
    }

    /// Everybody who is signed in, without a request: the active account first, then by name. More than one where the
    /// configuration says ``Configuration/keepsOtherAccounts``, or where another program shares the cache.
    ///
    /// - Throws: ``AuthError`` with ``AuthError/Reason/storage(_:)`` when the cache cannot be read.
    public func accounts() throws(AuthError) -> [Account] {
        try session.accounts()
    }

    /// An access token of the active account: one look into the cache where that suffices.
    ///
    /// - Parameters:
    ///   - scopes: The app's scopes that the token has to cover; empty for those of the sign-in.
    ///   - claims: The claims that the token is to hold. The tenant is always asked for them.
    ///   - forceRefresh: Asks the tenant even if the cached token would do.
    ///   - minimumValidity: How long a cached token has to be good for still; five minutes, as in Microsoft's SDKs. A new
    ///     token is given out whatever its life.
    ///   - correlationID: The id of the request in the tenant's log; a new one by default.
    /// - Throws: ``AuthError`` with ``AuthError/Reason/signInRequired`` when nobody is, and others.
    public func accessToken(
        scopes: [String] = [], claims: ClaimsRequest? = nil, forceRefresh: Bool = false,
        minimumValidity: Duration = .seconds(300), correlationID: UUID? = nil
    ) async throws(AuthError) -> AccessToken {
        let wish = TokenWish(
            scopes, claims, forceRefresh: forceRefresh, validity: minimumValidity / .seconds(1), correlationID)
        return try await session.accessToken(of: nil, wish)
    }

    /// Puts a token cache out of the way that is damaged, or whose key is gone, so that the next sign-in starts with a fresh
    /// one.
    ///
    /// - Returns: Where it went; nil if the cache can be read after all.
    /// - Throws: ``AuthError`` with ``AuthError/Reason/storage(_:)``.
    public func setAsideDamagedCache() async throws(AuthError) -> String? {
        try await session.cache.setAsideIfDamaged()
    }
}
