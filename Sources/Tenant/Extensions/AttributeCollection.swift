// SPDX-License-Identifier: Apache-2.0

import Wire

/// The two events of a sign-up: before attributes are asked for, and when all of them are there.
extension IdentityProvider {
    /// Lets an extension fill attributes in, once, or end the sign-up.
    ///
    /// - Returns: A move where the sign-up does not go on as it would.
    func beginCollection(
        _ draft: inout SignUpDraft, _ flow: Flow, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> Move? {
        guard draft.collectionHasBegun != true, !draft.userFlow.attributes.isEmpty else { return nil }
        draft.collectionHasBegun = true
        switch try outcome(
            of: .attributeCollectionStart(info(draft)), flow.app, .userInfo, exchange, &connection)
        {
        case .prefill(let values)?:
            // What the person said counts more.
            draft.attributes.merge(draft.userFlow.acceptable(values)) { said, _ in said }
            return nil
        case .block(let title, let message)?:
            return .finish(.refusal(.blocked(title, message)))
        default:
            return nil
        }
    }

    /// Lets an extension change the attributes, refuse some, or end the sign-up.
    func endCollection(
        _ draft: inout SignUpDraft, _ flow: Flow, isPage: Bool, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> Move? {
        guard !draft.userFlow.attributes.isEmpty else { return nil }
        switch try outcome(
            of: .attributeCollectionSubmit(info(draft)), flow.app, .userInfo, exchange, &connection)
        {
        case .modify(let values)?:
            draft.attributes.merge(draft.userFlow.acceptable(values)) { $1 }
            return nil
        case .validationError(let message, let attributes)?:
            return refusing(attributes, message, draft, isPage: isPage)
        case .block(let title, let message)?:
            return .finish(.refusal(.blocked(title, message)))
        default:
            return nil
        }
    }

    /// A page can be submitted again as it is. Where no page was asked for yet, one is now: the step that came here is used
    /// up, and cannot be tried again with other attributes.
    private func refusing(
        _ errors: [String: String], _ message: String, _ draft: SignUpDraft, isPage: Bool
    ) -> Move {
        let text = ([message] + errors.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })
            .filter { !$0.isEmpty }.joined(separator: " ")
        let named = draft.userFlow.attributes.filter { errors[$0.name] != nil }
        let asked = named.isEmpty ? draft.userFlow.attributes : named
        if isPage { return .refuse(.attributesInvalid(asked.map(\.name), text)) }
        var draft = draft
        for attribute in asked { draft.attributes[attribute.name] = nil }
        draft.stage = .attributesMissing
        var refusal = Refusal.attributesRequired(asked)
        refusal.errorDescription = text.isEmpty ? refusal.errorDescription : text
        return .advance(.signUp(draft), .refusal(refusal))
    }

    private func info(_ draft: SignUpDraft) -> SignUpInfo {
        var attributes: [String: SignUpInfo.Attribute] = [:]
        for definition in draft.userFlow.attributes {
            guard let value = draft.attributes[definition.name] else { continue }
            attributes[definition.name] = SignUpInfo.Attribute(type: definition.type, value: value)
        }
        let identity = SignUpInfo.Identity(
            issuer: "\(settings.name).onmicrosoft.com", issuerAssignedID: draft.username.text)
        return SignUpInfo(attributes: attributes, identities: [identity])
    }
}

extension UserFlow {
    /// The values of an extension that this flow knows and that keep its rules; a receiver is as fallible as a person, but
    /// there is nobody to tell.
    fileprivate func acceptable(_ given: [String: JSONValue]) -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        for attribute in attributes {
            values[attribute.name] = given[attribute.name].flatMap { attribute.value($0) }
        }
        return values
    }
}
