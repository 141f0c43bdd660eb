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
            + lines.map { "<p>\($0.escaped)</p>" } + (form.map { [$0.html] } ?? [])
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

    fileprivate var html: String {
        let hidden = hidden.map {
            "<input type=\"hidden\" name=\"\($0.name.escaped)\" value=\"\($0.value.escaped)\">"
        }
        // Whoever has made a mistake is taken there.
        let focus = fields.firstIndex(where: \.isWrong) ?? 0
        let fields = fields.enumerated().map { $1.html(hasFocus: $0 == focus) }
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
    /// Whether the page's problem is with this field.
    var isWrong = false

    /// What a screen reader says about the field besides its label.
    private var description: String {
        let described = [isWrong ? "problem" : nil, note == nil ? nil : "\(name)-note"].compactMap { $0 }
        return described.isEmpty ? "" : " aria-describedby=\"\(described.joined(separator: " "))\""
    }

    fileprivate func html(hasFocus: Bool) -> String {
        let focus = hasFocus ? " autofocus" : ""
        let common = (isRequired ? " required" : "") + focus + description + (isWrong ? " aria-invalid=\"true\"" : "")
        let note = note.map { "<p class=\"note\" id=\"\(name)-note\">\($0.escaped)</p>" } ?? ""
        let label = "<label for=\"\(name)\">\(label.escaped)</label>"
        switch kind {
        case .input(let type, let attributes):
            let more = attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\"\($0.value.escaped)\"" }.joined()
            let value = value.map { " value=\"\($0.escaped)\"" } ?? ""
            return "\(label)\n<input type=\"\(type)\" id=\"\(name)\" name=\"\(name)\"\(value)\(more)\(common)>\n\(note)"
        case .select(let choices):
            let options = ([""] + choices).map { choice in
                let selected = choice == value ? " selected" : ""
                return "<option value=\"\(choice.escaped)\"\(selected)>\(choice.escaped)</option>"
            }
            return "\(label)\n<select id=\"\(name)\" name=\"\(name)\"\(common)>\(options.joined())</select>\n\(note)"
        case .check:
            let state = (value == "true" ? " checked" : "") + focus + description
            let box = "<input type=\"checkbox\" id=\"\(name)\" name=\"\(name)\" value=\"true\"\(state)>"
            return "<p class=\"choice\">\(box) \(label)</p>\n\(note)"
        case .one(let choices):
            return group(
                choices.enumerated().map { number, choice in
                    ("radio", name, "\(name)-\(number)", choice.value, choice.text)
                }, focus, isRequired ? " required" : "")
        case .several(let choices):
            return group(
                choices.enumerated().map { number, choice in
                    ("checkbox", "\(name)-\(number)", "\(name)-\(number)", choice, choice)
                }, focus, "")
        }
    }

    private func group(
        _ choices: [(type: String, name: String, id: String, value: String, text: String)], _ focus: String,
        _ required: String
    ) -> String {
        let chosen = (value ?? "").split(separator: ",").map(String.init)
        let rows = choices.enumerated().map { number, choice in
            let state = (chosen.contains(choice.value) ? " checked" : "") + required + (number == 0 ? focus : "")
            return "<p class=\"choice\"><input type=\"\(choice.type)\" id=\"\(choice.id)\" name=\"\(choice.name)\""
                + " value=\"\(choice.value.escaped)\"\(state)>"
                + " <label for=\"\(choice.id)\">\(choice.text.escaped)</label></p>"
        }
        return "<fieldset\(description)><legend>\(label.escaped)</legend>\n\(rows.joined(separator: "\n"))\n</fieldset>"
    }
}

/// What all pages have in common.
enum HTML {
    static let style = """
        :root{color-scheme:light dark;--back:#f4f5f7;--paper:#fff;--ink:#1c1d21;--line:#74777f;--lead:#0b57d0;--onlead:#fff;--wrong:#b3261e}
        @media(prefers-color-scheme:dark){:root{--back:#131417;--paper:#1e2024;--ink:#e6e7eb;--line:#8d9199;--lead:#a8c7fa;--onlead:#062e6f;--wrong:#f2b8b5}}
        *{box-sizing:border-box}
        body{font:1rem/1.5 system-ui,sans-serif;margin:0;padding:1rem;background:var(--back);color:var(--ink)}
        main{max-width:27rem;margin:5vh auto;padding:1.75rem;background:var(--paper);border-radius:.75rem;overflow-wrap:break-word}
        h1{font-size:1.5rem;line-height:1.25;margin:0 0 1rem}
        p{margin:.75rem 0}
        a{color:var(--lead)}
        label,legend{display:block;font-weight:600;padding:0}
        input,select{accent-color:var(--lead)}
        input:not([type=checkbox]):not([type=radio]),select{font:inherit;width:100%;padding:.625rem;margin:.25rem 0 1rem;border:1px solid var(--line);border-radius:.375rem;background:var(--paper);color:var(--ink)}
        [aria-invalid]{border-color:var(--wrong)!important}
        .choice{display:flex;gap:.5rem;align-items:center;margin:.5rem 0}
        form>.choice{margin:.5rem 0 1rem}
        .choice input{width:1.5rem;height:1.5rem;flex:none;margin:0}
        .choice label{font-weight:400}
        fieldset{border:0;margin:0 0 1rem;padding:0;min-width:0}
        .note{font-size:.875rem;margin:-.625rem 0 1rem}
        .buttons{display:flex;flex-direction:column;gap:.625rem;margin:1.25rem 0 0}
        button{font:inherit;font-weight:600;padding:.625rem;border:1px solid var(--lead);border-radius:.375rem;background:var(--lead);color:var(--onlead);cursor:pointer}
        button.other{font-weight:400;border-color:var(--line);background:var(--paper);color:var(--ink)}
        :focus-visible{outline:.1875rem solid var(--lead);outline-offset:.125rem}
        .problem{border-left:.25rem solid var(--wrong);margin:0 0 1rem;padding:.25rem .75rem}
        @media(max-width:30rem){body{padding:0;background:var(--paper)}main{margin:0;padding:1.25rem}}
        """

    /// A page that loads nothing, runs nothing, and stands in no frame; its one style sheet is known by its hash (Content
    /// Security Policy Level 3).
    ///
    /// - Parameter formTarget: Where a form may lead beyond the tenant: browsers look at this for redirects, too. Nil where the
    ///   page has no form.
    static func headers(formTarget: String?) -> [String: String] {
        [
            "content-type": "text/html; charset=utf-8", "cache-control": "no-store",
            // Not "no-referrer": with it browsers call the origin of a form "null".
            "referrer-policy": "same-origin", "x-frame-options": "DENY", "x-content-type-options": "nosniff",
            "content-security-policy":
                "default-src 'none'; style-src 'sha256-\(styleHash)'; "
                + "form-action \(formTarget.map { "'self'\($0)" } ?? "'none'"); "
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
