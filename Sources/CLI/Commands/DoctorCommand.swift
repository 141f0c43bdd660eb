// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import Glibc
import NativeAuth

/// `nativeauth doctor`: looks at everything that the other commands rely on, and changes nothing.
struct DoctorCommand: CLICommand {
    var choice = ProfileChoice()
    var json = false

    static let name = "doctor"
    static let summary = "Look for what could be wrong: files, network, clock, terminal, settings"

    static var parameters: [Parameter<DoctorCommand>] {
        [.json(to: \.json)] + ProfileChoice.rows(within: \.choice)
    }

    static var examples: [Example] {
        [
            Example("nativeauth doctor"),
            Example("nativeauth doctor --profile contoso", "With a request to that tenant."),
            Example("nativeauth doctor --json | jq '.findings[] | select(.level == \"problem\")'"),
        ]
    }

    static var discussion: String {
        """
        Exits with 0 when nothing is wrong, and with 1 when a finding matters; each says what to do. Nothing is \
        changed; an empty file is made and removed to see whether that works. The local tenant is looked at without a network; any other one gets a request for its public \
        description. No secret is shown.
        """
    }

    func run(_ context: Context) async throws {
        let examination = await Examination(choice, context)
        if json {
            try context.print(json: examination)
        } else {
            try context.output.write(examination.text)
        }
        if !examination.healthy { throw EndedQuietly(status: .failed) }
    }
}

/// What `doctor --json` prints.
private struct Examination: Encodable {
    var schema = 1
    var version = Version.current
    var system: String
    var healthy: Bool
    var settings: [Setting]
    var findings: [Finding]

    init(_ choice: ProfileChoice, _ context: Context) async {
        let environment = context.environment
        let folder = try? Profile.configurationFolder(environment)
        let file = folder.flatMap { try? StoredProfiles.read($0 + "/config.json") }
        let stored = file?.named(choice.profile(environment) ?? file?.profile ?? "local")
        let origins = SettingOrigins(choice: choice, environment: environment, stored: stored, profile: file?.profile)
        settings = origins.settings
        findings = origins.findings
        if let folder { findings += FileChecks.configuration(folder + "/config.json") }
        do {
            let (client, profile) = try context.client(choice)
            findings += AccountChecks(client: client, profile: profile, storage: context.storage(of: profile)).run()
            findings += KeptFlowChecks.run(profile, environment: environment)
            if profile.isLocal {
                findings += TenantChecks.run(environment: environment, program: TenantProgram.path(environment))
            } else {
                findings += await NetworkChecks(profile: profile, environment: environment, time: context.time).run()
            }
        } catch {
            let failure = Report(error).failure
            let isSaid = findings.contains { $0.message == failure.message }
            if !isSaid { findings.append(.problem("profile", failure.message, failure.hint ?? "Correct it.")) }
        }
        findings += TerminalChecks.run(environment: environment)
        healthy = !findings.contains { $0.level == .problem }
        system = Self.system
    }

    private static var system: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "unknown" }
        func text(_ field: some Any) -> String {
            withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        return "\(text(names.sysname)) \(text(names.release)) \(text(names.machine))"
    }

    /// The same for a person.
    var text: String {
        let width = settings.map(\.value.count).filter { $0 <= 50 }.max() ?? 0
        let rows = settings.map { setting in
            (
                term: setting.name,
                text: setting.value + String(repeating: " ", count: max(0, width - setting.value.count))
                    + "  \(setting.source)"
            )
        }
        let names = rows.map(\.term.count).max() ?? 0
        let table = rows.map { "  " + $0.term + String(repeating: " ", count: names - $0.term.count + 2) + $0.text }
        let marks: [Finding.Level: String] = [.ok: "ok     ", .note: "note   ", .problem: "PROBLEM"]
        let lines = findings.flatMap { finding in
            ["  \(marks[finding.level] ?? "")  \(finding.check): \(finding.message)"]
                + (finding.advice.map { ["           -> " + $0] } ?? [])
        }
        let problems = findings.count { $0.level == .problem }
        let verdict = problems == 0 ? "Nothing is wrong." : problems == 1 ? "One problem." : "\(problems) problems."
        return "nativeauth \(version) on \(system)\n\nSettings:\n" + table.joined(separator: "\n")
            + "\n\nFindings:\n" + lines.joined(separator: "\n") + "\n\n\(verdict)\n"
    }
}
