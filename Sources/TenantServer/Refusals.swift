// SPDX-License-Identifier: Apache-2.0

import Console
import Glibc
import Tenant

extension CommandFailure {
    /// What a call's refusal means to the tenant's owner.
    init(_ refusal: AdminRefusal) {
        switch refusal {
        case .noSuchAccount(let name): self.init(.failed, "There is no account '\(name.printable)'.")
        case .noSuchFlow(let name):
            self.init(
                .invalidData, "There is no user flow '\(name.printable)'.",
                hint: "Add it with 'nativeauth tenant flow set'.")
        case .noSuchApp(let id): self.init(.missing("app", id, list: "app list"))
        case .noSuchAPI(let id): self.init(.missing("API", id, list: "api list"))
        case .noSuchExtension(let id): self.init(.missing("extension", id, list: "extension list"))
        case .noSuchSetting(let name): self.init(.usage, "There is no setting '\(name.printable)'.")
        case .aliasTaken(let alias):
            self.init(.failed, "Another account goes by the alias '\(alias.printable)'.")
        case .identifierTaken(let name):
            self.init(.invalidData, "Another API has the identifier '\(name.printable)'.")
        case .flowInUse(let name):
            self.init(
                .failed, "Apps use the user flow '\(name.printable)'.",
                hint: "Give them another one with 'nativeauth tenant app set'.")
        case .malformed(let reason), .unusable(let reason):
            self.init(.invalidData, "It cannot be used: \(reason.printable).")
        case .passwordRefused(let reason): self.init(.refused, reason.printable)
        case .database(_, let message): self.init(.outputFailed, "The tenant's database failed: \(message).")
        case .file(let operation, let path, let errno):
            self.init(
                errno == EEXIST ? .cannotCreate : .outputFailed,
                "Cannot \(operation) \(path.printable): \(String(cString: strerror(errno))).")
        case .databaseElsewhere:
            self.init(
                .unavailable, "The tenant's database is on a PostgreSQL server, and is copied and put back there.",
                hint: "Use pg_dump and pg_restore, and keep the tenant's sealing.key with the copy.")
        case .notInTestMode:
            self.init(
                .unavailable, "The tenant is not served in test mode.",
                hint: "Start it with 'nativeauth tenant serve --unsafe-test-mode'.")
        case .unknownCall(let name):
            self.init(
                .unavailable, "The process that serves the tenant does not know '\(name.printable)'.",
                hint: "Start it again: it is of another version.")
        case .interrupted:
            self.init(
                .tryAgain, "The process that serves the tenant went away before it had answered.",
                hint: "Look what came of it, and run the command again.")
        case .failed(let reason): self.init(.internalError, "The tenant failed: \(reason.printable).")
        }
    }

    private init(_ other: CommandFailure) { self = other }

    private static func missing(_ what: String, _ id: String, list: String) -> CommandFailure {
        CommandFailure(
            .invalidData, "There is no \(what) '\(id.printable)'.",
            hint: "Run 'nativeauth tenant \(list)' for their ids.")
    }
}
