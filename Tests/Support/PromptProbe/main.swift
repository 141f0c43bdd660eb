// SPDX-License-Identifier: Apache-2.0

// Asks what its arguments say and prints what it got, so that tests see the prompts of a real process.
//
//     prompt-probe [off-main] line=NAME line=NAME?default line=NAME<preset secret=NAME new=NAME confirm=QUESTION raw

internal import Console
internal import Glibc
internal import LineEditor

/// The process's environment as a value.
func environment() -> [String: String] {
    var variables: [String: String] = [:]
    for name in ["TERM", "COLUMNS", "NO_COLOR"] {
        variables[name] = getenv(name).map { String(cString: $0) }
    }
    return variables
}

/// Repeats a question as the commands do, as long as that makes sense.
func repeating(_ terminal: Terminal, _ question: () throws(PromptError) -> String) throws(PromptError) -> String {
    while true {
        do {
            return try question()
        } catch {
            guard error.isWorthAskingAgain else { throw error }
            terminal.show(error.message)
        }
    }
}

func answer(_ request: String, _ terminal: Terminal) throws(PromptError) -> String {
    let parts = request.split(separator: "=", maxSplits: 1).map(String.init)
    let name = parts.count > 1 ? parts[1] : ""
    switch parts[0] {
    case "line":
        let withDefault = name.split(separator: "?", maxSplits: 1).map(String.init)
        let withPreset = name.split(separator: "<", maxSplits: 1).map(String.init)
        let standard = withDefault.count > 1 ? withDefault[1] : nil
        let preset = withPreset.count > 1 ? withPreset[1] : nil
        let label = preset == nil ? withDefault[0] : withPreset[0]
        return try repeating(terminal) { () throws(PromptError) in
            try terminal.ask(label, default: standard, preset: preset)
        }
    case "secret":
        return try repeating(terminal) { () throws(PromptError) in try terminal.askSecret(name).text }
    case "new":
        return try terminal.askNewSecret(name, confirmation: name + " again").text
    case "confirm":
        return try terminal.confirm(name) ? "yes" : "no"
    default:
        leaveTerminalRaw()
        return "raw"
    }
}

/// Does what no program may, so that a test can show that such a program would be found out.
func leaveTerminalRaw() {
    var modes = termios()
    tcgetattr(STDIN_FILENO, &modes)
    modes.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &modes)
}

guard let terminal = Terminal.open(environment: environment()) else {
    try? Output.standardError.line("no terminal")
    exit(3)
}

func answerAll(_ requests: some Sequence<String>, _ terminal: Terminal) {
    do {
        for request in requests {
            try Output.standardOutput.line("got <\(answer(request, terminal))>")
        }
    } catch let error as PromptError {
        try? Output.standardError.line("error <\(error.message)>")
        exit(error == .endOfInput ? 66 : 1)
    } catch {
        exit(74)
    }
}

let requests = CommandLine.arguments.dropFirst()
if requests.first == "off-main" {
    await Task.detached { answerAll(requests.dropFirst(), terminal) }.value
} else {
    answerAll(requests, terminal)
}
