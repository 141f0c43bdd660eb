// SPDX-License-Identifier: Apache-2.0

/// What a message says. Nothing in it was written by whoever asked for it, so that nobody can have the tenant send words
/// of theirs to a stranger.
extension CodeMessage {
    package var subject: String {
        switch purpose {
        case .signUp: "Your sign-up code"
        case .signIn: "Your sign-in code"
        case .passwordReset: "Your password reset code"
        case .secondFactor: "Your second sign-in code"
        case .registration: "Your registration code"
        case .signUpAttempt: "Somebody tried to sign up with your address"
        case .passwordChanged: "Your password was changed"
        }
    }

    private enum Paragraph {
        case words(String)
        case code(String)
    }

    private var paragraphs: [Paragraph] {
        switch purpose {
        case .signUp: code("Use this code to verify your address and create your account:")
        case .signIn: code("Use this code to sign in:")
        case .passwordReset: code("Use this code to choose a new password:")
        case .secondFactor: code("Use this code to finish signing in:")
        case .registration: code("Use this code to make this contact a second way to prove who you are:")
        case .signUpAttempt:
            [
                .words("Somebody tried to create an account with your address, which has one already."),
                .words(
                    "If it was you, sign in instead, or choose a new password. If it was not, ignore this mail: nothing was "
                        + "changed."),
            ]
        case .passwordChanged:
            [
                .words("The password of your account was changed, and every session has ended."),
                .words("If it was not you, choose a new password at once."),
            ]
        }
    }

    private func code(_ sentence: String) -> [Paragraph] {
        let minutes = max(1, lifetime / 60)
        return [
            .words(sentence), .code(code),
            .words("It is good for \(minutes) minutes. If you did not ask for it, ignore this mail."),
        ]
    }

    package var text: String {
        paragraphs.map { paragraph in
            switch paragraph {
            case .words(let text), .code(let text): text
            }
        }.joined(separator: "\n\n")
    }

    /// No picture, link, script or style sheet: nothing that is fetched, and nothing to click on.
    fileprivate var html: String {
        let body = paragraphs.map { paragraph in
            switch paragraph {
            case .words(let text): "<p>\(text)</p>"
            case .code(let text):
                "<p style=\"font-size: 1.6em; letter-spacing: 0.1em\"><strong>\(text)</strong></p>"
            }
        }
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head><meta charset="utf-8"><title>\(subject)</title></head>
            <body>
            \(body.joined(separator: "\n"))
            </body>
            </html>
            """
    }
}

extension CodeMessage {
    /// The message as an Internet message (RFC 5322), lines ended by CRLF: a mail as plain text and as HTML, a text message
    /// as the text alone.
    func rendered(from sender: MailSender) -> String {
        let lines: [String] =
            switch to {
            case .email(let address): head(from: sender, to: address.ascii) + alternatives
            case .phone(let number):
                head(from: sender, to: number.text) + ["Content-Type: text/plain; charset=utf-8", "", text.crlf]
            }
        return (lines + [""]).joined(separator: "\r\n")
    }

    private func head(from sender: MailSender, to recipient: String) -> [String] {
        MailHead(sender: sender, recipient: recipient, subject: subject, date: date, id: id).lines
    }

    /// The plainest first (RFC 2046, section 5.1.4).
    private var alternatives: [String] {
        let boundary = "part-\(id)"
        return ["Content-Type: multipart/alternative;", " boundary=\"\(boundary)\"", ""]
            + part("plain", text, boundary) + part("html", html, boundary) + ["--\(boundary)--"]
    }

    private func part(_ kind: String, _ text: String, _ boundary: String) -> [String] {
        [
            "--\(boundary)", "Content-Type: text/\(kind); charset=utf-8", "Content-Transfer-Encoding: quoted-printable",
            "", QuotedPrintable.encode(text) + "\r\n",
        ]
    }
}

extension String {
    fileprivate var crlf: String {
        split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
    }
}
