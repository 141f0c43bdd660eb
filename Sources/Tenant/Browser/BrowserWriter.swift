// SPDX-License-Identifier: Apache-2.0

import Wire

/// Writes the page of a step.
struct BrowserWriter {
    let draft: BrowserDraft
    /// Of the form.
    let token: String
    let action: String
    let problem: BrowserProblem?
    /// What was typed on the page before. What is no secret need not be typed again.
    let typed: [String: String]
    /// Nil while nobody knows which app it will be.
    let appName: String?
    let definitions: [AttributeDefinition]

    private typealias Button = (text: String, value: String?)
    private static let cancel: Button = ("Cancel", "cancel")
    private var app: String { appName ?? "the app" }

    var page: HTMLPage {
        var page = content
        page.problem = sentence
        page.form?.action = action
        page.form?.hidden = [("page", token)]
        if problem != nil, let form = page.form, !form.fields.isEmpty, !form.fields.contains(where: \.isWrong) {
            page.form?.fields[0].isWrong = true
        }
        return page
    }

    private var content: HTMLPage {
        switch draft.step {
        case .deviceCode: return deviceCode
        case .deviceConsent: return deviceConsent
        case .identify(let purpose): return identify(purpose)
        case .password(let flow): return password(flow)
        case .code(let step): return code(step)
        case .newPassword(_, let flow): return newPassword(flow)
        case .attributes(let asked, _): return attributes(asked)
        case .method(let methods, _): return method(methods)
        case .contact(let methods, _): return contact(methods)
        }
    }

    private func form(_ fields: [HTMLField], _ buttons: Button...) -> HTMLForm {
        HTMLForm(action: "", hidden: [], fields: fields, buttons: buttons)
    }

    // MARK: - Who

    private var deviceCode: HTMLPage {
        let field = HTMLField(
            name: "code", label: "Code",
            kind: .input("text", ["autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"]),
            value: typed["code"], note: "Eight letters, as BCDF-GHJK. Your device shows them.")
        return HTMLPage(title: "Enter the code of your device", form: form([field], ("Next", nil)))
    }

    private var deviceConsent: HTMLPage {
        var code = ""
        if case .device(let device)? = draft.goal { code = device.userCode }
        return HTMLPage(
            title: "Sign in to \(app) on another device",
            lines: [
                "The device shows the code \(code). Go on only if it is yours, and you have just started this yourself.",
                "Whoever sent you the code would be signed in as you.",
            ], form: form([], ("Continue", nil), Self.cancel))
    }

    private func identify(_ purpose: BrowserPurpose) -> HTMLPage {
        var hint = typed["username"]
        if hint == nil, case .app(let request)? = draft.goal { hint = request.hint }
        let field = HTMLField(
            name: "username", label: "E-mail address",
            kind: .input(
                purpose == .signUp ? "email" : "text",
                ["autocomplete": "username", "autocapitalize": "none", "spellcheck": "false", "inputmode": "email"]),
            value: hint)
        switch purpose {
        case .signIn:
            return HTMLPage(
                title: "Sign in to \(app)",
                form: form([field], ("Next", nil), ("Create an account", "signup"), Self.cancel))
        case .signUp:
            return HTMLPage(
                title: "Create an account for \(app)", lines: ["A code is sent to this address."],
                form: form([field], ("Next", nil), ("I have an account", "signin"), Self.cancel))
        case .reset:
            return HTMLPage(
                title: "Choose a new password", lines: ["A code is sent to this address."],
                form: form([field], ("Next", nil), ("Back to the sign-in", "signin"), Self.cancel))
        }
    }

    // MARK: - Proofs

    private func password(_ flow: InnerFlow) -> HTMLPage {
        let field = HTMLField(
            name: "password", label: "Password", kind: .input("password", ["autocomplete": "current-password"]))
        return HTMLPage(
            title: "Enter your password", lines: [flow.username],
            form: form(
                [field], ("Sign in", nil), ("I have forgotten my password", "reset"),
                ("Use another address", "signin"), Self.cancel))
    }

    private func code(_ step: CodeStep) -> HTMLPage {
        let field = HTMLField(
            name: "code", label: "Code",
            kind: .input("text", ["autocomplete": "one-time-code", "inputmode": "numeric", "spellcheck": "false"]),
            note: "\(step.length) digits.")
        return HTMLPage(
            title: "Enter the code", lines: ["A code was sent to \(step.label)."],
            form: form(
                [field], ("Next", nil), ("Send a new code", "again"), ("Use another address", "signin"), Self.cancel))
    }

    private func newPassword(_ flow: InnerFlow) -> HTMLPage {
        let kind = HTMLField.Kind.input("password", ["autocomplete": "new-password"])
        return HTMLPage(
            title: "Choose a password", lines: [flow.username],
            form: form(
                [
                    HTMLField(name: "password", label: "New password", kind: kind),
                    HTMLField(name: "again", label: "The same again", kind: kind),
                ], ("Next", nil), Self.cancel))
    }

    // MARK: - Attributes

    private func attributes(_ asked: [RequiredAttribute]) -> HTMLPage {
        HTMLPage(
            title: "About you",
            form: HTMLForm(
                action: "", hidden: [], fields: asked.enumerated().map { field($1, "attribute-\($0)") },
                buttons: [("Next", nil), Self.cancel]))
    }

    /// The attributes whose values are wrong, or missing.
    private var wrongAttributes: [String] {
        switch problem {
        case .refused(let refusal)?: refusal.invalidAttributes?.map(\.name) ?? []
        case .missing(let names)?: names
        default: []
        }
    }

    /// What was wrong, in the words of the page.
    private var sentence: String? {
        let names = wrongAttributes
        guard case .refused? = problem, !names.isEmpty else { return problem?.sentence }
        return "This is not accepted: \(names.map(\.attributeLabel).joined(separator: ", "))."
    }

    /// What was typed for an attribute, where the same ones are asked for again.
    private func typedAttribute(_ name: String) -> String? {
        problem == nil ? nil : BrowserTurn.attribute(name, in: typed)
    }

    private func field(_ attribute: RequiredAttribute, _ name: String) -> HTMLField {
        let definition = definitions.first { $0.name == attribute.name }
        let label = attribute.name.attributeLabel + (attribute.required ? "" : " (optional)")
        var field = HTMLField(name: name, label: label, kind: .input("text", [:]), isRequired: attribute.required)
        field.value = typedAttribute(name)
        field.isWrong = wrongAttributes.contains(attribute.name)
        if let choices = definition?.choices {
            field.kind = definition?.takesSeveral == true ? .several(choices) : .select(choices)
        } else if attribute.type == "boolean" {
            field.kind = .check
        } else if attribute.type == "integer" {
            field.kind = .input("text", ["inputmode": "numeric"])
        } else if let completion = Self.completions[attribute.name] {
            field.kind = .input("text", ["autocomplete": completion])
        }
        return field
    }

    /// What browsers know about people (HTML, section 4.10.18.7).
    private static let completions = [
        "displayName": "name", "givenName": "given-name", "surname": "family-name", "jobTitle": "organization-title",
        "streetAddress": "street-address", "postalCode": "postal-code", "city": "address-level2",
        "state": "address-level1", "country": "country-name",
    ]

    // MARK: - The second factor

    private func method(_ methods: [Methods.Method]) -> HTMLPage {
        let choices = methods.map { method in
            (method.id, (method.challengeChannel == .sms ? "Text message to " : "Mail to ") + (method.loginHint ?? ""))
        }
        return HTMLPage(
            title: "A second code is needed",
            form: form(
                [HTMLField(name: "method", label: "Send it as", kind: .one(choices))], ("Send the code", nil),
                Self.cancel))
    }

    private func contact(_ methods: [Methods.Method]) -> HTMLPage {
        let channels = methods.map(\.challengeChannel)
        let label =
            !channels.contains(.sms)
            ? "E-mail address" : channels.contains(.email) ? "E-mail address or telephone number" : "Telephone number"
        let field = HTMLField(
            name: "contact", label: label, kind: .input("text", ["autocapitalize": "none", "spellcheck": "false"]),
            value: typed["contact"] ?? methods.compactMap(\.loginHint).first,
            note: channels.contains(.sms) ? "A number with its country code, as +47 12345678." : nil)
        return HTMLPage(
            title: "Where do second codes go?",
            lines: ["\(app) asks for a second proof. A code goes there now, and at later sign-ins."],
            form: form([field], ("Send a code", nil), Self.cancel))
    }
}

extension String {
    /// `extension_{id}_shoeSize` as "Shoe size".
    var attributeLabel: String {
        let name = hasPrefix("extension_") ? split(separator: "_", maxSplits: 2).last.map(String.init) ?? self : self
        let words = name.reduce(into: "") { text, character in
            if character.isUppercase, !text.isEmpty { text += " " }
            text += character == "_" ? " " : character.lowercased()
        }
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}
