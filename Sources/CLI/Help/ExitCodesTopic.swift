// SPDX-License-Identifier: Apache-2.0

import Console

extension Topic {
    /// `nativeauth help exit-codes`: a row for each number that scripts may rely on.
    static var exitCodes: Topic {
        Topic(
            "exit-codes", heading: "EXIT STATUS", summary: "What the number says that a command ends with",
            parts: [
                .examples([
                    Example(
                        "nativeauth token >token || [ $? -ne 4 ] || nativeauth signin", "Sign in only if that helps."),
                    Example("nativeauth status --json | jq -r .needs", "Ask before, without a request."),
                ]),
                .table(
                    "Exit codes", ExitStatus.allCases.map { Topic.Row(String($0.rawValue), $0.meaning) }),
                .table(
                    "Signals",
                    [
                        Topic.Row("129", "The terminal was closed (SIGHUP)."),
                        Topic.Row("130", "Ctrl-C (SIGINT)."),
                        Topic.Row("131", "Ctrl-\\ (SIGQUIT)."),
                        Topic.Row("141", "The reader of the output has gone (SIGPIPE), as 'head -1' goes."),
                        Topic.Row("143", "Ended by another process (SIGTERM)."),
                    ]),
                .text(
                    """
                    The numbers from 64 to 78 are those of sysexits.h. When 'exec' and 'curl' have started the other \
                    program, its exit code is theirs. A signal ends the command as a signal, after the \
                    terminal is as it was; shells show it as 128 and its number. With --json, an error is one JSON \
                    object on standard error, with its number as exit_code. With --protocol jsonl, a reader that has \
                    gone is 74: it has not heard how the flow stands.
                    """),
            ])
    }
}

extension ExitStatus {
    /// What it says, for the help text and the manual page.
    var meaning: String {
        switch self {
        case .done: "Done."
        case .failed: "Failed in a way that has no number of its own; 'doctor' found something that matters."
        case .signInNeeded:
            "Sign in first: nobody is signed in, the session has ended, or the key of the tokens is gone."
        case .usage: "The command line is wrong, or lacks an answer that nobody is there to give."
        case .invalidData: "Data on this machine is damaged: the token cache, or the local tenant's."
        case .missingInput: "An input that was named is missing, empty or no text; input ended at a question."
        case .unknownHost: "The tenant's host is not known."
        case .unavailable:
            "The tenant cannot be reached, cannot be trusted, or is not available; a keyring is locked or does not answer."
        case .internalError: "An error of this program."
        case .cannotCreate: "A file or folder cannot be made."
        case .outputFailed: "The output cannot be written, or a file or a key in a keyring cannot."
        case .tryAgain: "Try again later: too many requests or codes, or another process has a lock."
        case .brokenProtocol: "The server's answer is none of the protocol."
        case .refused: "The tenant refused: a wrong password or code, an account that exists already or not at all."
        case .configuration:
            "The configuration is wrong: an unknown profile, an unsafe place for tokens, or one that this machine has not."
        case .cannotExecute: "The program that 'exec' or 'curl' is to run cannot be executed."
        case .notFound: "There is no program of the name that 'exec' or 'curl' is to run."
        }
    }
}
