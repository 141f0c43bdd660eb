// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TenantTesting
import TerminalTesting
import Testing

@Suite("nativeauth credential", .inTurns)
struct CredentialProtocolTests {
    let home: Home

    init() throws { home = try Home() }

    private func list(_ hosts: String...) throws {
        let names = hosts.map { "\"\($0)\"" }.joined(separator: ", ")
        try home.write(
            ".config/nativeauth/config.json", #"{"profiles": {"local": {"credential_hosts": [\#(names)]}}}"#)
    }

    private func ask(_ words: String..., input: String) async throws -> Run.Outcome {
        var run = home.run(["credential"] + words)
        run.input = .text(input)
        return try await run()
    }

    /// The real git server program behind a door that wants a user name and a password.
    private func gitServer(password: String) throws -> ReceiverSocket {
        let wanted = "Basic " + Data("ada@example.com:\(password)".utf8).base64EncodedString()
        let home = home
        return try ReceiverSocket { peer in
            guard let request = peer.request() else { return }
            guard request.contains("\r\nAuthorization: \(wanted)\r\n") else {
                let header = "WWW-Authenticate: Basic realm=\"git\"\r\n"
                return _ = peer.send(ReceiverSocket.answer("401 Unauthorized", header: header))
            }
            let parts = request.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
            let line = request.split(separator: " ", maxSplits: 2).map(String.init)
            let url = line[1].split(separator: "?", maxSplits: 1).map(String.init)
            let variables = [
                "GIT_PROJECT_ROOT": home.path, "GIT_HTTP_EXPORT_ALL": "1", "REQUEST_METHOD": line[0],
                "PATH_INFO": url[0],
                "QUERY_STRING": url.count > 1 ? url[1] : "", "CONTENT_TYPE": "application/x-git-upload-pack-request",
                "CONTENT_LENGTH": "\(parts[1].utf8.count)", "GIT_PROTOCOL": "version=2", "REMOTE_USER": "ada",
            ]
            var server = Run("/usr/lib/git-core/git-http-backend", [], environment: home.environment(variables))
            server.input = .text(String(parts[1]))
            guard let answer = try? server.wait().output else { return }
            peer.send("HTTP/1.1 200 OK\r\nConnection: close\r\n" + answer)
        }
    }

    @Test("git gets at a repository of a listed host, and nowhere else")
    func git() async throws {
        try await home.signUp("ada@example.com")
        let server = try gitServer(password: try await home.token())
        let made = try await home.shell(
            """
            cd "$HOME" && git init -q --bare repo.git && git -C repo.git config http.uploadpack true &&
            tree=$(git -C repo.git mktree </dev/null) &&
            commit=$(git -C repo.git -c user.name=a -c user.email=a@b commit-tree -m x $tree) &&
            git -C repo.git update-ref refs/heads/main $commit && echo $commit
            """)
        #expect(made.ending == .exit(0), "\(made)")
        let list = "git -c credential.helper='!nativeauth credential git' ls-remote \(server.origin)/repo.git main"
        let variables = ["GIT_TERMINAL_PROMPT": "0"]
        let unlisted = try await home.shell(list, environment: variables)
        #expect(unlisted.ending == .exit(128) && server.authorizations.allSatisfy { $0 == "none" }, "\(unlisted)")
        try self.list(server.origin)
        let listed = try await home.shell(list, environment: variables)
        #expect(listed.ending == .exit(0) && listed.errors.isEmpty, "\(listed)")
        #expect(listed.output == "\(made.output.trimmingCharacters(in: .newlines))\trefs/heads/main\n")
        let named = try await home.shell(
            list.replacing("//127", with: "//eve%40example.com@127"), environment: variables)
        #expect(named.ending == .exit(128), "somebody else's name gets nothing: \(named)")
    }

    @Test("the list is set by a command, which takes no host that could not keep a secret")
    func settings() async throws {
        try await home.signUp("ada@example.com")
        try await home.succeed("config", "set", "credential_hosts", "git.example.com", "http://localhost:3000")
        let hosts = try await home.succeed("config", "get", "credential_hosts")
        #expect(hosts == "git.example.com\nhttp://localhost:3000\n")
        let answer = try await ask("git", "get", input: "protocol=http\nhost=localhost:3000\n\n")
        #expect(answer.ending == .exit(0) && answer.output.hasPrefix("username=ada@example.com\n"), "\(answer)")
        let odd = try await home.nativeauth("config", "set", "credential_hosts", "http://git.example.com")
        #expect(odd.ending == .exit(64) && odd.errors.contains("'http://git.example.com' is no host"), "\(odd)")
    }

    @Test("git's words: what is stored or erased or unknown is passed over, what is not ours ends quietly with 1")
    func gitWords() async throws {
        try await home.signUp("ada@example.com")
        try list("git.example.com")
        let token = try await home.token()
        let question = "capability[]=authtype\nprotocol=https\nhost=git.example.com\nwwwauth[]=Bearer\n\n"
        let answer = try await ask("git", "get", input: question)
        let expiry = try await home.succeed("token", "--field", "expires_at").trimmingCharacters(in: .newlines)
        let epoch = try #require(try? Date(expiry, strategy: .iso8601)).timeIntervalSince1970
        #expect(
            answer.output
                == "capability[]=authtype\nauthtype=Bearer\ncredential=\(token)\nephemeral=true\npassword_expiry_utc=\(Int(epoch))\n"
        )
        for verb in ["store", "erase", "capability"] {
            let outcome = try await ask("git", verb, input: question)
            #expect(outcome.ending == .exit(0) && outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome)")
        }
        for other in ["protocol=http\nhost=git.example.com\n\n", "protocol=https\nhost=example.com\n\n", "", "\n"] {
            let outcome = try await ask("git", "get", input: other)
            #expect(outcome.ending == .exit(1) && outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome)")
        }
        // A caller that waits for the answer with its end of the pipe open; the first program to end is ours.
        let open = try await home.shell(
            """
            mkfifo "$HOME/question"; nativeauth credential git get <"$HOME/question" & exec 9>"$HOME/question"
            printf 'protocol=https\nhost=git.example.com\n\n' >&9; wait $!; echo $?
            """)
        #expect(open.output.hasPrefix("username=ada@example.com\npassword=\(token)\n"), "\(open)")
        #expect(open.output.hasSuffix("\n0\n"), "\(open)")
    }

    @Test("docker's words, by the name that docker calls")
    func docker() async throws {
        try await home.signUp("ada@example.com")
        try list("registry.example.com", "http://127.0.0.1:5000")
        let token = try await home.token()
        let linked = try await home.shell(
            "mkdir ~/bin && ln -s \"$(command -v nativeauth)\" ~/bin/docker-credential-nativeauth")
        #expect(linked.ending == .exit(0), "\(linked)")
        func docker(_ verb: String, _ input: String) async throws -> Run.Outcome {
            var run = Run(home.path + "/bin/docker-credential-nativeauth", [verb], environment: home.environment)
            run.input = .text(input)
            return try await run()
        }
        for server in ["registry.example.com", "https://registry.example.com/v2/\n", "127.0.0.1:5000"] {
            let answer = try object(try await docker("get", server).output)
            #expect(answer.string("Username") == "ada@example.com" && answer.string("Secret") == token)
            #expect(answer.string("ServerURL") == server.trimmingCharacters(in: .newlines) && answer.count == 3)
        }
        let miss = try await docker("get", "index.docker.io")
        #expect(
            miss.ending == .exit(1) && miss.output == "credentials not found in native keychain\n"
                && miss.errors.isEmpty)
        #expect(try await docker("get", "").output == "no credentials server URL\n")
        let all = try object(try await docker("list", "").output)
        #expect(
            all as? [String: String] == [
                "https://registry.example.com": "ada@example.com", "http://127.0.0.1:5000": "ada@example.com",
            ])
        for verb in ["store", "erase"] {
            let outcome = try await docker(verb, #"{"ServerURL":"registry.example.com","Username":"u","Secret":"s"}"#)
            #expect(outcome.ending == .exit(1) && outcome.output.contains("keeps no others"), "\(outcome)")
        }
        try await home.succeed("signout")
        #expect(try await docker("list", "").output == "{}\n")
        let signedOut = try await docker("get", "registry.example.com")
        #expect(signedOut.ending == .exit(4) && signedOut.output == "Nobody is signed in.\n", "\(signedOut)")
    }

    /// A caller as client-go's documentation has it: it sets the variable, and wants its own version back.
    private static let kubectl = """
        import json, os, subprocess, sys
        version = "client.authentication.k8s.io/" + sys.argv[1]
        question = {"apiVersion": version, "kind": "ExecCredential", "spec": {"interactive": False}}
        answer = json.loads(subprocess.check_output(
            sys.argv[2:], stdin=subprocess.DEVNULL, env={**os.environ, "KUBERNETES_EXEC_INFO": json.dumps(question)}))
        assert answer["apiVersion"] == version and answer["kind"] == "ExecCredential", answer
        print(answer["status"]["token"], answer["status"]["expirationTimestamp"])
        """

    @Test("kubectl's words, in both of its versions", arguments: ["v1", "v1beta1"])
    func kubectl(version: String) async throws {
        try await home.signUp("ada@example.com")
        let expected = try await home.token() + " " + home.succeed("token", "--field", "expires_at")
        for words in [["credential", "exec"], ["token", "--format", "exec-credential"]] {
            let outcome = try await Run(
                "/usr/bin/python3", ["-c", Self.kubectl, version, "nativeauth"] + words, environment: home.environment)()
            #expect(outcome.ending == .exit(0) && outcome.output == expected, "\(outcome)")
        }
    }

    @Test("a host in the configuration that could not keep a secret: 78; wrong words: 64")
    func misuse() async throws {
        try list("http://git.example.com")
        let outcome = try await ask("git", "get", input: "protocol=https\nhost=git.example.com\n\n")
        #expect(outcome.ending == .exit(78) && outcome.errors.contains("'http://git.example.com' in credential_hosts"))
        for words in [[], ["git"], ["docker"], ["docker", "nope"], ["exec", "get"], ["aws"]] {
            #expect(try await home.run(["credential"] + words)().ending != .exit(0), "\(words)")
        }
    }
}
