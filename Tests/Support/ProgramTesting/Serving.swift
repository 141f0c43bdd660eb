// SPDX-License-Identifier: Apache-2.0

package import TerminalTesting
package import Testing

/// A local tenant that another process serves.
package struct ServedTenant {
    package let session: TerminalSession
    /// Where it answers, with the tenant's id.
    package let url: String

    /// Stops the server as an administrator does, and insists on a clean end.
    package func stop(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        await session.signal(15)
        let ending = try await session.finish(timeout: .seconds(60))
        let transcript = await session.transcript
        #expect(ending == .exit(0), "\(transcript)", sourceLocation: sourceLocation)
    }
}

extension Home {
    /// Starts `nativeauth tenant serve` at a free port, and waits until it answers.
    package func serve(_ more: String...) async throws -> ServedTenant { try await serve(more) }

    /// The same with a list of flags.
    package func serve(_ more: [String]) async throws -> ServedTenant {
        let session = try TerminalSession.spawn(
            executable: BuiltProgram.path("nativeauth"),
            arguments: ["tenant", "serve", "--listen", "127.0.0.1:0"] + more, environment: environment, directory: path)
        try await session.expect("Serving tenant 'local' at ", timeout: .seconds(60))
        let url = try await session.expect("\r\n").dropLast()
        return ServedTenant(session: session, url: String(url))
    }

    /// The answer to a request of curl's, which fails where the server refuses.
    package func curl(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> String
    {
        let outcome = try await Run(
            "/usr/bin/curl", ["-sS", "-f", "--max-time", "60"] + arguments, environment: environment)()
        try #require(outcome.ending == .exit(0), "\(outcome)", sourceLocation: sourceLocation)
        return outcome.output
    }

    /// What the tenant publishes about itself.
    package func discovery(_ url: String) async throws -> [String: Any] {
        try object(await curl(url + "/v2.0/.well-known/openid-configuration"))
    }
}
