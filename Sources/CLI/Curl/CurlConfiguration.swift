// SPDX-License-Identifier: Apache-2.0

/// What curl is told beside its command line: curl(1), `--config`. It comes first, so that the person's own options decide.
struct CurlConfiguration {
    let token: GivenToken
    let destination: CurlDestination
    /// Where curl is to write the heads of its answers; nil for nowhere.
    var heads: String?
    /// Whether to leave out the progress that curl shows where its output is none that a person reads along.
    var isWithoutProgress = false

    var text: String {
        // What ~/.curlrc says of redirects must not hand the token on; --location after the URL follows them without it.
        var lines = [token.curlLine, #"proto-default = "https""#, "no-location-trusted"]
        switch destination {
        // Neither another URL nor a redirect gets the token by a way that can be read along.
        case .secure: lines += [#"proto = "=https""#, #"proto-redir = "=https""#]
        // A proxy is for what leaves this machine.
        case .loopback: lines += [#"proto = "=http,https""#, #"proto-redir = "=http,https""#, #"noproxy = "*""#]
        case .plain, .other: lines += [#"proto = "=http,https""#, #"proto-redir = "=http,https""#]
        }
        if let heads { lines += ["dump-header = \"\(heads)\"", "suppress-connect-headers"] }
        if isWithoutProgress { lines.append("no-progress-meter") }
        return lines.joined(separator: "\n") + "\n"
    }
}
