// SPDX-License-Identifier: Apache-2.0

import Console

/// What the command line says about a sign-in in a browser.
struct BrowserOptions: Equatable {
    var browser = false
    var device = false
    /// Nil for the profile's.
    var redirect: String?

    var isWanted: Bool { browser || device }

    static func rows<Root>(within path: WritableKeyPath<Root, BrowserOptions>) -> [Parameter<Root>] {
        let rows: [Parameter<BrowserOptions>] = [
            .flag("--browser", to: \.browser, help: "Sign in in a browser on this machine."),
            .flag(
                "--device", to: \.device, help: "Sign in in a browser anywhere, with a code that is typed there."),
            .option(
                "--redirect-uri", value: "URI", to: \.redirect,
                help:
                    "With --browser: the app's registered address, as http://localhost, instead of the profile's."),
        ]
        return rows.within(path, section: "Browser")
    }

    /// What does not go together.
    func check(_ command: String, _ options: FlowOptions) throws(UsageError) {
        guard isWanted else { return }
        let flag = browser ? "--browser" : "--device"
        if browser, device { throw UsageError(command: command, "give one of --browser and --device") }
        if options.given.readsSecrets {
            throw UsageError(command: command, "with \(flag), passwords and codes are typed in the browser")
        }
        if options.peer != nil || options.resume {
            throw UsageError(
                command: command, "\(flag) goes neither with --protocol nor with --resume")
        }
    }
}
