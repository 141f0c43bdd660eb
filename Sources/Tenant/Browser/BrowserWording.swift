// SPDX-License-Identifier: Apache-2.0

import Wire

/// A page that asks for nothing more.
enum BrowserEnding {
    /// The app's request cannot be answered, and nobody knows where to send that.
    case notUnderstood(String)
    case over(BrowserProblem)
    /// A form that was sent before, or long after it was opened.
    case used
    /// A form of another browser, or of another site.
    case foreign
    case tooMany
    case unavailable
    case leaving
    case deviceDone
    case deviceDenied

    /// - Parameter restart: Where the person can begin again.
    func page(restart: String? = nil) -> HTMLPage {
        var page = content
        page.link = restart.map { ("Begin again", $0) }
        return page
    }

    private var content: HTMLPage {
        switch self {
        case .notUnderstood(let reason):
            HTMLPage(
                title: "This sign-in cannot begin",
                lines: [reason, "The app that sent you here has to be corrected. You were not signed in."])
        case .over(let problem):
            HTMLPage(title: "This sign-in is over", problem: problem.sentence, lines: ["You were not signed in."])
        case .used:
            HTMLPage(
                title: "This page has been used, or is too old",
                lines: ["A sign-in has one page after the other, each of them once. Begin again; it costs nothing."])
        case .foreign:
            HTMLPage(
                title: "This page is not yours",
                lines: [
                    "It was opened in another browser, or this browser keeps no cookies. Nothing was done.",
                    "Go back to the app and begin again there. Cookies of this address have to be allowed.",
                ])
        case .tooMany:
            HTMLPage(title: "That was too often", lines: ["Wait a minute, then go back and send the page again."])
        case .unavailable:
            HTMLPage(
                title: "The sign-in does not work at the moment",
                lines: ["Go back and send the page again in a moment. Nothing is lost."])
        case .leaving:
            HTMLPage(title: "Back to the app", lines: ["Your browser takes you there."])
        case .deviceDone:
            HTMLPage(title: "You are signed in", lines: ["Go back to your device. You can close this page."])
        case .deviceDenied:
            HTMLPage(title: "Nobody was signed in", lines: ["You can close this page."])
        }
    }
}

extension BrowserProblem {
    var status: Int {
        if case .tooOften = self { 429 } else { 400 }
    }

    var sentence: String {
        switch self {
        case .refused(let refusal): refusal.sentence
        case .tooOften(let seconds): "That was too often. Try again in \(Self.span(seconds))."
        case .noAddress: "Enter an address."
        case .noCode: "Enter the code."
        case .noChoice: "Choose one."
        case .noMatch: "Enter the same password twice."
        case .missing(let names): "This is needed: \(names.map(\.attributeLabel).joined(separator: ", "))."
        case .wrongDeviceCode: "This code is not known, or has expired. Look at your device again."
        case .elsewhere: "This account cannot sign in here. Ask those who run the app."
        case .failed: "It did not work. Begin again."
        }
    }

    private static func span(_ seconds: Int64) -> String {
        if seconds < 60 { return seconds == 1 ? "a second" : "\(seconds) seconds" }
        return seconds < 120 ? "a minute" : "\((seconds + 59) / 60) minutes"
    }
}

extension Refusal {
    /// For people: the description without the service's number, and without the words of the protocol.
    var sentence: String {
        switch (errorCodes?.first, suberror) {
        case (90100, _) where errorDescription?.contains("username") == true: return "This is no e-mail address."
        case (901_001, _): return "This is neither an e-mail address nor a telephone number with its country code."
        case (55200, _), (552_003, _): return "The sign-in took too long, or was carried on elsewhere."
        case (1_003_037, _): return "There is an account with this address already. Sign in, or choose a new password."
        case (50034, _): return "There is no account with this name. Look at the name, or create an account."
        case (500_222, _): return "The password of this account cannot be changed here."
        default: break
        }
        let text = errorDescription ?? "This was refused."
        guard text.hasPrefix("AADSTS"), let colon = text.firstIndex(of: ":") else { return text }
        return String(text[text.index(after: colon)...].drop { $0 == " " })
    }
}
