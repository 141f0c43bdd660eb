// SPDX-License-Identifier: Apache-2.0

import Console
import Processes

/// `nativeauth exec`: another program, with a token that it finds in its surroundings.
struct ExecCommand: CLICommand {
    /// How the program gets the token.
    enum Way: String, CaseIterable { case file, fd, env }

    var choice = TokenChoice()
    var way = Way.file
    var variable: String?
    var words: [String] = []

    static let name = "exec"
    static let summary = "Run a program that finds the token"
    static let usage = "[flags] [--] COMMAND [ARGUMENT...]"

    static var parameters: [Parameter<ExecCommand>] {
        [
            .option(
                "--as", value: "WAY", to: \.way,
                help:
                    "A path in a variable (file, the default), the number of a descriptor (fd), or the token itself (env)."
            ),
            .option("--name", value: "VARIABLE", to: \.variable, help: "The variable, instead of the program's own."),
        ] + TokenChoice.rows(within: \.choice) + [
            .remainder(
                "COMMAND", to: \.words, required: true,
                help: "The program; what follows is its own, whatever it looks like.")
        ] + TokenChoice.tenantRows(within: \.choice)
    }

    static var examples: [Example] {
        [
            Example("nativeauth exec -- sh -c 'my-tool --token-file \"$NATIVEAUTH_ACCESS_TOKEN_FILE\"'"),
            Example(
                "nativeauth exec --id-token --name AWS_WEB_IDENTITY_TOKEN_FILE -- aws s3 ls", "With AWS_ROLE_ARN set."),
            Example(
                "nativeauth exec --as env --name GITLAB_TOKEN -- glab issue list", "For what knows variables only."),
        ]
    }

    static var discussion: String {
        """
        The program takes the place of this one: its exit code and its signals are the command's, with 126 and 127 \
        where it cannot be run or is not there.

        By default the token is in memory that only the program and its children inherit, and can be read any number \
        of times; NATIVEAUTH_ACCESS_TOKEN_FILE has its path below /dev/fd, and NATIVEAUTH_ACCESS_TOKEN_FD the number of \
        the descriptor. It is in no argument list, no variable and no file on a disk. 'nativeauth token' and \
        'nativeauth curl' find it there, too. With --id-token, the variables are NATIVEAUTH_ID_TOKEN_FILE and \
        NATIVEAUTH_ID_TOKEN_FD.

        With --as env the token itself is in NATIVEAUTH_ACCESS_TOKEN: all your programs can read it in \
        /proc/PID/environ, every child inherits it, and some programs log their variables. The token is not renewed \
        while the program runs; --min-validity says how long it has to last.
        """
    }

    func check() throws(UsageError) {
        guard let variable else { return }
        let isName = variable.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        if !isName || variable.isEmpty || variable.first?.isNumber == true {
            throw UsageError(command: Self.name, "'\(variable)' cannot be a variable's name")
        }
    }

    func run(_ context: Context) async throws {
        // Nothing is asked of the tenant for a program that is not there.
        var program = try context.program(words.first ?? "", context.words.suffix(words.count))
        let token = try await context.token(choice)
        let memory = try context.memory(token.value)
        program.variables = variables(token, memory.number, memory.path)
        if way != .env { program.inherited = [memory.number] }
        throw context.become(program)
    }

    /// What the program finds; what an outer command of this kind has set would be about another token.
    private func variables(_ token: GivenToken, _ number: Int32, _ path: String) -> [String: String?] {
        let stem = token.isIDToken ? "NATIVEAUTH_ID_TOKEN" : "NATIVEAUTH_ACCESS_TOKEN"
        var variables: [String: String?] = [stem: nil, stem + "_FILE": nil, stem + "_FD": nil]
        switch way {
        case .file:
            variables[stem + "_FD"] = "\(number)"
            variables[variable ?? stem + "_FILE"] = path
        case .fd: variables[variable ?? stem + "_FD"] = "\(number)"
        case .env: variables[variable ?? stem] = token.value
        }
        return variables
    }
}
