// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

@Suite("What a served tenant has answered is on the disk", .inTurns)
struct DurabilityTests {
    let home: Home

    init() throws { home = try Home() }

    private static let client = "5a3d1e00-0000-4000-8000-000000000001"

    /// Defines `serve` and `open_flow`: the one starts a server in the background, the other posts the first call of a
    /// sign-in and prints its continuation token.
    private static let functions = """
        serve() {
            : >served
            "$@" nativeauth-tenant serve --listen 127.0.0.1:0 2>served & server=$!
            until grep -q Serving served; do kill -0 $server || exit 1; done
            url=$(sed -n 's/.*\\(http:.*\\)/\\1/p' served)
        }
        open_flow() {
            curl -s "$url/oauth2/v2.0/initiate" -d client_id=\(client) -d username=ada@example.com \\
                -d 'challenge_type=password redirect' | sed -n 's/.*"continuation_token":"\\([^"]*\\)".*/\\1/p'
        }
        cd "$HOME"

        """

    @Test("no answer leaves before the write-ahead log has been synced behind its last write")
    func order() async throws {
        try await home.signUp("ada@example.com")
        let outcome = try await home.shell(
            Self.functions + """
                serve strace -f -y -qq -o calls -e trace=pwrite64,fdatasync,write,writev,sendto,sendmsg
                for i in 1 2 3 4 5; do echo "$(open_flow)"; done
                kill $(cat /proc/$server/task/$server/children)
                wait $server
                """)
        #expect(outcome.output.split(separator: "\n").count == 5, "\(outcome)")
        var isWritten = false
        var writes = 0
        var answers = 0
        for line in try #require(home.read(home.path + "/calls")).split(separator: "\n") {
            if line.contains("pwrite64("), line.contains("-wal>") {
                isWritten = true
                writes += 1
            } else if line.hasSuffix("= 0"), line.contains("fdatasync(") && line.contains("-wal>") {
                isWritten = false
            } else if line.hasSuffix("= 0"), line.contains("fdatasync resumed") {
                isWritten = false
            } else if line.contains("HTTP/1.1 200") {
                answers += 1
                #expect(!isWritten, "\(line)")
            }
        }
        #expect(answers == 5)
        #expect(writes >= answers)
    }

    @Test("killed under load, it has every flow whose beginning it answered")
    func killUnderLoad() async throws {
        try await home.signUp("ada@example.com")
        let outcome = try await home.shell(
            Self.functions + """
                serve
                mkdir answered
                for i in 1 2 3 4 5 6 7 8; do
                    (while token=$(open_flow) && [ -n "$token" ]; do echo "$token" >>answered/$i; done) & loops="$loops $!"
                done
                until [ "$(cat answered/* 2>/dev/null | wc -l)" -ge 60 ]; do kill -0 $server || exit 1; done
                kill -9 $server
                wait $loops
                serve
                for token in $(cat answered/*); do
                    curl -s "$url/oauth2/v2.0/challenge" -d client_id=\(Self.client) -d "continuation_token=$token" \\
                        -o /dev/null -w '%{http_code}\\n'
                done
                kill $server
                """)
        let statuses = outcome.output.split(separator: "\n")
        #expect(statuses.count >= 60, "\(outcome)")
        #expect(Set(statuses) == ["200"], "\(outcome)")
    }
}
