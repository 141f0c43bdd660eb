// SPDX-License-Identifier: Apache-2.0

/// What a text says about a one-time code: typed with blanks, pasted with its sentence, or copied from a whole mail.
package enum OneTimeCode: Equatable, Sendable {
    /// The code, in ASCII digits.
    case code(String)
    /// No code, but this many digits where it should be.
    case wrongLength(found: Int)
    /// Several codes of the right length.
    case ambiguous
    /// No digits at all.
    case none

    /// Looks for a code of this length.
    package static func find(in text: String, length: Int) -> OneTimeCode {
        let marks = text.unicodeScalars.compactMap(Mark.init)
        let runs = digitRuns(in: marks.withoutPasteWrapper)
        if !marks.withoutPasteWrapper.contains(where: \.isOther) { return typed(runs, length) }
        let free = runs.filter { !$0.touchesLetter }
        return single(whole(free, length)) ?? single(grouped(free, length))
            ?? free.map(\.digits.count).max().map { .wrongLength(found: $0) } ?? OneTimeCode.none
    }

    /// Nothing but digits and separators: they are all meant, unless one run alone is a code.
    private static func typed(_ runs: [DigitRun], _ length: Int) -> OneTimeCode {
        let all = runs.map(\.digits).joined()
        if all.isEmpty { return .none }
        if all.count == length { return .code(all) }
        return single(whole(runs, length)) ?? .wrongLength(found: all.count)
    }

    private static func single(_ found: Set<String>) -> OneTimeCode? {
        if found.count > 1 { return .ambiguous }
        return found.first.map { .code($0) }
    }

    private static func whole(_ runs: [DigitRun], _ length: Int) -> Set<String> {
        Set(runs.map(\.digits).filter { $0.count == length })
    }

    /// Codes like `1234 5678` or `1234-5678`. Groups of a code differ by one digit at most, which leaves out the
    /// dates (`2026-05-12`) and the minutes ("valid 10 minutes") around it.
    private static func grouped(_ runs: [DigitRun], _ length: Int) -> Set<String> {
        var found: Set<String> = []
        for first in runs.indices {
            var group = runs[first].digits
            var sizes = group.count...group.count
            for next in runs.indices.dropFirst(first + 1) {
                guard runs[next].followsClosely, group.count < length else { break }
                let size = runs[next].digits.count
                group += runs[next].digits
                sizes = min(sizes.lowerBound, size)...max(sizes.upperBound, size)
                guard sizes.lowerBound > 1, sizes.count <= 2 else { break }
                if group.count == length { found.insert(group) }
            }
        }
        return found
    }
}

/// Digits in a row, with what stands around them.
private struct DigitRun {
    var digits: String
    /// Whether only one separator stands between this and the run before it.
    var followsClosely: Bool
    /// Whether a letter stands right beside it, as in an order number.
    var touchesLetter: Bool
}

private func digitRuns(in marks: [Mark]) -> [DigitRun] {
    var runs: [DigitRun] = []
    var end: Int?
    for (index, mark) in marks.enumerated() {
        guard case .digit(let digit) = mark else { continue }
        if let last = end, last == index - 1 {
            runs[runs.count - 1].digits.append(digit)
        } else {
            let before = index > 0 ? marks[index - 1] : .blank
            let closely = end == index - 2 && before.isSeparator
            runs.append(DigitRun(digits: String(digit), followsClosely: closely, touchesLetter: before == .letter))
        }
        if index + 1 < marks.count, marks[index + 1] == .letter { runs[runs.count - 1].touchesLetter = true }
        end = index
    }
    return runs
}

/// A character as far as codes are concerned.
private enum Mark: Equatable {
    case digit(Character)
    case blank
    case dash
    /// A letter of a script with upper and lower case. Others stand right beside digits in ordinary text: 验证码123456.
    case letter
    case escape
    case other

    /// `nil` for what has no width and no meaning here.
    init?(_ scalar: Unicode.Scalar) {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .decimalNumber: self = .digit(Mark.digit(properties.numericValue))
        case .dashPunctuation: self = .dash
        case .format, .nonspacingMark, .enclosingMark: return nil
        case .control where scalar == "\u{1B}": self = .escape
        default:
            if properties.isWhitespace {
                self = .blank
            } else if Mark.dots.contains(scalar) {
                self = .dash
            } else {
                self = properties.isCased ? .letter : .other
            }
        }
    }

    var isSeparator: Bool { self == .blank || self == .dash }

    var isOther: Bool { self == .other || self == .letter || self == .escape }

    private static func digit(_ value: Double?) -> Character {
        Character(String(Int(value ?? 0)))
    }

    /// Middle dots, bullets and the minus sign.
    private static let dots: Set<Unicode.Scalar> = ["·", "•", "・", "⋅", "‧", "−", "_"]
}

extension [Mark] {
    /// Without `ESC[200~` and `ESC[201~`, which a terminal puts around what is pasted.
    fileprivate var withoutPasteWrapper: [Mark] {
        var result: [Mark] = []
        var index = startIndex
        while index < endIndex {
            let wrapper = self[index...].prefix(6)
            let isWrapper = wrapper.first == .escape && wrapper.dropFirst(2).prefix(2) == [.digit("2"), .digit("0")]
            if isWrapper { index += wrapper.count } else { result.append(self[index]) }
            if !isWrapper { index += 1 }
        }
        return result
    }
}
