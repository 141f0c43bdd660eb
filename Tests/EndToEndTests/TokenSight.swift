// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TenantTesting
import TerminalTesting
import Testing

/// Where on this machine a token can be seen by those who look at other people's processes.
enum TokenSight {
    /// The argument lists and environments of all processes that have this text.
    static func places(of token: String) -> [String] {
        let processes = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).filter {
            Int($0) != nil
        }
        return processes.flatMap { ["/proc/\($0)/cmdline", "/proc/\($0)/environ"] }.filter { place in
            // A process may have ended meanwhile.
            (try? Data(contentsOf: URL(filePath: place)))?.firstRange(of: Data(token.utf8)) != nil
        }
    }

    /// Files below a folder that have this text.
    static func files(with token: String, below folder: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.filter { name in
            (try? Data(contentsOf: URL(filePath: folder + "/" + name)))?.firstRange(of: Data(token.utf8)) != nil
        }
    }
}

extension ReceiverSocket {
    /// Where it answers, without a path.
    var origin: String { "http://127.0.0.1:\(port)" }

    /// An answer with a status and a body, after which the connection is closed.
    static func answer(_ status: String, _ body: String = "", header: String = "") -> String {
        "HTTP/1.1 \(status)\r\nConnection: close\r\n\(header)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// What the Authorization headers of the requests said, in the order in which they came; "none" where there was none.
    var authorizations: [String] {
        requests.map { request in
            let line = request.split(separator: "\r\n").first { $0.lowercased().hasPrefix("authorization: ") }
            return line.map { String($0.dropFirst("authorization: ".count)) } ?? "none"
        }
    }
}

extension Home {
    /// The access token of whoever is signed in.
    func token(_ flags: String...) async throws -> String {
        let outcome = try await run(["token"] + flags)()
        try #require(outcome.ending == .exit(0), "\(outcome)")
        return outcome.output.trimmingCharacters(in: .newlines)
    }
}
