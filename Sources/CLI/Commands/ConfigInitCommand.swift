// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import NativeAuth
import Wire

/// `nativeauth config init`: a profile for a tenant in the cloud, checked by asking the tenant.
struct ConfigInitCommand: CLICommand {
    var choice = ProfileChoice()
    var noCheck = false
    var noInput = false
    var makesDefault = false
    var json = false
    var quiet = false
    var style = Style()

    static let name = "config init"
    static let summary = "Make a profile for a tenant in the cloud, and check it"

    static var parameters: [Parameter<ConfigInitCommand>] {
        let rows: [Parameter<ConfigInitCommand>] = [
            .flag("--default", to: \.makesDefault, help: "Let commands use it unless --profile names another."),
            .flag("--no-check", to: \.noCheck, help: "Do not ask the tenant whether the app fits."),
            .flag(
                "--no-input", to: \.noInput,
                help: "Never ask; fail where something is missing. [NATIVEAUTH_NO_INPUT, CI]"),
            .json(to: \.json), .quiet(to: \.quiet),
        ]
        return rows + ProfileChoice.rows(within: \.choice) + Style.rows(within: \.style)
    }

    static var examples: [Example] {
        [
            Example("nativeauth config init", "Asks for everything."),
            Example(
                "nativeauth config init --profile work --authority contoso --client-id ID --default",
                "Asks for nothing."),
        ]
    }

    static var discussion: String {
        """
        The check begins a sign-in and a sign-up with an address that nobody has, and goes no further: no message is sent, and \
        no account is made. It finds an app without native authentication, a confidential client, a missing user flow and a \
        tenant that sends everybody to a browser, and says what to change.

        Exits with 78 and saves nothing when the check finds a problem and there is nobody who wants it saved all the same.
        """
    }

    func run(_ context: Context) async throws {
        var context = context
        context.style = style
        context.showsWaiting = !quiet && !json
        let place = try ConfigurationPlace(context.environment)
        var draft = try ProfileDraft(choice, person(context), existing: place.read())
        try draft.complete()
        let findings = noCheck ? [] : await examine(draft, context)
        if !json { tell(findings, context) }
        let isFit = !findings.contains { $0.level == .problem }
        guard try isFit || draft.isWanted(in: "Save the profile all the same?") else {
            if json {
                try context.print(json: CheckedProfile(draft, findings, saved: false))
                throw EndedQuietly(status: .configuration)
            }
            throw CommandFailure(
                .configuration, "The profile '\(draft.name)' was not saved.",
                hint: "Correct what was found, or give --no-check.")
        }
        let becomesDefault = try makesDefault || draft.isWanted(in: "Use it by default?")
        try place.change { draft.write(to: &$0, asDefault: becomesDefault) }
        if json { return try context.print(json: CheckedProfile(draft, findings, saved: true)) }
        let flag = becomesDefault ? "" : " --profile \(draft.name)"
        context.note("Saved the profile '\(draft.name)' in \(place.path.printable).", quiet: quiet)
        let command = draft.issuer == nil ? "signup" : "signin --browser"
        context.note("Try it: 'nativeauth \(command)\(flag)'.", quiet: quiet)
    }

    private func person(_ context: Context) -> Terminal? {
        var given = GivenAnswers()
        given.noInput = noInput || json
        return given.person(context)
    }

    private func examine(_ draft: ProfileDraft, _ context: Context) async -> [Finding] {
        var choice = choice
        choice.profile = draft.name
        choice.authority = draft.authority
        choice.issuer = draft.issuer
        choice.clientID = draft.clientID
        do {
            let (client, profile) = try context.client(choice, patience: .seconds(30))
            let network = NetworkChecks(profile: profile, environment: context.environment, time: context.time)
            let findings = await network.run()
            // What native authentication needs is of no use to another provider.
            if findings.contains(where: { $0.level == .problem }) || draft.issuer != nil { return findings }
            return findings + AppChecks.findings(await client.probe(username: AppChecks.nobody(UUID())))
        } catch {
            let failure = Report(error).failure
            return [.problem("profile", failure.message, failure.hint ?? "Correct it.")]
        }
    }

    private func tell(_ findings: [Finding], _ context: Context) {
        for finding in findings where !(quiet && finding.level != .problem) {
            context.note("\(finding.check): \(finding.message)")
            if let advice = finding.advice { context.note("  -> \(advice)") }
        }
    }
}

/// What `config init --json` prints.
private struct CheckedProfile: Encodable {
    var schema = 1
    var profile: String
    var authority: String
    var client_id: String
    var findings: [Finding]
    var saved: Bool

    init(_ draft: ProfileDraft, _ findings: [Finding], saved: Bool) {
        profile = draft.name
        authority = draft.authority ?? draft.issuer ?? ""
        client_id = draft.clientID ?? ""
        self.findings = findings
        self.saved = saved
    }
}
