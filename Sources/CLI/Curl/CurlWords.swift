// SPDX-License-Identifier: Apache-2.0

import Console

/// What a person gave curl: a URL, and what follows it.
struct CurlWords {
    let words: [String]

    /// The URL comes first, and decides by which protocols the token may leave.
    var destination: CurlDestination { CurlDestination(words.first ?? "") }

    /// What is wrong with them for a request that carries a token.
    ///
    /// - Parameter allowsHTTP: Whether the person accepts that the network can read the token.
    func check(allowingHTTP allowsHTTP: Bool) throws(UsageError) {
        // curl takes any beginning of a long option that is one option's alone.
        if let word = words.first(where: { $0.hasPrefix("--location-t") }) {
            throw error("'\(word)' would hand the token to whatever host a redirect names; use --location")
        }
        if case .other(let scheme) = destination { throw error("a token is for https, and not for '\(scheme)'") }
        guard !allowsHTTP else { return }
        if let word = words.first(where: { $0.hasPrefix("--proto-d") }) {
            throw error(
                "'\(word)' could make plain http of an address; write its scheme, or give --allow-http before the URL")
        }
        // With https, curl is told to take nothing else, wherever a URL comes from.
        let others = destination == .loopback ? words.dropFirst() : []
        if destination == .plain || others.contains(where: { CurlDestination($0) == .plain && $0.contains("/") }) {
            throw error(
                "plain http would show the token to the network; use https, or give --allow-http before the URL")
        }
    }

    /// The word by which curl would read something that cannot be read a second time; nil where there is none.
    var readsOnce: String? {
        let outputs: Set = [
            "-o", "--output", "-D", "--dump-header", "-c", "--cookie-jar", "--trace", "--trace-ascii", "--stderr",
        ]
        return zip([""] + words, words).first { previous, word in
            let isInput = word == "-" && !outputs.contains(previous)
            let isUpload =
                ["-T-", "-T."].contains(word) || (word == "." && ["-T", "--upload-file"].contains(previous))
            return isInput || isUpload || Self.namesInput(word)
                || ["/dev/stdin", "/dev/fd/", "/proc/self/fd/"].contains { word.contains($0) }
        }?.1
    }

    /// Whether a word has standard input as the file of a value: `-d @-`, `-F 'file=@-;type=text/plain'`.
    private static func namesInput(_ word: String) -> Bool {
        ["@-", "<-"].contains { mark in
            word.hasSuffix(mark) || word.contains(mark + ";") || word.contains(mark + ",")
        }
    }

    /// The word by which curl would write the heads of its answers to another place than ours; nil where there is none.
    var dumpsHeads: String? {
        words.first { $0.hasPrefix("-D") || $0.hasPrefix("--dump-h") }
    }

    private func error(_ message: String) -> UsageError {
        UsageError(command: CurlCommand.name, message)
    }
}
