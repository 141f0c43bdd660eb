// SPDX-License-Identifier: Apache-2.0

import Console
import Tenant
import Wire

/// Lists the apps that may use the tenant.
struct ListApps: TenantCommand {
    var tenant = TenantDefaults.name
    var json = false

    static let name = "app list"
    static let summary = "List the apps that may use the tenant"

    static var parameters: [Parameter<ListApps>] {
        [.flag("--json", to: \.json, help: "Print a JSON array."), .tenant(to: \.tenant)]
    }

    func run(_ context: TenantContext) throws {
        let apps = try context.access(tenant).card(waiting: context.wait).apps
        if json { return try context.print(json: apps) }
        for app in apps {
            try context.output.line("\(app.clientID.printable)\t\(app.flow?.printable ?? "-")\t\(app.name.printable)")
        }
    }
}

/// Adds or replaces an app.
struct SetApp: TenantCommand {
    var tenant = TenantDefaults.name
    var file = ""

    static let name = "app set"
    static let summary = "Add or replace an app from a JSON file"

    static var parameters: [Parameter<SetApp>] {
        [.positional("FILE", to: \.file, help: "An app; - for standard input."), .tenant(to: \.tenant)]
    }

    static var discussion: String {
        """
        An app has a 'client_id' (any GUID), a 'name' and a 'flow', the name of a user flow; without one its users are sent \
        to a browser. It may have 'native_authentication' and 'public_client' (true unless said otherwise), 'consented' (the \
        scopes that an administrator has consented to; all of them by default), 'multi_factor' with 'channels' (of 'email' \
        and 'sms') and 'after_code' (a text message after a sign-in by code, too), and 'claims': what its ID tokens say \
        about people, each with 'source' ('user' or 'customClaimsProvider'), 'id' (the attribute, or the name that an \
        extension gives) and 'claim' (the name in the token). 'logout_redirects' lists the addresses that a browser may be \
        sent to after a sign-out, and 'redirect_uris' those that it may bring the code of a sign-in to, compared character by \
        character; on a loopback address any port will do.

          {"client_id": "0d6e0b2e-6a0c-4a52-9d0c-3f4a5b6c7d8e", "name": "Shop", "flow": "email-password",
           "multi_factor": {"channels": ["email", "sms"]},
           "claims": [{"source": "user", "id": "country", "claim": "land"}]}
        """
    }

    func run(_ context: TenantContext) throws {
        let file: AppFile = try TenantContext.definition(
            in: file, called: "app", shape: .app, hint: "Run 'nativeauth tenant help app set' for its form.")
        let app = file.registration
        if let problem = app.problem {
            throw CommandFailure(.invalidData, "The app cannot be used: \(problem.printable).")
        }
        _ = try context.perform(SaveApp(app), on: tenant)
    }
}

/// Removes an app.
struct RemoveAppCommand: TenantCommand {
    var tenant = TenantDefaults.name
    var id = ""

    static let name = "app remove"
    static let summary = "Remove an app and end its sessions"

    static var parameters: [Parameter<RemoveAppCommand>] {
        [.positional("CLIENT-ID", to: \.id, help: "The id, as 'app list' prints it."), .tenant(to: \.tenant)]
    }

    func run(_ context: TenantContext) throws {
        _ = try context.perform(RemoveApp(id), on: tenant)
    }
}

/// An app, as its file has it.
private struct AppFile: Decodable {
    struct Policy: Decodable {
        var channels: [Channel]?
        var after_code: Bool?
    }

    var client_id: String
    var name: String?
    var flow: String?
    var native_authentication: Bool?
    var public_client: Bool?
    var consented: [String]?
    var multi_factor: Policy?
    var claims: [ClaimMapping]?
    var logout_redirects: [String]?
    var redirect_uris: [String]?

    var registration: AppRegistration {
        var app = AppRegistration(clientID: client_id, name: name ?? client_id, userFlow: flow)
        app.nativeAuthentication = native_authentication ?? true
        app.isPublicClient = public_client ?? true
        app.consented = consented
        app.multiFactor = multi_factor.map {
            MultiFactorPolicy(channels: $0.channels ?? [.email, .sms], afterCode: $0.after_code ?? false)
        }
        app.claims = claims
        app.logoutRedirects = logout_redirects
        app.redirects = redirect_uris
        return app
    }
}
