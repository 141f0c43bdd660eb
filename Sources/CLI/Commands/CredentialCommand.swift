// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// `nativeauth credential`: for programs that ask another one for a secret.
struct CredentialCommand: CLICommand {
    /// Whose protocol is spoken.
    enum Caller: String, CaseIterable { case git, docker, exec }

    var choice = TokenChoice()
    var caller: Caller?
    var verb: String?

    static let name = "credential"
    static let summary = "Answer git, docker or kubectl, which ask for a token"

    static var parameters: [Parameter<CredentialCommand>] {
        [
            .positional("PROTOCOL", to: \.caller, required: true, help: "Who asks; exec is kubectl, and its like."),
            .positional("VERB", to: \.verb, help: "What is wanted, as git and docker say it: get, store, erase, list."),
        ] + TokenChoice.rows(within: \.choice) + TokenChoice.tenantRows(within: \.choice)
    }

    static var examples: [Example] {
        [
            Example("git config --global credential.https://git.example.com.helper '!nativeauth credential git'"),
            Example("nativeauth credential exec --id-token", "In a kubeconfig, as command and args."),
        ]
    }

    static var discussion: String {
        """
        The question comes on standard input, the answer goes to standard output; nothing is ever asked of a person. \
        git and docker get the token for the hosts alone that the profile's credential_hosts in config.json names: \
        ["git.example.com", "registry.example.com:5000", "http://127.0.0.1:3000"]. All are https but those with http, \
        which has to be this machine. Any other host ends the command quietly with 1.

        git from 2.46 on gets a bearer token where the server takes one; otherwise the token is the password of the \
        account's address, or of 'oauth2' where the URL has that name. docker looks for a program of the name \
        docker-credential-nativeauth, which 'make install' links to this one: write "credHelpers": \
        {"registry.example.com": "nativeauth"} into ~/.docker/config.json. Neither can store or erase anything here.
        """
    }

    /// The command that another program means by this program's name.
    static func words(forName program: String) -> [String] {
        switch program {
        case "git-credential-nativeauth": [name, Caller.git.rawValue]
        case "docker-credential-nativeauth": [name, Caller.docker.rawValue]
        default: []
        }
    }

    func check() throws(UsageError) {
        if caller == .exec, let verb { throw UsageError(command: Self.name, "unexpected argument '\(verb)'") }
        if caller != .exec, verb == nil { throw UsageError(command: Self.name, "VERB is missing") }
    }

    func run(_ context: Context) async throws {
        switch caller {
        case .git: try await answerGit(context)
        case .docker: try await answerDocker(context)
        case .exec, nil:
            let token = try await context.token(choice)
            try context.print(json: ExecCredential(token, environment: context.environment))
        }
    }

    /// git wants a helper to pass over what it does not know.
    private func answerGit(_ context: Context) async throws {
        guard verb == "get" else { return }
        let question = GitCredential(try QuestionInput.read { $0.hasPrefix("\n") || $0.contains("\n\n") })
        let hosts = try hosts(context)
        guard let host = question.host, hosts.contains(host) else { throw EndedQuietly(status: .failed) }
        guard let answer = question.answer(try await context.token(choice)) else {
            throw EndedQuietly(status: .failed)
        }
        try context.output.write(answer)
    }

    private func answerDocker(_ context: Context) async throws {
        switch verb {
        case "get": try await getForDocker(context)
        case "list": try await listForDocker(context)
        case "store", "erase":
            _ = try QuestionInput.read()
            try refuse(DockerCredential.storesNothing, context)
        default: throw UsageError(command: Self.name, "docker has no verb '\(verb ?? "")'")
        }
    }

    private func getForDocker(_ context: Context) async throws {
        let server = try QuestionInput.read().filter { !$0.isNewline && $0 != " " }
        if server.isEmpty { try refuse(DockerCredential.noServer, context) }
        guard DockerCredential.host(server, among: try hosts(context)) != nil else {
            return try refuse(DockerCredential.notFound, context)
        }
        do {
            let token = try await context.token(choice)
            let name = token.account?.username ?? GitCredential.anyName
            try context.print(json: DockerCredential.Answer(ServerURL: server, Username: name, Secret: token.value))
        } catch {
            // docker shows the person what is on standard output, and nothing else.
            try? context.output.line(Report(error).failure.message)
            throw error
        }
    }

    private func listForDocker(_ context: Context) async throws {
        let (client, profile) = try context.client(choice.profile)
        let account = try await context.account(client, named: choice.account, in: profile)
        let pairs = try hosts(context).map { ($0.url, account?.username ?? "") }
        try context.print(json: account == nil ? [:] : Dictionary(pairs) { $1 })
    }

    private func refuse(_ words: String, _ context: Context) throws {
        try context.output.line(words)
        throw EndedQuietly(status: .failed)
    }

    private func hosts(_ context: Context) throws -> [CredentialHost] {
        try Profile(choice.profile, environment: context.environment).credentialHosts
    }
}
