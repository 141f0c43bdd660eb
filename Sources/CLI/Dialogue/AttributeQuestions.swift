// SPDX-License-Identifier: Apache-2.0

import Console
import LineEditor
import NativeAuth

extension Interview {
    /// Values for a page of attributes, one question each; `<` goes back to the question before.
    ///
    /// - Parameters:
    ///   - known: What is already settled, by name; it is not asked again.
    ///   - former: What was tried before and not taken: where the answer starts from.
    func attributes(
        _ page: [RequestedAttribute], known: [String: AttributeValue], former: [String: AttributeValue] = [:]
    ) throws -> [String: AttributeValue] {
        var values = known.filter { value in page.contains { $0.name == value.key } }
        let open = page.filter { values[$0.name] == nil }
        guard hasPerson else {
            let flags = open.filter(\.isRequired).map { "--attribute \($0.name.printable)=VALUE" }
            if flags.isEmpty { return values }
            throw missing(flags.joined(separator: " and "))
        }
        if open.count > 1 { tell("Type < to go back to the question before.") }
        var index = 0
        while index < open.count {
            let name = open[index].name
            switch try answer(to: open[index], former: (values[name] ?? former[name])?.text) {
            case .value(let text): values[name] = .string(text)
            case .nothing: values[name] = nil
            case .back:
                if index == 0 { tell("There is no question before this one.") }
                index = max(0, index - 1)
                continue
            }
            index += 1
        }
        return values
    }

    private enum AttributeAnswer {
        case value(String)
        /// An optional one that is left out.
        case nothing
        case back
    }

    /// One attribute by its type. The tenant's rule comes before the question, so that nobody has to guess it.
    private func answer(to attribute: RequestedAttribute, former: String?) throws -> AttributeAnswer {
        guard let terminal else { return .nothing }
        let kind = AttributeKind(attribute)
        kind.rule(of: attribute).forEach(tell)
        let start = former.map(kind.asTyped)
        while true {
            let text = try untilAnswered { () throws(PromptError) in
                try terminal.ask(
                    kind.question(for: attribute), default: terminal.isDumb ? start : nil, preset: start)
            }
            if text == "<" { return .back }
            if text.isEmpty, !attribute.isRequired { return .nothing }
            if let value = kind.value(text) { return .value(value) }
            warn(text.isEmpty ? "\(attribute.label) is required." : kind.expectation)
        }
    }
}

extension RequestedAttribute {
    /// A custom attribute is shown without the id of the app that holds it.
    var label: String {
        let parts = name.split(separator: "_", maxSplits: 2)
        let plain = parts.count == 3 && parts[0] == "extension" ? String(parts[2]) : name
        return (plain.prefix(1).uppercased() + plain.dropFirst()).printable
    }
}

extension AttributeValue {
    fileprivate var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
