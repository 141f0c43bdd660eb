// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
import Wire

/// A sign-in on another device (RFC 8628): the person types a short code into a browser anywhere, and this program waits.
public struct DeviceSignIn: Sendable {
    /// What the person types.
    public let userCode: String
    /// Where the person types it.
    public let verificationAddress: String
    /// The same with the code in it, for a link or a picture; nil where the tenant has none.
    public let completeVerificationAddress: String?
    /// When the code stops being good.
    public let expiresAt: Date
    /// What the tenant would like the person to be told, if anything.
    public let message: String?

    private let deviceCode: String
    private let interval: Int
    private let scopes: [String]
    private let endpoints: BrowserEndpoints
    private let session: Session
    private let correlation: Correlation

    /// The seconds between two questions where the tenant says none, and by how much they grow (sections 3.2 and 3.5).
    private static let standardInterval = 5
    private static let longestInterval = 300

    init(
        _ reply: DeviceAuthorization.Start.Reply, scopes: [String], endpoints: BrowserEndpoints, session: Session,
        _ correlation: Correlation
    ) {
        userCode = reply.userCode
        verificationAddress = reply.verificationUri
        completeVerificationAddress = reply.verificationUriComplete
        message = reply.message
        deviceCode = reply.deviceCode
        interval = min(max(1, reply.interval ?? Self.standardInterval), Self.longestInterval)
        expiresAt = session.service.time.now().addingTimeInterval(TimeInterval(min(max(0, reply.expiresIn), 86400)))
        self.scopes = scopes
        self.endpoints = endpoints
        self.session = session
        self.correlation = correlation
    }

    /// Waits until the person has signed in, and keeps the tokens.
    ///
    /// - Throws: ``AuthError``: ``AuthError/Reason/flowExpired`` where nobody came in time, ``AuthError/Reason/refused``
    ///   where the person said no, ``AuthError/Reason/cancelled`` with the task.
    public func wait() async throws(AuthError) -> Account {
        var interval = interval
        while session.service.time.now() < expiresAt {
            do { try await session.service.time.sleep(.seconds(interval)) } catch {
                throw AuthError(.cancelled, correlationID: correlation.id)
            }
            switch try await ask() {
            case .tokens(let tokens):
                return try await session.begin(with: tokens, scopes: scopes, correlationID: correlation.id)
            case .wait: break
            case .waitLonger: interval = min(interval + Self.standardInterval, Self.longestInterval)
            case .unreachable: interval = min(interval * 2, Self.longestInterval)
            }
        }
        throw AuthError(.flowExpired, correlationID: correlation.id)
    }

    private enum Outcome {
        case tokens(Tokens)
        case wait
        case waitLonger
        /// Somebody who is away for a while need not begin again (section 3.5).
        case unreachable
    }

    private func ask() async throws(AuthError) -> Outcome {
        var call = SignIn.Token(
            clientId: session.service.configuration.clientID, grantType: .deviceCode, clientInfo: "1")
        call.deviceCode = deviceCode
        do throws(AuthError) {
            switch try await session.service.answer(call, correlation, at: endpoints.token, mayRepeat: false) {
            case .reply(let tokens): return .tokens(tokens)
            case .refusal(let refusal):
                switch refusal.error {
                case .authorizationPending: return .wait
                case .slowDown: return .waitLonger
                default: throw AuthError(refusal)
                }
            }
        } catch {
            guard error.isPassing, error.reason != .cancelled else { throw error }
            return .unreachable
        }
    }
}

extension NativeAuthClient {
    /// Asks for a code that the person types into a browser on any device.
    ///
    /// - Parameters:
    ///   - scopes: The app's own scopes; `openid profile offline_access` are always asked for besides.
    ///   - claims: The claims that the tokens are to hold.
    ///   - correlationID: The id of the conversation in the tenant's log; a new one by default.
    /// - Throws: ``AuthError`` with ``AuthError/Reason/unexpectedAnswer(_:)`` where the tenant has no such sign-in, and others.
    public func signInOnDevice(
        scopes: [String] = [], claims: ClaimsRequest? = nil, correlationID: UUID? = nil
    ) async throws(AuthError) -> DeviceSignIn {
        let correlation = Correlation(correlationID)
        let endpoints = try await session.provider.browserEndpoints(correlationID: correlation.id)
        guard let device = endpoints.device else {
            throw AuthError(
                .unexpectedAnswer(.missing("device_authorization_endpoint")), correlationID: correlation.id)
        }
        let call = DeviceAuthorization.Start(
            clientId: configuration.clientID, scope: Words(Scope.requested(scopes)), claims: claims?.field)
        switch try await service.answer(call, correlation, at: device) {
        case .refusal(let refusal): throw AuthError(refusal)
        case .reply(let reply):
            return DeviceSignIn(reply, scopes: scopes, endpoints: endpoints, session: session, correlation)
        }
    }
}
