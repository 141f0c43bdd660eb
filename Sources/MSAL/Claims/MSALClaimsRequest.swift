// SPDX-License-Identifier: Apache-2.0

public import Foundation
import NativeAuth

/// Where an Objective-C style call leaves its error.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// The token that a claim is wanted in.
public enum MSALClaimsRequestTarget: Int, Sendable {
    /// The ID token.
    case idToken
    /// The access token.
    case accessToken

    fileprivate var member: String { self == .idToken ? "id_token" : "access_token" }
}

/// The claims that tokens are to hold (OpenID Connect Core 1.0, section 5.5).
public final class MSALClaimsRequest: NSObject {
    private var claims: [MSALClaimsRequestTarget: [MSALIndividualClaimRequest]] = [:]
    /// The request as it was given, until it is changed.
    private var given: String?

    /// A request for no claim.
    public override init() {}

    /// Reads a request. It is sent exactly as it is, unless it is changed.
    ///
    /// - Parameters:
    ///   - jsonString: A JSON object with the members `id_token` and `access_token`.
    ///   - error: Takes what is wrong with it; then this is a request for no claim.
    public init(jsonString: String, error: NSErrorPointer) {
        super.init()
        do {
            claims = try Self.claims(in: jsonString)
            given = jsonString
        } catch let problem {
            error?.pointee = problem as NSError
            Log.error("The claims request is not used: \((problem as NSError).localizedDescription)")
        }
    }

    /// Asks for a claim. One that is asked for already is asked for in the new way.
    ///
    /// - Throws: An error of ``MSALErrorDomain`` for a claim without a name.
    public func requestClaim(_ request: MSALIndividualClaimRequest, for target: MSALClaimsRequestTarget) throws {
        guard !request.name.isEmpty else { throw NSError.msal(.internal, "The claim has no name.") }
        claims[target, default: []].removeAll { $0.name == request.name }
        claims[target, default: []].append(request)
        given = nil
    }

    /// Asks for a claim no longer.
    ///
    /// - Throws: An error of ``MSALErrorDomain`` when it is not asked for.
    public func removeClaimRequest(withName name: String, target: MSALClaimsRequestTarget) throws {
        guard let place = claims[target]?.firstIndex(where: { $0.name == name }) else {
            throw NSError.msal(.internal, "The claim '\(name)' is not asked for.")
        }
        claims[target]?.remove(at: place)
        given = nil
    }

    /// What is asked for in one of the tokens; nil for nothing.
    public func claimsRequests(for target: MSALClaimsRequestTarget) -> [MSALIndividualClaimRequest]? {
        claims[target].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The request as it is sent; nil for a value that JSON cannot hold.
    public func jsonString() -> String? {
        if let given { return given }
        let object = claims.filter { !$0.value.isEmpty }.map { target, requests in
            (target.member, Dictionary(requests.map { ($0.name, $0.json) }) { $1 })
        }
        let members = Dictionary(uniqueKeysWithValues: object)
        guard JSONSerialization.isValidJSONObject(members),
            let data = try? JSONSerialization.data(withJSONObject: members, options: [.sortedKeys])
        else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    /// The same in the terms of `NativeAuth`; nil for a request that asks for nothing.
    var request: ClaimsRequest? {
        guard let json = jsonString(), let request = try? ClaimsRequest(json: json) else {
            Log.error("The claims request is not used: it is not of OpenID Connect Core 1.0, section 5.5.")
            return nil
        }
        return request.isEmpty ? nil : request
    }

    private static func claims(in json: String) throws -> [MSALClaimsRequestTarget: [MSALIndividualClaimRequest]] {
        let object = try? JSONSerialization.jsonObject(with: Data(json.utf8))
        guard let members = object as? [String: Any] else { throw NSError.msal(.internal, "It is no JSON object.") }
        var claims: [MSALClaimsRequestTarget: [MSALIndividualClaimRequest]] = [:]
        for (name, value) in members {
            let target = [MSALClaimsRequestTarget.idToken, .accessToken].first { $0.member == name }
            guard let target, let requests = value as? [String: Any] else {
                throw NSError.msal(.internal, "'\(name)' is neither id_token nor access_token, or no JSON object.")
            }
            claims[target] = try requests.sorted { $0.key < $1.key }.map(MSALIndividualClaimRequest.init)
        }
        return claims
    }
}

/// How one claim is wanted.
public final class MSALIndividualClaimRequest: NSObject {
    /// The claim.
    public var name: String
    /// How it is wanted; nil where the tenant may leave it out.
    public var additionalInfo: MSALIndividualClaimRequestAdditionalInfo?

    /// A claim that the app would like to have.
    public init(name: String) { self.name = name }

    fileprivate convenience init(_ name: String, _ json: Any) throws {
        self.init(name: name)
        if json is NSNull { return }
        guard let members = json as? [String: Any] else {
            throw NSError.msal(.internal, "The claim '\(name)' is neither null nor a JSON object.")
        }
        let info = MSALIndividualClaimRequestAdditionalInfo()
        info.essential = members["essential"] as? NSNumber
        info.value = members["value"]
        info.values = members["values"] as? [Any]
        additionalInfo = info
    }

    fileprivate var json: Any {
        guard let info = additionalInfo else { return NSNull() }
        var members: [String: Any] = [:]
        members["essential"] = info.essential.map { $0.boolValue }
        members["value"] = info.value
        members["values"] = info.values
        return members
    }
}

/// What an app wants of a claim.
public final class MSALIndividualClaimRequestAdditionalInfo: NSObject {
    /// Whether the app needs the claim to work smoothly.
    public var essential: NSNumber?
    /// The value that the claim is to have.
    public var value: Any?
    /// The values that the claim may have, the preferred one first.
    public var values: [Any]?
}
