// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import LineEditor
import NativeAuth

/// What a person says to the question for a code.
enum CodeAnswer: Equatable {
    case code(String)
    /// Another one is to be sent.
    case another
    /// The question before: the address was wrong.
    case back
}

/// What can be chosen anew instead of typing a code.
enum WayBack {
    /// The address that it all is about.
    case address
    /// The second factor; and the contact that is being registered.
    case method, contact

    fileprivate var help: String {
        switch self {
        case .address: "c: type another address, should this one be wrong."
        case .method: "c: choose another way for the code."
        case .contact: "c: choose another address or number, should this one be wrong."
        }
    }
}

extension Interview {
    /// A code, or what to do without one. What cannot be one is found out here, and costs no try.
    ///
    /// - Parameter wayBack: What can be chosen anew; nil for nothing.
    mutating func code(_ delivery: CodeDelivery, wayBack: WayBack? = nil) throws -> CodeAnswer {
        if let code = try givenCode(digits: delivery.codeLength) { return .code(code) }
        guard let terminal else { throw missing("--otp-command") }
        let words = CodeWords(length: delivery.codeLength, nextCode: nextCode, time: time)
        while true {
            let text = try untilAnswered { () throws(PromptError) in
                try terminal.ask({ words.waiting }, finally: words.question)
            }
            switch text.lowercased() {
            case "": tell("Please type the code, or ? for help.")
            case "?": words.help(delivery, wayBack: wayBack).forEach(tell)
            case "r":
                guard let left = words.left else { return .another }
                tell("A new code can be sent in \(left).")
            case "c" where wayBack != nil, "<" where wayBack != nil: return .back
            case "c", "<": tell("The address is settled already. Ctrl-C cancels.")
            default:
                let found = OneTimeCode.find(in: text, length: delivery.codeLength)
                if case .code(let code) = found { return .code(code) }
                warn(words.problem(found))
            }
        }
    }
}

/// How a code is asked for.
private struct CodeWords {
    let length: Int
    let nextCode: Date?
    let time: TimeSource

    var question: String { "Code of \(length) digits (r for a new one, ? for help)" }

    /// The question while no new code can be sent; nil afterwards.
    var waiting: String? {
        left.map { "Code of \(length) digits (a new one in \($0), ? for help)" }
    }

    /// How long until then, as `4:37`; nil once it is over.
    var left: String? {
        guard let seconds = nextCode?.timeIntervalSince(time.now()), seconds > 0 else { return nil }
        let whole = Int(seconds.rounded(.up))
        let rest = whole % 60
        return "\(whole / 60):\(rest < 10 ? "0" : "")\(rest)"
    }

    func problem(_ found: OneTimeCode) -> String {
        switch found {
        case .wrongLength(let count): "The code has \(length) digits, and that has \(count)."
        case .ambiguous: "There is more than one code in that. Type just the digits."
        case .none, .code: "There is no code in that. Type the \(length) digits from the message."
        }
    }

    func help(_ delivery: CodeDelivery, wayBack: WayBack?) -> [String] {
        [
            "The code has \(length) digits and went to \(delivery.sentTo.printable). Blanks and hyphens do not matter.",
            "r: have a new one sent" + (left.map { ", in \($0) from now;" } ?? ";") + " the last one is void then.",
            wayBack?.help,
            "Ctrl-C: cancel.",
        ].compactMap { $0 }
    }
}
