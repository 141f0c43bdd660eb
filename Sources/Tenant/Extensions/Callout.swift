// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// What the rules want to know from a receiver.
enum Callout: Sendable, Equatable {
    case tokenIssuanceStart(user: CalloutUser)
    case attributeCollectionStart(SignUpInfo)
    case attributeCollectionSubmit(SignUpInfo)
    /// The one payload that holds a code, since delivering it is the receiver's task.
    case emailOtpSend(address: String, code: String, requestType: String)

    var event: AuthenticationExtension.Event {
        switch self {
        case .tokenIssuanceStart: .tokenIssuanceStart
        case .attributeCollectionStart: .attributeCollectionStart
        case .attributeCollectionSubmit: .attributeCollectionSubmit
        case .emailOtpSend: .emailOtpSend
        }
    }
}

/// The person that a token is about. What is nil is left out of the payload.
struct CalloutUser: Sendable, Equatable {
    /// The object id.
    var id: String
    var userPrincipalName: String
    var createdAt: Date
    var mail: String?
    var displayName: String?
    var givenName: String?
    var surname: String?
    var companyName: String?
    var preferredLanguage: String?
    var onPremisesSamAccountName: String?
    var onPremisesSecurityIdentifier: String?
    var onPremisesUserPrincipalName: String?
    var userType = "Member"

    init(id: String, userPrincipalName: String, createdAt: Date) {
        self.id = id
        self.userPrincipalName = userPrincipalName
        self.createdAt = createdAt
    }
}

/// What a person has said so far while signing up. A password is never part of it.
struct SignUpInfo: Sendable, Equatable {
    struct Attribute: Sendable, Equatable {
        var type: AttributeDefinition.Kind
        var value: JSONValue
    }

    /// How the new account will sign in.
    struct Identity: Sendable, Equatable {
        var signInType = "email"
        /// The tenant's domain.
        var issuer: String
        var issuerAssignedID: String
    }

    var attributes: [String: Attribute]
    var identities: [Identity]
}

/// What every payload tells about the request that led to it.
struct CalloutContext: Sendable, Equatable {
    struct App: Sendable, Equatable {
        /// The application id.
        var id: String
        var name: String
    }

    /// The id of the client's conversation.
    var correlationID: String
    var client: App
    var resource: App
    var clientAddress: String?
    /// `nb-no`.
    var locale: String?

    init(correlationID: String, client: App, resource: App, clientAddress: String? = nil, locale: String? = nil) {
        self.correlationID = correlationID
        self.client = client
        self.resource = resource
        self.clientAddress = clientAddress
        self.locale = locale
    }
}

/// What came of a callout.
enum CalloutOutcome: Sendable, Equatable {
    /// Claims for the token, each a string or an array of strings. Their names are the receiver's; those in the token are
    /// the owner's choice.
    case claims([String: JSONValue])
    case goOn
    /// Attributes that the person need not be asked for. They are the receiver's word, and not checked yet.
    case prefill([String: JSONValue])
    /// Attributes to store in place of what the person gave; not checked yet.
    case modify([String: JSONValue])
    case validationError(message: String, attributes: [String: String])
    /// The person may not go on.
    case block(title: String, message: String)
    case failed(CalloutFailure)
}
