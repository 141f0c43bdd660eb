// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// Reads what a receiver answers. It is not trusted: every part is checked, and nothing that is not understood passes.
struct CalloutReply: Sendable {
    let status: Int
    let contentType: String?
    let body: [UInt8]

    /// What a body may have.
    static let sizeLimit = 64 * 1024
    static let claimsLimit = 3 * 1024
    /// A person's screen has no room for more; the rest of a text is cut off.
    static let textLimit = 1000

    func outcome(for event: AuthenticationExtension.Event) -> CalloutOutcome {
        do throws(CalloutFailure) {
            let action = try action(for: event)
            // Microsoft's own pages write some of these names in two ways.
            let name = action["@odata.type"]?.string?.lowercased() ?? ""
            guard let read = Self.actions(of: event)[name] else { throw .unknownAction }
            return try read(action)
        } catch {
            return .failed(error)
        }
    }

    /// The one action of the answer.
    private func action(for event: AuthenticationExtension.Event) throws(CalloutFailure) -> JSONValue {
        guard status == 200 else { throw .status(status) }
        let mediaType = (contentType ?? "").prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
        guard mediaType.lowercased() == "application/json" else { throw .contentType }
        guard body.count <= Self.sizeLimit else { throw .tooLarge }
        guard let data = JSONValue(json: body)?["data"], case .object = data else {
            throw .body("The answer is no JSON object with an object 'data'.")
        }
        let type = "microsoft.graph.\(event.dataName)ResponseData"
        guard data["@odata.type"]?.string?.lowercased() == type.lowercased() else {
            throw .body("The answer's data is not of the type \(type).")
        }
        guard case .array(let actions)? = data["actions"] else { throw .body("The answer has no list of actions.") }
        guard actions.count == 1 else { throw .actionCount(actions.count) }
        return actions[0]
    }

    private typealias Reading = @Sendable (JSONValue) throws(CalloutFailure) -> CalloutOutcome

    /// How each action of an event is read, by its name in lower case.
    private static func actions(of event: AuthenticationExtension.Event) -> [String: Reading] {
        switch event {
        case .tokenIssuanceStart:
            ["microsoft.graph.tokenissuancestart.provideclaimsfortoken": claims]
        case .attributeCollectionStart:
            [
                "microsoft.graph.attributecollectionstart.continuewithdefaultbehavior": { _ in .goOn },
                "microsoft.graph.attributecollectionstart.setprefillvalues": { action throws(CalloutFailure) in
                    .prefill(try action.members("inputs"))
                },
                "microsoft.graph.attributecollectionstart.showblockpage": block,
            ]
        case .attributeCollectionSubmit:
            [
                "microsoft.graph.attributecollectionsubmit.continuewithdefaultbehavior": { _ in .goOn },
                "microsoft.graph.attributecollectionsubmit.modifyattributevalues": { action throws(CalloutFailure) in
                    .modify(try action.members("attributes"))
                },
                "microsoft.graph.attributecollectionsubmit.showvalidationerror": validationError,
                "microsoft.graph.attributecollectionsubmit.showblockpage": block,
            ]
        case .emailOtpSend:
            ["microsoft.graph.otpsend.continuewithdefaultbehavior": { _ in .goOn }]
        }
    }

    @Sendable private static func block(_ action: JSONValue) throws(CalloutFailure) -> CalloutOutcome {
        .block(title: try action.text("title"), message: try action.text("message"))
    }

    @Sendable private static func validationError(_ action: JSONValue) throws(CalloutFailure) -> CalloutOutcome {
        var errors: [String: String] = [:]
        if action["attributeErrors"] != nil {
            for (name, value) in try action.members("attributeErrors") {
                guard let text = value.string else { throw .body("An attribute's error is no text.") }
                errors[name] = String(text.prefix(textLimit))
            }
        }
        return .validationError(message: try action.text("message"), attributes: errors)
    }
}

// MARK: - Claims

extension CalloutReply {
    @Sendable private static func claims(_ action: JSONValue) throws(CalloutFailure) -> CalloutOutcome {
        guard case .object(let claims)? = action["claims"] else { throw .claimsMissing }
        guard claims.keys.allSatisfy({ name in name.contains { !$0.isWhitespace } }) else { throw .emptyClaim }
        guard claims.values.allSatisfy(\.isClaim) else {
            throw .body("A claim is neither a string nor a list of strings.")
        }
        guard let text = try? JSONValue.object(claims).compact, text.count <= claimsLimit else { throw .claimsTooLarge }
        return .claims(claims)
    }
}

extension JSONValue {
    fileprivate var isClaim: Bool {
        switch self {
        case .string: true
        case .array(let elements): elements.allSatisfy { $0.string != nil }
        default: false
        }
    }

    fileprivate func members(_ name: String) throws(CalloutFailure) -> [String: JSONValue] {
        guard let members = self[name]?.object else { throw .body("The action has no object '\(name)'.") }
        return members
    }

    fileprivate func text(_ name: String) throws(CalloutFailure) -> String {
        guard let text = self[name]?.string else { throw .body("The action has no text '\(name)'.") }
        return String(text.prefix(CalloutReply.textLimit))
    }
}
