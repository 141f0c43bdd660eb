// SPDX-License-Identifier: Apache-2.0

/// What `token` prints.
enum TokenFormat: String, CaseIterable {
    case raw, header, curl, env, json
    case execCredential = "exec-credential"

    /// Whether the output is JSON, so that an error is, too.
    var isJSON: Bool { self == .json || self == .execCredential }
}

extension GivenToken {
    /// The value of the header by which a token goes to a resource: RFC 6750, section 2.1.
    private var authorization: String { "Bearer \(value)" }

    /// A whole header.
    var headerLine: String { "Authorization: \(authorization)" }

    /// A line of a curl configuration, in which a quoted value has its quotes and backslashes escaped: curl(1), `--config`.
    var curlLine: String {
        "header = \"" + headerLine.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// An assignment for a POSIX shell, in which only a quote ends what is quoted.
    var shellLine: String {
        let name = isIDToken ? "NATIVEAUTH_ID_TOKEN" : Context.tokenVariables.value
        return name + "='" + value.replacing("'", with: "'\\''") + "'"
    }
}
