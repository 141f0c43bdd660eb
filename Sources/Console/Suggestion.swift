// SPDX-License-Identifier: Apache-2.0

/// The one of these words that was probably meant: at most a third of its letters are wrong, and none is closer.
package func suggestion(for word: String, among words: some Sequence<String>) -> String? {
    var best: (word: String, distance: Int)?
    for candidate in words {
        let distance = editDistance(Array(word.lowercased()), Array(candidate.lowercased()))
        let limit = max(1, max(word.count, candidate.count) / 3)
        if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
///
/// The optimal string alignment distance, row by row: only the last two rows are needed.
private func editDistance(_ first: [Character], _ second: [Character]) -> Int {
    var older: [Int] = []
    var last = Array(0...second.count)
    for row in first.indices {
        var current = [row + 1]
        for column in second.indices {
            var cost = last[column] + (first[row] == second[column] ? 0 : 1)
            cost = min(cost, last[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                cost = min(cost, older[column - 1] + 1)
            }
            current.append(cost)
        }
        (older, last) = (last, current)
    }
    return last.last ?? 0
}
