// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TenantTesting
import TerminalTesting
import Testing

@testable import Tenant

/// A real disk without room.
@Suite("A server on a small disk", .inTurns, .enabled(if: geteuid() == 0, "mounting a small disk needs privileges"))
struct SmallDiskTests {
    @Test("F3: on a disk without any room a session can still be ended, by the room that was kept for it")
    func reserve() async throws {
        let server = try await FaultyServer(wrapper: [
            "/usr/bin/unshare", "-m", "/bin/sh", "-c",
            """
            folder="$HOME/.local/share/nativeauth/tenants/local"
            cp -a "$folder" "$HOME/copy" && mount -t tmpfs -o size=12m,mode=700 tmpfs "$folder" \
            && cp -a "$HOME/copy/." "$folder" || exit 99
            exec "$@"
            """, "sh",
        ])
        // The disk is seen by the server alone.
        let inside = "/proc/\(await server.session.program)/root\(server.folder.path)"
        let caller = server.caller
        let signedIn = try signIn(caller)
        #expect(signedIn.status == 200)
        #expect(try fill(inside + "/filler") > 0)
        try consume(caller)
        #expect(access(inside + "/reserve", F_OK) == 0)

        let revoked = try post(caller, "/oauth2/v2.0/revoke", "token=\(signedIn.refreshToken)")
        #expect(revoked.status == 200, "a session can be ended")
        #expect(access(inside + "/reserve", F_OK) != 0)
        let refused = try signIn(caller)
        #expect(refused.status == 503 && refused.headers["retry-after"] != nil, "what was given away is not for this")
        #expect(try caller.get("/v2.0/.well-known/openid-configuration").status == 200)

        #expect(unlink(inside + "/filler") == 0)
        #expect(try signIn(caller).status == 200)
        #expect(access(inside + "/reserve", F_OK) == 0, "and the room is kept again")
        let refresh = try post(
            caller, "/oauth2/v2.0/token", "grant_type=refresh_token&refresh_token=\(signedIn.refreshToken)")
        #expect(refresh.error == "invalid_grant")
        await server.session.signal(SIGTERM)
        #expect(try await server.session.finish(timeout: .seconds(60)) == .exit(0))
    }

    private func post(_ caller: Caller, _ path: String, _ form: String) throws -> RawAnswer {
        try caller.post(path, "client_id=\(Scene.passwordApp)&\(form)")
    }

    private func signIn(_ caller: Caller) throws -> RawAnswer {
        var talk = Talk(app: Scene.passwordApp, code: { _ in "" })
        var last: RawAnswer?
        let calls = Script.refresh.calls.prefix(3)
        for call in calls {
            let answer = try caller.post(call.path, try talk.body(call))
            last = answer
            guard answer.status == 200 else { return answer }
            talk.note(answer)
        }
        return try #require(last)
    }

    /// Writes until nothing more goes in.
    private func fill(_ path: String) throws -> Int {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        let block = [UInt8](repeating: 1, count: 4096)
        var count = 0
        while write(file, block, block.count) > 0 { count += 1 }
        return count
    }

    /// Signs in until the log has no room left either.
    private func consume(_ caller: Caller) throws {
        for _ in 0..<400 where try signIn(caller).status == 503 { return }
        Issue.record("the disk does not get full")
    }
}
