// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A receiver that the tenant's owner has registered for one event: a custom authentication extension.
package struct AuthenticationExtension: Sendable, Codable, Equatable {
    /// When the receiver is asked.
    package enum Event: String, Sendable, Codable, CaseIterable {
        /// Before a token is issued; the receiver adds claims.
        case tokenIssuanceStart
        /// Before the first attribute is asked for.
        case attributeCollectionStart
        /// After the attributes were given.
        case attributeCollectionSubmit
        /// Instead of sending a mail with a code.
        case emailOtpSend
    }

    package var id: String
    /// What binds the receiver to its event; part of every payload.
    package var listenerID: String
    package var name: String
    package var event: Event
    package var targetURL: String
    /// `api://{host of the target}/{application id}`. The application id is the audience of the tenant's token.
    package var resourceID: String
    /// For one attempt. All attempts together have ``Callouts/budget``.
    package var timeoutMilliseconds = 1000
    package var maximumRetries = 1
    /// The client ids of the apps it is for; nil for all.
    package var apps: [String]?
    /// Whether the tenant sends the mail itself where the call fails; for `emailOtpSend` only.
    package var fallsBackOnError = false
    /// Whether the flow goes on as if there were no extension where the call fails.
    package var failsOpen = false
    /// Whether the target may be in a private network, or on this machine under any name.
    package var allowsPrivateAddresses = false
    /// Certificate authorities for the target, as a PEM file; nil for the system's.
    package var caFile: String?
    package var enabled = true

    package init(id: String, listenerID: String, name: String, event: Event, targetURL: String, resourceID: String) {
        self.id = id
        self.listenerID = listenerID
        self.name = name
        self.event = event
        self.targetURL = targetURL
        self.resourceID = resourceID
    }

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case id
        case listenerID = "listener_id"
        case name
        case event
        case targetURL = "target_url"
        case resourceID = "resource_id"
        case timeoutMilliseconds = "timeout_milliseconds"
        case maximumRetries = "maximum_retries"
        case apps
        case fallsBackOnError = "falls_back_on_error"
        case failsOpen = "fails_open"
        case allowsPrivateAddresses = "allows_private_addresses"
        case caFile = "ca_file"
        case enabled
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        listenerID = try container.decode(String.self, forKey: .listenerID)
        name = try container.decode(String.self, forKey: .name)
        event = try container.decode(Event.self, forKey: .event)
        targetURL = try container.decode(String.self, forKey: .targetURL)
        resourceID = try container.decode(String.self, forKey: .resourceID)
        timeoutMilliseconds = try container.decodeIfPresent(Int.self, forKey: .timeoutMilliseconds) ?? 1000
        maximumRetries = try container.decodeIfPresent(Int.self, forKey: .maximumRetries) ?? 1
        apps = try container.decodeIfPresent([String].self, forKey: .apps)
        fallsBackOnError = try container.decodeIfPresent(Bool.self, forKey: .fallsBackOnError) ?? false
        failsOpen = try container.decodeIfPresent(Bool.self, forKey: .failsOpen) ?? false
        allowsPrivateAddresses = try container.decodeIfPresent(Bool.self, forKey: .allowsPrivateAddresses) ?? false
        caFile = try container.decodeIfPresent(String.self, forKey: .caFile)
        enabled = try container.decodeIfPresent(Bool.self, forKey: .enabled) ?? true
    }
}

// MARK: - What makes sense

extension AuthenticationExtension {
    /// Why a definition cannot be used, in words for its author; nil if it can.
    package var problem: String? {
        if name.isEmpty { return "the extension has no name" }
        if UUID(uuidString: id) == nil { return "the id is no GUID" }
        if UUID(uuidString: listenerID) == nil { return "the listener's id is no GUID" }
        if apps?.isEmpty == true { return "the list of apps is empty; leave it out for all apps" }
        return targetProblem ?? policyProblem
    }

    private var targetProblem: String? {
        guard let target else {
            return
                "the target is no https URL, without user name and fragment; http is for 127.0.0.1, [::1] and localhost"
        }
        guard let resource else {
            return "the resource id is not of the form api://{host of the target}/{application id}"
        }
        guard resource.host == target.host else { return "the resource id and the target have different hosts" }
        return nil
    }

    private var policyProblem: String? {
        if !(200...2000).contains(timeoutMilliseconds) { return "the time-out is not from 200 to 2000 milliseconds" }
        if !(0...1).contains(maximumRetries) { return "there is at most 1 retry" }
        if fallsBackOnError, event != .emailOtpSend {
            return "only an extension for emailOtpSend falls back on an error"
        }
        if failsOpen, event == .emailOtpSend {
            return "an extension for emailOtpSend cannot fail open: the code would reach nobody"
        }
        return nil
    }

    var target: CalloutTarget? { CalloutTarget(targetURL) }
    var resource: CalloutResource? { CalloutResource(resourceID) }

    /// Whether it is asked for this app.
    package func serves(_ clientID: String) -> Bool {
        enabled && apps.map { $0.contains { $0.lowercased() == clientID.lowercased() } } ?? true
    }
}

extension [AuthenticationExtension] {
    /// The one that is asked: one that names the app comes before one for all apps.
    package func first(for event: AuthenticationExtension.Event, clientID: String) -> AuthenticationExtension? {
        let candidates = filter { $0.event == event && $0.serves(clientID) }
        return candidates.first { $0.apps != nil } ?? candidates.first
    }
}
