// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// A page of the sign-in: plain HTML that works without scripts, at any width, and with a screen reader.
struct HTMLPage {
    var title: String
    /// What was wrong; read out first.
    var problem: String?
    var lines: [String] = []
    var form: HTMLForm?
    /// A way on that needs no form.
    var link: (text: String, address: String)?

    var html: String {
        let heading = problem == nil ? title : "Error: \(title)"
        let parts =
            ["<h1>\(title.escaped)</h1>"]
            + (problem.map { ["<p id=\"problem\" class=\"problem\" role=\"alert\">\($0.escaped)</p>"] } ?? [])
            + lines.map { "<p>\($0.escaped)</p>" } + (form.map { [$0.html(problem: problem != nil)] } ?? [])
            + (link.map { ["<p><a href=\"\($0.address.escaped)\">\($0.text.escaped)</a></p>"] } ?? [])
        return """
            <!doctype html>
            <html lang="en">
            <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(heading.escaped)</title>
            <style>\(HTML.style)</style></head>
            <body><main>
            \(parts.joined(separator: "\n"))
            </main></body>
            </html>

            """
    }
}

/// A form: fields, and buttons of which the first is what Return presses.
struct HTMLForm {
    var action: String
    var hidden: [(name: String, value: String)]
    var fields: [HTMLField] = []
    var buttons: [(text: String, value: String?)]

    fileprivate func html(problem: Bool) -> String {
        let hidden = hidden.map {
            "<input type=\"hidden\" name=\"\($0.name.escaped)\" value=\"\($0.value.escaped)\">"
        }
        let fields = fields.enumerated().map { $1.html(problem: problem && $0 == 0, isFirst: $0 == 0) }
        let buttons = buttons.map { button in
            guard let value = button.value else { return "<button type=\"submit\">\(button.text.escaped)</button>" }
            // Whoever turns back need not have filled in anything.
            return "<button type=\"submit\" class=\"other\" name=\"do\" value=\"\(value.escaped)\" formnovalidate>"
                + "\(button.text.escaped)</button>"
        }
        return
            (["<form method=\"post\" action=\"\(action.escaped)\">"] + hidden + fields
            + ["<p class=\"buttons\">"] + buttons + ["</p>", "</form>"])
            .joined(separator: "\n")
    }
}

/// One question of a form.
struct HTMLField {
    enum Kind {
        /// With the type of the input and its further attributes.
        case input(String, [String: String])
        case select([String])
        case check
        /// One of several, each with its value and its text.
        case one([(value: String, text: String)])
        /// Any of several; each has a name of its own.
        case several([String])
    }

    var name: String
    var label: String
    var kind: Kind
    var value: String?
    var isRequired = true
    var note: String?

    fileprivate func html(problem: Bool, isFirst: Bool) -> String {
        let described = [problem ? "problem" : nil, note == nil ? nil : "\(name)-note"].compactMap { $0 }
        let common =
            (isRequired ? " required" : "") + (isFirst ? " autofocus" : "")
            + (described.isEmpty ? "" : " aria-describedby=\"\(described.joined(separator: " "))\"")
            + (problem ? " aria-invalid=\"true\"" : "")
        let note = note.map { "<p class=\"note\" id=\"\(name)-note\">\($0.escaped)</p>" } ?? ""
        let label = "<label for=\"\(name)\">\(label.escaped)</label>"
        switch kind {
        case .input(let type, let attributes):
            let more = attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\"\($0.value.escaped)\"" }.joined()
            let value = value.map { " value=\"\($0.escaped)\"" } ?? ""
            return "\(label)\n<input type=\"\(type)\" id=\"\(name)\" name=\"\(name)\"\(value)\(more)\(common)>\n\(note)"
        case .select(let choices):
            let options = ([""] + choices).map { "<option value=\"\($0.escaped)\">\($0.escaped)</option>" }
            return "\(label)\n<select id=\"\(name)\" name=\"\(name)\"\(common)>\(options.joined())</select>\n\(note)"
        case .check:
            let box = "<input type=\"checkbox\" id=\"\(name)\" name=\"\(name)\" value=\"true\">"
            return "<p class=\"choice\">\(box) \(label)</p>\n\(note)"
        case .one(let choices):
            return group(
                choices.enumerated().map { number, choice in
                    ("radio", name, "\(name)-\(number)", choice.value, choice.text)
                })
        case .several(let choices):
            return group(
                choices.enumerated().map { number, choice in
                    ("checkbox", "\(name)-\(number)", "\(name)-\(number)", choice, choice)
                })
        }
    }

    private func group(_ choices: [(type: String, name: String, id: String, value: String, text: String)]) -> String {
        let rows = choices.map { choice in
            "<p class=\"choice\"><input type=\"\(choice.type)\" id=\"\(choice.id)\" name=\"\(choice.name)\""
                + " value=\"\(choice.value.escaped)\"> <label for=\"\(choice.id)\">\(choice.text.escaped)</label></p>"
        }
        return "<fieldset><legend>\(label.escaped)</legend>\n\(rows.joined(separator: "\n"))\n</fieldset>"
    }
}

/// What all pages have in common.
enum HTML {
    static let style = """
        :root{color-scheme:light dark}
        body{font:1rem/1.5 system-ui,sans-serif;margin:0;padding:1.5rem}
        main{max-width:26rem;margin:0 auto}
        h1{font-size:1.5rem}
        label,legend{display:block;font-weight:600}
        input:not([type=checkbox]):not([type=radio]),select{font:inherit;width:100%;box-sizing:border-box;padding:.5rem;margin:.25rem 0 .75rem}
        .choice label{display:inline;font-weight:400}
        fieldset{border:0;margin:0 0 .75rem;padding:0}
        .note{margin:-.5rem 0 .75rem}
        .buttons{display:flex;flex-direction:column;gap:.5rem}
        button{font:inherit;padding:.5rem}
        .problem{border-left:.25rem solid #c00;padding:.25rem .75rem}
        """

    /// A page that loads nothing, runs nothing, and stands in no frame; its one style sheet is known by its hash (Content
    /// Security Policy Level 3).
    ///
    /// - Parameter formTarget: Where a form may lead beyond the tenant: browsers look at this for redirects, too.
    static func headers(formTarget: String) -> [String: String] {
        [
            "content-type": "text/html; charset=utf-8", "cache-control": "no-store",
            // Not "no-referrer": with it browsers call the origin of a form "null".
            "referrer-policy": "same-origin", "x-frame-options": "DENY", "x-content-type-options": "nosniff",
            "content-security-policy":
                "default-src 'none'; style-src 'sha256-\(styleHash)'; form-action 'self'\(formTarget); "
                + "frame-ancestors 'none'; base-uri 'none'",
        ]
    }

    private static let styleHash = Data(Digest.sha256(style.utf8)).base64EncodedString()
}

extension HTMLPage {
    /// The answer to an app that wants it as a form. A script could send it; here a person does.
    init(posting response: AuthorizationResponse) {
        self.init(title: "You are nearly there", lines: ["Press the button to go back to the app."])
        form = HTMLForm(
            action: response.asker.redirect,
            hidden: response.parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
            buttons: [("Continue", nil)])
    }
}
