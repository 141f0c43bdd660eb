// SPDX-License-Identifier: Apache-2.0

public import Foundation
import NativeAuth
import Wire

/// A way to send a code to a person.
public final class MSALAuthMethod: NSObject, Sendable {
    let method: AuthenticationMethod

    init(_ method: AuthenticationMethod) { self.method = method }

    /// The tenant's own id of it.
    public var id: String { method.id }
    /// The proof that it takes: `oob`, a one-time passcode.
    public var challengeType: String { method.challengeType.rawValue }
    /// What carries the code.
    public var channelTargetType: MSALNativeAuthChannelType { MSALNativeAuthChannelType(method.channel) }
    /// For a second factor the masked address or number; for a registration a contact to suggest.
    public var loginHint: String? { method.hint }
}

/// What carries a code.
public final class MSALNativeAuthChannelType: NSObject, Sendable {
    /// The protocol's word: `email` or `sms`.
    public let value: String

    init(_ value: String) { self.value = value }

    /// A mail.
    public var isEmailType: Bool { value.lowercased() == "email" }
    /// A text message.
    public var isSMSType: Bool { value.lowercased() == "sms" }
}

/// An attribute that a user flow asks for.
public final class MSALNativeAuthRequiredAttribute: NSObject, Sendable {
    private let attribute: RequestedAttribute

    init(_ attribute: RequestedAttribute) { self.attribute = attribute }

    /// The name under which a value is submitted.
    public var name: String { attribute.name }
    /// The server's word for the type: `string`, `boolean`, `integer`, and maybe others.
    public var type: String { attribute.type }
    /// Whether the sign-up can end without it.
    public var required: Bool { attribute.isRequired }
    /// A pattern that the whole value has to match, if the tenant tells one. A hint: the tenant decides.
    public var regex: String? { attribute.pattern }
}

extension CodeDelivery {
    var channelType: MSALNativeAuthChannelType { MSALNativeAuthChannelType(channel) }
}
