// SPDX-License-Identifier: Apache-2.0

import Console
import Files
import FoundationEssentials
import Glibc
import Tenant

/// Lists the receivers that the tenant asks.
struct ListExtensions: TenantCommand {
    var tenant = TenantDefaults.name
    var json = false

    static let name = "extension list"
    static let summary = "List the custom authentication extensions"

    static var parameters: [Parameter<ListExtensions>] {
        [.flag("--json", to: \.json, help: "Print a JSON array, with everything."), .tenant(to: \.tenant)]
    }

    func run(_ context: TenantContext) throws {
        let extensions = try context.perform(ReadDefinitions(), on: tenant).extensions
        if json { return try context.print(json: extensions) }
        for entry in extensions {
            let state = entry.enabled ? "enabled" : "disabled"
            try context.output.line("\(entry.id)\t\(entry.event.rawValue)\t\(state)\t\(entry.name.printable)")
        }
    }
}

/// Adds or replaces a receiver.
struct SetExtension: TenantCommand {
    var tenant = TenantDefaults.name
    var file = ""

    static let name = "extension set"
    static let summary = "Add or replace a custom authentication extension from a JSON file"

    static var parameters: [Parameter<SetExtension>] {
        [
            .positional(
                "FILE", to: \.file, help: "An extension, as 'extension list --json' prints it; - for standard input."),
            .tenant(to: \.tenant),
        ]
    }

    static var discussion: String {
        """
        An extension has a 'name', an 'event' (\(AuthenticationExtension.Event.allCases.map(\.rawValue).joined(separator: ", "))) \
        and a 'target_url': https, or http on this machine. Ids that are missing are those of the extension of the same \
        name, or made; the extension's id is printed.

          {"name": "tiers", "event": "tokenIssuanceStart", "target_url": "https://hooks.example/tiers"}

        It may have 'id', 'listener_id', 'resource_id' (api://{host of the target}/{application id}), \
        'timeout_milliseconds' (200 to 2000), 'maximum_retries' (0 or 1), 'apps' (client ids; all without it), \
        'falls_back_on_error', 'fails_open', 'allows_private_addresses', 'ca_file' and 'enabled'.
        """
    }

    func run(_ context: TenantContext) throws {
        let data: Data
        do throws(FileError) {
            data = try FileDescriptor(file == "-" ? "/dev/stdin" : file, O_RDONLY).readToEnd(limit: 1024 * 1024)
        } catch {
            throw CommandFailure(
                .missingInput,
                "Cannot \(error.operation) '\(file.printable)': \(String(cString: strerror(error.errno))).")
        }
        try context.output.line(try save(data, context))
    }

    private func save(_ data: Data, _ context: TenantContext) throws -> String {
        do {
            return try context.perform(SaveExtension(try ExtensionDraft(json: data)), on: tenant)
        } catch let error as ExtensionDraft.Malformed {
            throw malformed(error.reason)
        } catch AdminRefusal.malformed(let reason) {
            throw malformed(reason)
        } catch AdminRefusal.unusable(let reason) {
            throw CommandFailure(.invalidData, "The extension cannot be used: \(reason.printable).")
        }
    }

    private func malformed(_ reason: String) -> CommandFailure {
        CommandFailure(
            .invalidData, "'\(file.printable)' is no extension: \(reason.printable).",
            hint: "Run 'nativeauth tenant help extension set' for its form.")
    }
}

/// Removes a receiver.
struct RemoveExtension: TenantCommand {
    var tenant = TenantDefaults.name
    var id = ""

    static let name = "extension remove"
    static let summary = "Remove a custom authentication extension"

    static var parameters: [Parameter<RemoveExtension>] {
        [.positional("ID", to: \.id, help: "The id, as 'extension list' prints it."), .tenant(to: \.tenant)]
    }

    func run(_ context: TenantContext) throws {
        _ = try context.perform(RemoveExtensionCall(id), on: tenant)
    }
}

/// Shows the calls that came to nothing.
struct ListExtensionFailures: TenantCommand {
    var tenant = TenantDefaults.name
    var json = false

    static let name = "extension failures"
    static let summary = "Show the newest calls of extensions that failed, and why"

    static var parameters: [Parameter<ListExtensionFailures>] {
        [.flag("--json", to: \.json, help: "Print a JSON array."), .tenant(to: \.tenant)]
    }

    func run(_ context: TenantContext) throws {
        let failures = try context.perform(ReadExtensionFailures(), on: tenant)
        if json { return try context.print(json: failures) }
        for failure in failures {
            let time = Date(timeIntervalSince1970: TimeInterval(failure.at)).formatted(Date.ISO8601FormatStyle())
            try context.output.line("\(time)\t\(failure.extension)\t\(failure.code)\t\(failure.text.printable)")
        }
    }
}
