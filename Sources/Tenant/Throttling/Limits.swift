// SPDX-License-Identifier: Apache-2.0

/// Which limits apply to a request, and to whom.
extension IdentityProvider {
    /// What a counter is kept by: a keyed hash, so that the table has no names in it that were only tried.
    func subject(_ throttle: Throttle, _ parts: String...) -> [UInt8] {
        Array(vault.mac(.throttle, throttle.rawValue, parts.joined(separator: "\n")).prefix(16))
    }

    func client(of exchange: Exchange) -> NetworkAddress? {
        exchange.request.client(behind: settings.trustedProxies.compactMap(NetworkBlock.init))
    }

    /// The network whose events are counted; nil where none are: everything on a developer's machine has one address.
    private func network(of exchange: Exchange) -> String? {
        guard let client = client(of: exchange), settings.limitLoopback || !client.plain.isLoopback else { return nil }
        return NetworkBlock(around: client).key
    }

    // MARK: - Names

    /// Lets a network ask for so many names in a minute: whoever tries a list of them takes long. The same name again
    /// counts once. To be called before it is looked up.
    func admit(name: String, _ exchange: Exchange) throws {
        guard settings.namesPerNetwork > 0, let network = network(of: exchange) else { return }
        try database.transaction { connection in
            let name = subject(.name, network, name.lowercased())
            guard try connection.count(.name, name, at: exchange.seconds) == 1 else { return }
            try connection.admit(
                .names, subject(.names, network), limit: settings.namesPerNetwork, at: exchange.seconds)
        }
    }

    // MARK: - Codes

    /// Counts a code that is about to be sent.
    func admitCode(_ exchange: Exchange, _ connection: inout Connection) throws {
        if let network = network(of: exchange) {
            try connection.admit(
                .codesByNetwork, subject(.codesByNetwork, network), limit: settings.codesPerNetwork,
                at: exchange.seconds)
        }
        try connection.admit(.codes, subject(.codes), limit: settings.codesPerHour, at: exchange.seconds)
    }

    /// Refuses a code without looking at it where too many were wrong: flows can be opened without end, and so could
    /// guesses be made.
    func checkGuesses(of contact: Contact, _ flow: Flow, _ exchange: Exchange, _ connection: inout Connection) throws {
        try checkFailures(exchange, &connection)
        try connection.check(
            .wrongCodes, guessed(contact, flow), limit: settings.wrongCodesPerAccount, at: exchange.seconds)
    }

    func countWrongCode(of contact: Contact, _ flow: Flow, _ exchange: Exchange, _ connection: inout Connection) throws
    {
        try countFailure(exchange, &connection)
        guard settings.wrongCodesPerAccount > 0 else { return }
        try connection.count(.wrongCodes, guessed(contact, flow), at: exchange.seconds)
    }

    func forgetWrongCodes(of contact: Contact, _ flow: Flow, _ connection: inout Connection) throws {
        try connection.forget(.wrongCodes, guessed(contact, flow))
    }

    private func guessed(_ contact: Contact, _ flow: Flow) -> [UInt8] {
        subject(.wrongCodes, flow.state.account ?? "", contact.key)
    }

    // MARK: - Failures of a network

    func checkFailures(_ exchange: Exchange, _ connection: inout Connection) throws {
        guard let network = network(of: exchange) else { return }
        try connection.check(
            .failures, subject(.failures, network), limit: settings.failuresPerNetwork, at: exchange.seconds)
    }

    func countFailure(_ exchange: Exchange, _ connection: inout Connection) throws {
        guard settings.failuresPerNetwork > 0, let network = network(of: exchange) else { return }
        try connection.count(.failures, subject(.failures, network), at: exchange.seconds)
    }

    /// Counts a wrong password for the network and, where nobody is told who has an account, for the name: without it a
    /// name that is nobody's, or a closed account, would be the only one that makes nothing durable, which takes less time.
    func countWrongPassword(
        of account: StoredAccount, _ exchange: Exchange, _ connection: inout Connection
    ) throws {
        try countFailure(exchange, &connection)
        guard isDiscreet else { return }
        try connection.count(
            .wrongPasswords, subject(.wrongPasswords, account.username.key), at: exchange.seconds)
    }

    // MARK: - Calls of a flow

    /// Counts a call of the flow that a token leads to, or led to.
    func admitCall(with token: [UInt8], _ exchange: Exchange, _ connection: inout Connection) throws {
        guard settings.callsPerFlow > 0 else { return }
        let row = try connection.rows(
            "SELECT id FROM flow WHERE token = ?1 OR former_token = ?1", .blob(token)
        ).first
        guard let flow = row?.text(0) else { return }
        try connection.admit(.calls, subject(.calls, flow), limit: settings.callsPerFlow, at: exchange.seconds)
    }
}
