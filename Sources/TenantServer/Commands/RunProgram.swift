// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import Glibc
import Processes
import Tenant

/// Runs another program beside a tenant of its own: for suites of tests, and to try things.
struct RunProgram: TenantCommand {
    var words: [String] = []

    static let name = "run"
    static let summary = "Run a program beside a new tenant, which is gone afterwards"
    static let usage = "[--] COMMAND [ARGUMENT...]"

    static var parameters: [Parameter<RunProgram>] {
        [
            .remainder(
                "COMMAND", to: \.words, required: true,
                help: "The program; what follows is its own, whatever it looks like.")
        ]
    }

    static var examples: [Example] {
        [
            Example("nativeauth tenant run -- swift test", "A suite that finds the tenant at $TENANT_AUTHORITY."),
            Example("nativeauth tenant run -- sh -c 'nativeauth tenant app set shop.json && make check'"),
        ]
    }

    static var discussion: String {
        """
        The tenant is new, and served on a free port in test mode: codes for addresses below .test are 12345678, and \
        'tenant clock' and 'tenant fault' work. See 'nativeauth tenant help serve'.

        The program finds its address in TENANT_AUTHORITY. NATIVEAUTH_DATA_DIR, NATIVEAUTH_CONFIG_DIR and XDG_STATE_HOME \
        name a temporary folder, so that every 'nativeauth' it calls means this tenant, and no account or tenant of yours \
        is touched; no other NATIVEAUTH_ variable reaches it.

        Exit code and signals are the program's own, with 126 and 127 where it cannot be run or is not there.
        """
    }

    func run(_ context: TenantContext) throws {
        let program = try OtherProgram(
            named: words.first ?? "", words.map { $0.utf8CString.map { $0 } }, path: context.environment["PATH"],
            context.before)
        switch try ending(of: program, context) {
        case .success(let ending): try ending.passOn()
        case .failure(let error):
            throw CommandFailure(
                .cannotExecute, "\(program.path.printable) cannot be executed: \(error.message).")
        }
    }

    /// Serves a new tenant until the program has ended; nothing is left of it then.
    private func ending(
        of program: OtherProgram, _ context: TenantContext
    ) throws -> Result<OtherProgram.Ending, SystemError> {
        let folder = try Self.temporaryFolder(context)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var program = program
        program.variables = Self.variables(folder, context.environment)
        var own = context
        own.environment[TenantPlace.variable] = folder
        return try server.serve(own) { serving, _, stops in
            program.variables["TENANT_AUTHORITY"] = serving.place.url
            // The child lives as long as the thread that has started it, which waits for it here.
            let ending = Result { () throws(SystemError) in
                stops.ending(of: try program.start(writing: STDOUT_FILENO))
            }
            // A server that is told to hurry then leaves nothing behind: its open files do not need their names.
            try? FileManager.default.removeItem(atPath: folder)
            return ending
        }
    }

    private var server: Serve {
        var server = Serve()
        server.listen = "127.0.0.1:0"
        server.testMode = true
        return server
    }

    private static func temporaryFolder(_ context: TenantContext) throws(CommandFailure) -> String {
        let parent = context.environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        var template = Array("\(parent)/nativeauth-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw CommandFailure(
                .cannotCreate, "No folder can be made in \(parent.printable): \(String(cString: strerror(errno))).",
                hint: "Name another one with TMPDIR.")
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// What the program finds: nothing that leads to the caller's own accounts and tenants.
    private static func variables(_ folder: String, _ environment: [String: String]) -> [String: String?] {
        var variables: [String: String?] = [:]
        for name in environment.keys where name.hasPrefix("NATIVEAUTH_") { variables[name] = .some(nil) }
        variables[TenantPlace.variable] = folder
        variables["NATIVEAUTH_CONFIG_DIR"] = folder + "/config"
        variables["XDG_STATE_HOME"] = folder + "/state"
        return variables
    }
}
