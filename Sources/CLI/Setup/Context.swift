// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import NativeAuth
import Tenant

/// What every command finds around it. Nothing here is looked up before it is needed.
struct Context: Sendable {
    let environment: [String: String]
    /// The words of the command line as bytes, for a program that they are handed on to.
    let words: [[CChar]]
    /// How this process was started.
    let before: ProcessStart.Before
    let output = Output.standardOutput
    let errors = Output.standardError
    let time = TimeSource.system
    /// How to talk to the person.
    var style = Style()
    /// Whether to say that the program waits for the network.
    var showsWaiting = false
    /// Whether nothing at all is to be said while it waits.
    var isSilent = false

    /// The client for a profile, with its account where the profile has it.
    ///
    /// - Parameter patience: How long to wait for the tenant where the person has not said.
    func client(_ choice: ProfileChoice, patience: Duration? = nil) throws
        -> (client: NativeAuthClient, profile: Profile)
    {
        try ForeignHome.check(environment)
        let profile = try Profile(choice, environment: environment)
        var configuration = Configuration(
            authority: profile.authority, clientID: profile.clientID, challengeTypes: profile.challengeTypes,
            capabilities: profile.capabilities, keepsOtherAccounts: true, caFile: profile.caFile)
        configuration.transportVouches = profile.isLocal
        let storage = storage(of: profile)
        let network: LocalTransport.Network = { [configuration] certificate in
            var configuration = configuration
            if let certificate { configuration.caFile = certificate }
            return CurlTransport(configuration)
        }
        let plain: any Transport =
            try profile.isLocal ? LocalTransport(access: localAccess(), network: network) : network(nil)
        let inTime = patient(plain, isLocal: profile.isLocal, for: profile.timeout ?? patience)
        let log = try choice.debug.log(self)
        let transport = log.map { LoggedTransport(inner: inTime, log: $0) as any Transport } ?? inTime
        let client = NativeAuthClient(configuration, storage: patient(storage), transport: transport, time: time)
        return (client, profile)
    }

    /// Where the tokens of a profile are.
    func storage(of profile: Profile) -> any TokenStorage {
        profile.storage.storage(path: profile.accountFile, environment: environment, time: time)
    }

    /// The way to the tenant on this machine.
    func localAccess() throws(CommandFailure) -> TenantAccess {
        guard let place = TenantPlace(environment: environment), let folder = place.folder(named: TenantDefaults.name)
        else {
            throw CommandFailure(
                .configuration, "Neither HOME nor XDG_DATA_HOME says where the local tenant is kept.",
                hint: "Set HOME to a folder of yours.")
        }
        return TenantAccess(folder: folder, name: TenantDefaults.name, now: time.now)
    }

    /// A line for the person, to standard error; `--quiet` leaves it out. What was asked for is done whether or not
    /// anybody reads this, so a failure to write it is none of the command.
    func note(_ text: String, quiet: Bool = false) {
        if !quiet { try? errors.line(text) }
    }

    func print(json value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try output.line(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}
