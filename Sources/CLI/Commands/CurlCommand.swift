// SPDX-License-Identifier: Apache-2.0

import Console
import Processes

/// `nativeauth curl`: curl with the token in a header, and nowhere else.
struct CurlCommand: CLICommand {
    var choice = TokenChoice()
    var retriesOnce = false
    var allowsHTTP = false
    var words: [String] = []

    static let name = "curl"
    static let summary = "Run curl with the token, where nobody can read it"
    static let usage = "[flags] URL [CURL-OPTION...]"

    static var parameters: [Parameter<CurlCommand>] {
        TokenChoice.rows(within: \.choice) + [
            .flag(
                "--retry-auth", to: \.retriesOnce,
                help: "On 401, get one new token and try once more; the body may not come from standard input then."),
            .flag("--allow-http", to: \.allowsHTTP, help: "Send the token by plain http to another machine, too."),
            .remainder(
                "URL", to: \.words, required: true, help: "Where to; what follows is curl's, whatever it looks like."),
        ] + TokenChoice.tenantRows(within: \.choice)
    }

    static var examples: [Example] {
        [
            Example("nativeauth curl https://api.example.com/orders"),
            Example("nativeauth curl --scope api://orders/Write https://api.example.com/orders --json @order.json"),
            Example("nativeauth curl --retry-auth https://api.example.com/orders -sS -o orders.json"),
        ]
    }

    static var discussion: String {
        """
        Our flags come before the URL, curl's after it. curl reads the header from a descriptor: it is in no argument \
        list, no variable and no file. Standard input and output are curl's, its exit code is the command's, and with \
        it 126 and 127 where curl cannot be run or is not there. Options in ~/.curlrc hold; -q after the URL leaves \
        them out.

        Only https, and plain http to this machine, gets the token; a URL without a scheme is one of https. curl does \
        not repeat the header to another host, port or protocol that a redirect names, and --location-trusted, which \
        would, is refused. What follows curl's --next has no token. curl's -v prints it.

        With --retry-auth, the tenant is asked only if the token in the cache still is the one that was rejected. A \
        token that a variable brings is never renewed.
        """
    }

    func check() throws(UsageError) {
        let words = CurlWords(words: words)
        try words.check(allowingHTTP: allowsHTTP)
        guard retriesOnce else { return }
        if let word = words.readsOnce {
            throw UsageError(
                command: Self.name,
                "'\(word)' cannot be read twice, as --retry-auth may have to; put it into a file, or leave out the flag"
            )
        }
        if let word = words.dumpsHeads {
            throw UsageError(command: Self.name, "'\(word)' takes the status from --retry-auth; give one of both")
        }
    }

    func run(_ context: Context) async throws {
        let token = try await context.token(choice)
        guard retriesOnce, token.account != nil else { throw try start(token, context) }
        switch try attempt(token, context) {
        case .exit(let code): throw EndedAs(code: code)
        case .signal(let number): ProcessEnd.bySignal(number)
        case .rejected: throw try start(try await context.token(insteadOf: token, choice) ?? token, context)
        }
    }

    /// Becomes curl. Returns only if that is not possible.
    private func start(_ token: GivenToken, _ context: Context) throws(CommandFailure) -> CommandFailure {
        let configuration = CurlConfiguration(token: token, destination: CurlWords(words: words).destination)
        let memory = try context.memory(configuration.text)
        var program = try program(reading: memory.path, context)
        program.inherited = [memory.number]
        return context.become(program)
    }

    private func attempt(_ token: GivenToken, _ context: Context) throws(CommandFailure) -> FirstAttempt.Ending {
        do {
            let head = try Pipe()
            let configuration = CurlConfiguration(
                token: token, destination: CurlWords(words: words).destination,
                heads: "/dev/fd/\(head.writer.number)", isWithoutProgress: context.output.isTerminal)
            let memory = try context.memory(configuration.text)
            var program = try program(reading: memory.path, context)
            program.inherited = [memory.number, head.writer.number]
            var attempt = try FirstAttempt(program, head: head, output: context.output.descriptor)
            return attempt.run()
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.cannotExecute, "curl cannot be run: \(error).")
        }
    }

    private func program(reading configuration: String, _ context: Context) throws(CommandFailure) -> OtherProgram {
        let own = context.words.suffix(words.count)
        // curl heeds it in the first place only.
        let disabling = ["-q", "--disable"].map { Array($0.utf8CString) }
        let first = own.filter(disabling.contains).prefix(1)
        let start = ["curl"].map { Array($0.utf8CString) } + first
        let rest = first.isEmpty ? Array(own) : own.filter { !disabling.contains($0) }
        return try context.program("curl", start + ["-K", configuration].map { Array($0.utf8CString) } + rest)
    }
}
