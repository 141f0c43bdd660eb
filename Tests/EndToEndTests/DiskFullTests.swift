// SPDX-License-Identifier: Apache-2.0

import ProgramTesting
import TerminalTesting
import Testing

@Suite("A full disk", .inTurns, .enabled(if: Mounts.areAllowed, "mounting a small disk needs privileges"))
struct DiskFullTests {
    let home: Home

    init() throws { home = try Home() }

    /// Runs a script with a small disk at `$DISK`, in a name space of its own.
    private func onSmallDisk(_ script: String) async throws -> Run.Outcome {
        let disk = home.path + "/disk"
        let prepare = """
            mkdir -p '\(disk)' && mount -t tmpfs -o size=512k,mode=700 tmpfs '\(disk)' || exit 99
            fill() { dd if=/dev/zero of="$DISK/filler" bs=4k 2>/dev/null; [ "$(stat -f -c %a "$DISK")" = 0 ] || exit 98; }
            SIGNUP="--password-file \(try home.passwordFile()) --attribute country=Norway"

            """
        return try await Run(
            "/usr/bin/unshare", ["-m", "/bin/sh", "-c", prepare + script],
            environment: home.environment(["DISK": disk]))()
    }

    @Test("T66: under the token cache: who was signed in still is, and it is said")
    func cache() async throws {
        let outcome = try await onSmallDisk(
            """
            export NATIVEAUTH_CACHE_DIR="$DISK/cache"
            nativeauth signup -u ada@example.com $SIGNUP --otp-command 'nativeauth tenant inbox --code' || exit 1
            before=$(nativeauth token)
            fill
            nativeauth token --force-refresh
            echo "status $?"
            nativeauth signin -u ada@example.com $(echo $SIGNUP | cut -d' ' -f1-2)
            echo "status $?"
            [ "$(nativeauth token)" = "$before" ] && echo kept
            ls -A "$DISK/cache"
            rm "$DISK/filler"
            nativeauth token --force-refresh >/dev/null && echo refreshed
            """)
        #expect(outcome.ending == .exit(0), "\(outcome)")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines == ["status 74", "status 74", "kept", "local.json", "local.lock", "refreshed"], "\(outcome)")
        #expect(outcome.errors.occurrences(of: "No space left on device.") == 2, "\(outcome)")
        #expect(outcome.errors.contains("The account and its tokens are as they were."))
    }

    @Test("F3: under a tenant that is served: its owner can still copy it to another disk, and export its accounts")
    func copy() async throws {
        let outcome = try await onSmallDisk(
            """
            export XDG_DATA_HOME="$DISK"
            echo '{"username":"ada@example.com"}' | nativeauth tenant user import - 2>/dev/null || exit 1
            nativeauth-tenant serve --listen 127.0.0.1:0 2>"$HOME/said" &
            until grep -q Serving "$HOME/said"; do kill -0 $! || exit 2; done
            fill
            nativeauth tenant config set code_length 6 2>/dev/null
            echo "status $?"
            nativeauth tenant user export | grep -c ada@example.com
            nativeauth tenant backup "$HOME/copy"
            echo "status $?"
            kill $! && wait $!
            echo "status $?"
            unset XDG_DATA_HOME
            nativeauth tenant restore "$HOME/copy" && nativeauth tenant user list | cut -f2
            """)
        #expect(
            outcome.output == "status 74\n1\nstatus 0\nstatus 0\nada@example.com\n", "\(outcome)")
    }

    @Test("signing out works all the same, for a removal needs no room")
    func signOut() async throws {
        let outcome = try await onSmallDisk(
            """
            export NATIVEAUTH_CACHE_DIR="$DISK/cache"
            nativeauth signup -u ada@example.com $SIGNUP --otp-command 'nativeauth tenant inbox --code' || exit 1
            fill
            nativeauth signout
            echo "status $?"
            grep -c eyJ "$DISK/cache/local.json"
            ls -A "$DISK/cache"
            """)
        #expect(outcome.ending == .exit(0), "\(outcome)")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.first == "status 0", "\(outcome)")
        #expect(lines.contains("0") || !lines.contains("local.json"), "no token is left: \(outcome)")
    }

    @Test("under the tenant: it is said, and afterwards nothing is lost", arguments: [false, true])
    func tenant(fresh: Bool) async throws {
        let outcome = try await onSmallDisk(
            """
            export XDG_DATA_HOME="$DISK/data"
            \(fresh ? ":" : "nativeauth signup -u ada@example.com $SIGNUP --otp-command 'nativeauth tenant inbox --code' || exit 1")
            fill
            nativeauth signup -u eve@example.com $SIGNUP --otp-command 'nativeauth tenant inbox --code --to eve@example.com'
            echo "status $?"
            rm "$DISK/filler"
            nativeauth signup -u eve@example.com $SIGNUP --otp-command 'nativeauth tenant inbox --code --to eve@example.com' || exit 2
            \(fresh ? "" : "nativeauth signin -u ada@example.com $(echo $SIGNUP | cut -d' ' -f1-2) || exit 3")
            nativeauth whoami
            """)
        #expect(outcome.ending == .exit(0), "\(outcome)")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.first == "status 74" || lines.first == "status 73", "\(outcome)")
        #expect(lines.last == (fresh ? "eve@example.com" : "ada@example.com"))
        #expect(
            outcome.errors.contains("No space left on device") || outcome.errors.contains("disk is full"), "\(outcome)")
    }

    @Test("under the tenant, at a sign-in and at a refresh alike: 74")
    func tenantLater() async throws {
        let outcome = try await onSmallDisk(
            """
            export XDG_DATA_HOME="$DISK/data"
            nativeauth signup -u ada@example.com $SIGNUP --otp-command 'nativeauth tenant inbox --code' || exit 1
            fill
            nativeauth token --force-refresh
            echo "status $?"
            nativeauth signin -u ada@example.com $(echo $SIGNUP | cut -d' ' -f1-2)
            echo "status $?"
            """)
        #expect(outcome.output == "status 74\nstatus 74\n", "\(outcome)")
    }

    @Test("at any moment of a sign-up: it can be made again, and is whole then")
    func littleRoom() async throws {
        let outcome = try await onSmallDisk(
            """
            export XDG_DATA_HOME="$DISK/data" NATIVEAUTH_CACHE_DIR="$DISK/cache"
            nativeauth tenant config get >/dev/null || exit 1
            for pages in 0 2 4 6 8 10 12 16 20 24 32; do
                address="user$pages@example.com"
                signup() { nativeauth signup -q -u $address $SIGNUP --otp-command "nativeauth tenant inbox --code --to $address"; }
                rm -rf "$DISK/cache"
                fill
                truncate -s -$((pages * 4))k "$DISK/filler"
                signup
                first=$?
                rm "$DISK/filler"
                signup
                echo "$first $?"
                nativeauth signin -q -u $address $(echo $SIGNUP | cut -d' ' -f1-2) || exit 2
                nativeauth claims | grep -q Norway || exit 3
            done
            """)
        #expect(outcome.ending == .exit(0), "\(outcome)")
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 11)
        // What was done at the first attempt exists at the second, and what was not is made there. A mail that found no
        // room waits (66): the code was made, and nobody could read it yet.
        let allowed = ["0 77", "66 0", "69 0", "73 0", "74 0", "74 77", "69 77"]
        #expect(lines.allSatisfy { allowed.contains($0) }, "\(outcome)")
        #expect(lines.first == "74 0" && lines.contains("0 77"), "the room was not what it should be: \(lines)")
    }
}
