// SPDX-License-Identifier: Apache-2.0

import Console

extension Topic {
    /// `nativeauth help scripting`.
    static var scripting: Topic {
        Topic(
            "scripting", heading: "SCRIPTING", summary: "How programs use these commands",
            parts: [
                .examples([
                    Example(
                        "nativeauth curl https://api.example.com/",
                        "A request that no other user can read the token of."
                    ),
                    Example(
                        "nativeauth signin -u ada@example.com --password-command 'pass show ada' --no-input",
                        "A sign-in that never waits for a person."),
                    Example(
                        "nativeauth signup -u ada@example.com --password-file pw --attribute country=Norway --otp-command 'nativeauth tenant inbox --code --to ada@example.com' --json",
                        "A whole sign-up at the local tenant."),
                    Example("nativeauth signup --resume", "Go on with what Ctrl-C or a reboot interrupted."),
                    Example(
                        "nativeauth token >/dev/null; [ $? -eq 4 ] && nativeauth signin", "Sign in only where needed."),
                ]),
                .table(
                    "A token for another program, from best to worst",
                    [
                        Row("nativeauth curl URL", "curl reads the header from memory; standard input stays free."),
                        Row("nativeauth exec -- PROGRAM", "The program reads the token from a descriptor."),
                        Row("nativeauth credential", "git, docker and kubectl ask for it."),
                        Row("nativeauth token --format header | curl -H @- URL", "Takes curl's standard input."),
                        Row("curl -K <(nativeauth token --format curl) URL", "The same with a body, in bash and zsh."),
                        Row("nativeauth exec --as env -- PROGRAM", "All your own programs can read it."),
                        Row(
                            "curl --oauth2-bearer \"$(nativeauth token)\" URL",
                            "curl blanks the word out, a moment after all users could read it."),
                        Row(
                            "curl -H \"Authorization: Bearer $(nativeauth token)\" URL",
                            "All users of the machine can read it as long as curl runs."),
                    ]),
                .table(
                    "Streams",
                    [
                        Row("standard output", "The result and nothing else: a token, a table, one JSON object."),
                        Row("standard error", "Messages and errors; with --json an error is one JSON object."),
                        Row("the terminal", "Questions, wherever the streams go: $(nativeauth signin --json) can ask."),
                        Row("standard input", "Read only by flags that say so, such as --password-stdin."),
                    ]),
                .text(
                    """
                    'token' never asks, and is silent when it succeeds. Where standard input is no terminal, with \
                    --no-input, and while CI is set, nothing asks; what is missing is named, all at once, and ends the \
                    command with 64. JSON objects have a member schema; members are \
                    added, never changed. Times are in UTC by RFC 3339, durations in whole seconds.

                    A password comes from --password-file, --password-command or --password-stdin, and loses one line \
                    end. A code comes from --otp-command or --otp-stdin, which may print a whole mail.

                    With --protocol jsonl, signup, signin and reset-password print one question a line and read one \
                    answer a line, each a JSON object, for a program in a person's place. --debug shows each request \
                    without its secrets.
                    """),
            ])
    }
}
