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
        would, is refused; a 'location' in ~/.curlrc is switched off with it, and --location after the URL works. What follows curl's --next has no token. curl's -v prints it.

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
        // Nothing is asked of the tenant for a curl that is not there.
        let curl = try context.program("curl")
        let token = try await context.token(choice)
        guard retriesOnce, token.account != nil else { throw try become(curl, with: token, context) }
        switch try attempt(curl, with: token, context) {
        case .ended(let ending): try ending.passOn()
        case .unwritten(let code): throw OutputError(code: code)
        case .rejected:
            let other = try await context.token(insteadOf: token, choice)
            throw try become(curl, with: other ?? token, context)
        }
    }

    /// Becomes curl. Returns only if that is not possible.
    private func become(
        _ curl: OtherProgram, with token: GivenToken, _ context: Context
    ) throws(CommandFailure) -> CommandFailure {
        let configuration = CurlConfiguration(token: token, destination: destination)
        let memory = try context.memory(configuration.text)
        return context.become(program(curl, reading: memory, [], context))
    }

    private func attempt(
        _ curl: OtherProgram, with token: GivenToken, _ context: Context
    ) throws(CommandFailure) -> FirstAttempt.Ending {
        do throws(SystemError) {
            let head = try Pipe()
            let configuration = CurlConfiguration(
                token: token, destination: destination, heads: "/dev/fd/\(head.writer.number)",
                isWithoutProgress: context.output.isTerminal)
            let memory = try SealedMemory(configuration.text)
            let program = program(curl, reading: memory, [head.writer.number], context)
            var attempt = try FirstAttempt(program, head: head, output: context.output.descriptor)
            return attempt.run()
        } catch {
            throw CommandFailure(.cannotExecute, "\(curl.path.printable) cannot be executed: \(error.message).")
        }
    }

    private var destination: CurlDestination { CurlWords(words: words).destination }

    private func program(
        _ curl: OtherProgram, reading configuration: borrowing SealedMemory, _ inherited: [Int32], _ context: Context
    ) -> OtherProgram {
        func cWords(_ words: String...) -> [[CChar]] { words.map { Array($0.utf8CString) } }
        var rest = Array(context.words.suffix(words.count))
        // curl heeds it in the first place only.
        let isWithoutDefaults = words.contains { ["-q", "--disable"].contains($0) }
        if isWithoutDefaults { rest.removeAll(where: cWords("-q", "--disable").contains) }
        var curl = curl
        curl.words = cWords("curl") + (isWithoutDefaults ? cWords("-q") : []) + cWords("-K", configuration.path) + rest
        curl.inherited = [configuration.number] + inherited
        return curl
    }
}
