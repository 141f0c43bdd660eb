// SPDX-License-Identifier: Apache-2.0

extension Parameter {
    /// An option with a length of time, as `30s`, `2m` or `1h`; seconds without a letter.
    package static func option(
        _ names: String..., value: String, to path: WritableKeyPath<Root, Duration?>, help: String
    ) -> Self {
        Parameter(kind: .option(value: value), names: names, help: help) { text, root throws(Misfit) in
            guard let duration = Duration(spelled: text) else {
                throw Misfit(expected: "a length of time, as 30s or 2m")
            }
            root[keyPath: path] = duration
        }
    }
}

extension Duration {
    /// The length that a text like `30s`, `500ms`, `2m` or `1h` says; nil for any other, and for none at all.
    package init?(spelled text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), number > 0, number <= 1_000_000 else { return nil }
        switch text.dropFirst(digits.count) {
        case "ms": self = .milliseconds(number)
        case "", "s": self = .seconds(number)
        case "m": self = .seconds(number * 60)
        case "h": self = .seconds(number * 3600)
        default: return nil
        }
    }
}
