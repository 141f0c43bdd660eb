// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import Wire

/// What kubectl and its like read from a program that is named in their configuration, as client-go's credential plugins
/// are documented to answer.
struct ExecCredential: Encodable {
    struct Status: Encodable {
        var token: String
        var expirationTimestamp: String?
    }

    var apiVersion: String
    var kind = "ExecCredential"
    var status: Status

    /// - Throws: What is wrong with the question, in the variable that the caller sets.
    init(_ token: GivenToken, environment: [String: String]) throws(CommandFailure) {
        apiVersion = try Self.version(asked: environment["KUBERNETES_EXEC_INFO"] ?? "")
        status = Status(token: token.value, expirationTimestamp: token.expiresAt?.formatted(.iso8601))
    }

    private static let group = "client.authentication.k8s.io"

    /// The version of the answer has to be that of the question.
    private static func version(asked question: String) throws(CommandFailure) -> String {
        guard !question.isEmpty else { return "\(group)/v1" }
        guard let version = JSONValue(json: Data(question.utf8))?.object?["apiVersion"]?.string else {
            throw CommandFailure(.invalidData, "KUBERNETES_EXEC_INFO is no JSON object with an apiVersion.")
        }
        guard ["\(group)/v1", "\(group)/v1beta1"].contains(version) else {
            throw CommandFailure(
                .configuration, "The caller asks for an answer of the version '\(version.printable)'.",
                hint: "Write \(group)/v1 or \(group)/v1beta1 as the apiVersion of 'exec' in the kubeconfig.")
        }
        return version
    }
}
