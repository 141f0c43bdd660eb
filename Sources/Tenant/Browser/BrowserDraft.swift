// SPDX-License-Identifier: Apache-2.0

import Wire

/// A browser that walks through the flows: for whom, and what it shows.
struct BrowserDraft: Sendable, Codable {
    /// What is behind it; nil while a person still types the code of a device.
    enum Goal: Sendable, Codable {
        case app(AuthorizationRequest)
        case device(DeviceGoal)
    }

    var goal: Goal?
    /// SHA-256 of what the browser's cookie holds: a form counts from the browser that it was given to.
    var cookie: String
    var step: BrowserStep

    var clientID: String {
        switch goal {
        case .app(let request): request.asker.clientID
        case .device(let device): device.clientID
        case nil: ""
        }
    }
}

/// What a page of the sign-in asks for. Each step but the first is a step of a flow as any client of the protocol takes it.
enum BrowserStep: Sendable, Codable {
    case deviceCode
    case deviceConsent
    /// The address of somebody who signs in, signs up, or has forgotten a password.
    case identify(BrowserPurpose)
    case password(InnerFlow)
    case code(CodeStep)
    case newPassword(BrowserPurpose, InnerFlow)
    case attributes([RequiredAttribute], InnerFlow)
    /// Which of several methods the second code is sent by.
    case method([Methods.Method], InnerFlow)
    /// A contact for second codes, of one of these kinds.
    case contact([Methods.Method], InnerFlow)
}

enum BrowserPurpose: String, Sendable, Codable {
    case signIn
    case signUp
    case reset
}

/// A flow of the protocol that the pages are in the middle of.
struct InnerFlow: Sendable, Codable {
    /// Its continuation token, sealed.
    var token: String
    var username: String
}

/// A code that is on its way.
struct CodeStep: Sendable, Codable {
    enum Proof: Sendable, Codable {
        case first(BrowserPurpose)
        case second
        /// To a contact that is being registered.
        case registration(Methods.Method, contact: String)
    }

    var proof: Proof
    var flow: InnerFlow
    /// Where it went, masked where the page does not know it.
    var label: String
    var length: Int
}
