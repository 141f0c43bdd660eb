// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// The body of a request to a receiver.
struct CalloutEnvelope: Sendable {
    let callout: Callout
    let registration: AuthenticationExtension
    let context: CalloutContext
    let tenantID: String

    var json: JSONValue {
        .object([
            "type": .string("microsoft.graph.authenticationEvent.\(callout.event.rawValue)"),
            "source": .string("/tenants/\(tenantID)/applications/\(context.client.id)"),
            "data": .object(data.merging(special) { own, _ in own }),
        ])
    }

    private var data: [String: JSONValue] {
        [
            "@odata.type": .string("microsoft.graph.\(callout.event.dataName)CalloutData"),
            "tenantId": .string(tenantID),
            "authenticationEventListenerId": .string(registration.listenerID),
            "customAuthenticationExtensionId": .string(registration.id),
            "authenticationContext": authenticationContext,
        ]
    }

    /// What only this event's payload has.
    private var special: [String: JSONValue] {
        switch callout {
        case .tokenIssuanceStart: [:]
        case .attributeCollectionStart(let info), .attributeCollectionSubmit(let info): ["userSignUpInfo": info.json]
        case .emailOtpSend(let address, let code, _):
            ["otpContext": .object(["identifier": .string(address), "oneTimeCode": .string(code)])]
        }
    }

    private var authenticationContext: JSONValue {
        var members: [String: JSONValue] = [
            "correlationId": .string(context.correlationID),
            "client": .members([
                "ip": context.clientAddress, "locale": context.locale, "market": context.locale,
            ]),
            "protocol": .string("OAUTH2.0"),
            "clientServicePrincipal": servicePrincipal(context.client),
            "resourceServicePrincipal": servicePrincipal(context.resource),
        ]
        switch callout {
        case .tokenIssuanceStart(let user): members["user"] = user.json
        case .emailOtpSend(_, _, let requestType): members["requestType"] = .string(requestType)
        case .attributeCollectionStart, .attributeCollectionSubmit: break
        }
        return .object(members)
    }

    private func servicePrincipal(_ app: CalloutContext.App) -> JSONValue {
        .members([
            "id": objectID(of: app), "appId": app.id, "appDisplayName": app.name, "displayName": app.name,
        ])
    }

    /// The id of an app's object in this tenant. Apps have none here, so one is made of both ids: always the same, and
    /// another in each tenant (RFC 9562, section 5.8).
    private func objectID(of app: CalloutContext.App) -> String {
        var b = Digest.sha256("\(tenantID)/\(app.id)".lowercased().utf8)
        b[6] = b[6] & 0x0F | 0x80
        b[8] = b[8] & 0x3F | 0x80
        let value = UUID(
            uuid: (b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15])
        )
        return value.uuidString.lowercased()
    }
}

extension AuthenticationExtension.Event {
    /// The event in the names of the payload's types.
    var dataName: String {
        switch self {
        case .tokenIssuanceStart: "onTokenIssuanceStart"
        case .attributeCollectionStart: "onAttributeCollectionStart"
        case .attributeCollectionSubmit: "onAttributeCollectionSubmit"
        case .emailOtpSend: "onOtpSend"
        }
    }
}

extension CalloutUser {
    fileprivate var json: JSONValue {
        .members([
            "id": id, "userPrincipalName": userPrincipalName,
            "createdDateTime": createdAt.formatted(Date.ISO8601FormatStyle()), "mail": mail,
            "displayName": displayName, "givenName": givenName, "surname": surname, "companyName": companyName,
            "preferredLanguage": preferredLanguage, "onPremisesSamAccountName": onPremisesSamAccountName,
            "onPremisesSecurityIdentifier": onPremisesSecurityIdentifier,
            "onPremisesUserPrincipalName": onPremisesUserPrincipalName, "userType": userType,
        ])
    }
}

extension SignUpInfo {
    fileprivate var json: JSONValue {
        .object([
            "attributes": .object(
                Dictionary(uniqueKeysWithValues: attributes.map { ($0.key, $0.value.json(named: $0.key)) })),
            "identities": .array(
                identities.map {
                    .members([
                        "signInType": $0.signInType, "issuer": $0.issuer, "issuerAssignedId": $0.issuerAssignedID,
                    ])
                }),
        ])
    }
}

extension SignUpInfo.Attribute {
    fileprivate func json(named name: String) -> JSONValue {
        .object([
            "@odata.type": .string("microsoft.graph.\(type.graphName)DirectoryAttributeValue"), "value": value,
            "attributeType": .string(name.hasPrefix("extension_") ? "directorySchemaExtension" : "builtIn"),
        ])
    }
}

extension AttributeDefinition.Kind {
    fileprivate var graphName: String {
        switch self {
        case .string: "string"
        case .boolean: "boolean"
        case .integer: "int64"
        }
    }
}

extension JSONValue {
    /// An object of texts, without those that are nil.
    fileprivate static func members(_ texts: [String: String?]) -> JSONValue {
        .object(texts.compactMapValues { $0.map(JSONValue.string) })
    }

    /// The value as JSON without blanks.
    var compact: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(self)
        }
    }
}
