// SPDX-License-Identifier: Apache-2.0

import Console

/// A command with one row of every kind.
struct Register: Command, Equatable {
    enum Method: String, CaseIterable { case otp, password }

    struct Shared: Equatable {
        var json = false
        var profile: String?
        var debug = false

        static var rows: [Parameter<Shared>] {
            [
                .flag("--json", "-j", to: \.json, help: "Print one JSON object."),
                .option("--profile", value: "NAME", to: \.profile, help: "Use this profile."),
                .flag("--debug", "-d", to: \.debug, help: "Say what happens."),
            ]
        }
    }

    var shared = Shared()
    var username: String?
    var timeout: Int?
    var retries = 3
    var method: Method?
    var attributes: [String] = []
    var usesPassword = false
    var file: String?

    static let name = "signup"
    static let summary = "Create an account"
    static var parameters: [Parameter<Register>] {
        [
            .option("--username", "-u", value: "EMAIL", to: \.username, help: "The address to register."),
            .option("--method", value: "METHOD", to: \.method, help: "How to prove who you are."),
            .option(
                "--attribute", value: "KEY=VALUE", to: \.attributes,
                help: "A fact about the account, such as country=Norway; may be given several times."),
            .option("--timeout", value: "SECONDS", to: \.timeout, help: "How long to wait."),
            .option("--retries", value: "COUNT", to: \.retries, help: "How often to try again."),
            .flag("--password", "-p", to: \.usesPassword, help: "Ask for a password, not only a code."),
            .positional("FILE", to: \.file, help: "Where the answers are."),
        ] + Shared.rows.within(\.shared, section: "Global flags")
    }
    static var examples: [Example] {
        [
            Example("nativeauth signup", "Ask for everything."),
            Example("nativeauth signup --username ada@example.com"),
        ]
    }
    static var discussion: String {
        """
        The account is created when its address is proven. What has been entered is kept until then, \
        so that nothing is asked twice.

          kept: 24 hours
        """
    }

    func check() throws(UsageError) {
        if usesPassword, method == .otp {
            throw UsageError(command: Self.name, "'--password' contradicts '--method otp'")
        }
    }
}

/// A command that runs another one.
struct Run: Command, Equatable {
    var name: String?
    var words: [String] = []

    static let name = "exec"
    static let summary = "Run a program with a token"
    static var parameters: [Parameter<Run>] {
        [
            .option("--env", value: "NAME", to: \.name, help: "The variable."),
            .remainder("COMMAND", to: \.words, required: true, help: "The program and its arguments."),
        ]
    }
}

/// A command with places that must be filled.
struct Copy: Command, Equatable {
    var source = ""
    var targets: [String] = []
    var reason: String?

    static let name = "copy"
    static let summary = "Copy an account"
    static var parameters: [Parameter<Copy>] {
        [
            .positional("SOURCE", to: \.source, help: "From."),
            .positional("TARGET", to: \.targets, required: true, help: "To."),
            .option("--reason", value: "TEXT", to: \.reason, required: true, help: "Why."),
        ]
    }
}
