// SPDX-License-Identifier: Apache-2.0

public import Foundation
import NativeAuth

/// A code was sent to a contact that is being registered.
public final class MSALNativeAuthRegisterStrongAuthVerificationRequiredResult: NSObject, Sendable {
    /// The state that waits for the code.
    public let newState: RegisterStrongAuthVerificationRequiredState
    private let delivery: CodeDelivery

    init(_ newState: RegisterStrongAuthVerificationRequiredState, _ delivery: CodeDelivery) {
        self.newState = newState
        self.delivery = delivery
    }

    /// Where the code went.
    public var sentTo: String { delivery.sentTo }
    /// What carries it.
    public var channelTargetType: MSALNativeAuthChannelType { delivery.channelType }
    /// The number of digits.
    public var codeLength: Int { delivery.codeLength }
}
