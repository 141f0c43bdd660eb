// SPDX-License-Identifier: Apache-2.0

import Wire

/// One-time passcodes: kept as keyed hashes, for one flow, with a life and a number of tries.
extension IdentityProvider {
    /// Sends a new code, which replaces the flow's former one.
    ///
    /// - Returns: What the client is told about it.
    func sendCode(
        _ purpose: CodeMessage.Purpose, to contact: Contact, _ flow: Flow, delivering delivery: CodeDelivery = .code,
        _ exchange: Exchange, _ connection: inout Connection
    ) throws -> ChallengeReply {
        try checkSending(to: contact, flow, exchange, &connection)
        try admitCode(exchange, &connection)
        let code =
            exchange.callouts.code ?? (delivery == .code ? aids?.code(for: contact, digits: settings.codeLength) : nil)
            ?? random.code(digits: settings.codeLength)
        try connection.run(
            """
            INSERT INTO code (flow, mac, sent_at, expires_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (flow) DO UPDATE SET mac = excluded.mac, sent_at = excluded.sent_at,
            expires_at = excluded.expires_at, attempts = 0, last_wrong = NULL
            """, .text(flow.id), .blob(mac(code, purpose, contact, flow)), .integer(exchange.seconds),
            .integer(exchange.seconds + Int64(settings.codeLifetime)))
        try connection.run(
            "INSERT INTO code_sent (address, account, sent_at) VALUES (?, ?, ?)", .text(contact.key),
            .text(flow.state.account ?? ""), .integer(exchange.seconds))
        switch delivery {
        case .code: try hand(code, purpose, to: contact, flow, exchange, &connection)
        case .notice: try notice(.signUpAttempt, to: contact, exchange, &connection)
        case .nothing: break
        }
        return ChallengeReply(
            challengeType: .oob, bindingMethod: "prompt", challengeChannel: contact.channel,
            challengeTargetLabel: contact.masked, codeLength: settings.codeLength, interval: settings.resendInterval)
    }

    /// Posts a code, unless an extension has sent it.
    private func hand(
        _ code: String, _ purpose: CodeMessage.Purpose, to contact: Contact, _ flow: Flow, _ exchange: Exchange,
        _ connection: inout Connection
    ) throws {
        guard try !isDelivered(code, purpose, contact, flow, exchange, &connection) else { return }
        try post(
            CodeMessage(
                purpose: purpose, to: contact, code: code, lifetime: settings.codeLifetime, id: random.uuid(),
                date: exchange.time), exchange, &connection)
    }

    /// Whether an extension has sent the code instead. The service asks one for first factors and resets, sent by mail.
    private func isDelivered(
        _ code: String, _ purpose: CodeMessage.Purpose, _ contact: Contact, _ flow: Flow, _ exchange: Exchange,
        _ connection: inout Connection
    ) throws -> Bool {
        guard case .email = contact, [.signUp, .signIn, .passwordReset].contains(purpose) else { return false }
        let callout = Callout.emailOtpSend(address: contact.text, code: code, requestType: purpose.rawValue)
        switch try outcome(of: callout, flow.app, .userInfo, exchange, &connection) {
        case nil, .failed?: return false
        default: return true
        }
    }

    /// A code is good in its flow alone, for what it was sent for and from where it was sent to.
    private func mac(_ code: String, _ purpose: CodeMessage.Purpose, _ contact: Contact, _ flow: Flow) -> [UInt8] {
        vault.mac(.code, flow.id, purpose.rawValue, contact.key, code)
    }

    private func checkSending(
        to contact: Contact, _ flow: Flow, _ exchange: Exchange, _ connection: inout Connection
    ) throws {
        let since = SQLValue.integer(exchange.seconds - Int64(settings.codeWindow))
        let sent = try connection.rows(
            """
            SELECT count(*) FILTER (WHERE address = ?1),
                count(DISTINCT address) FILTER (WHERE account = ?2 AND account <> '' AND address <> ?1)
            FROM code_sent WHERE (address = ?1 OR account = ?2) AND sent_at > ?3
            """, .text(contact.key), .text(flow.state.account ?? ""), since
        ).first
        // Codes to ever other contacts would be at the owner's expense, and molest strangers.
        guard (sent?.integer(0) ?? 0) < Int64(settings.codesPerAddress),
            (sent?.integer(1) ?? 0) < Int64(settings.contactsPerAccount)
        else { throw Refusal.tooManyCodes }
        let last = try connection.rows("SELECT sent_at FROM code WHERE flow = ?", .text(flow.id)).first?.integer(0)
        if let last, exchange.seconds - last < Int64(settings.resendWait) { throw Refusal.tooManyCodes }
    }

    /// Whether the code is the flow's. A try is counted before the comparison, and a code that fits is gone.
    ///
    /// A request whose answer was lost comes again; what was wrong then is wrong now, and counts once.
    func redeem(
        _ code: String, _ purpose: CodeMessage.Purpose, of contact: Contact, _ flow: Flow, _ exchange: Exchange,
        _ connection: inout Connection
    ) throws -> Bool {
        try checkGuesses(of: contact, flow, exchange, &connection)
        let counted = try connection.run(
            """
            UPDATE code SET attempts = attempts + 1, last_wrong = ?1
            WHERE flow = ?2 AND attempts < ?3 AND expires_at > ?4 AND last_wrong IS DISTINCT FROM ?1
            """, .blob(exchange.digest), .text(flow.id), .integer(Int64(settings.codeAttempts)),
            .integer(exchange.seconds))
        guard counted == 1 else { return false }
        guard code.utf8.count == settings.codeLength, code.utf8.allSatisfy(Self.isDigit),
            let mac = try connection.rows("SELECT mac FROM code WHERE flow = ?", .text(flow.id)).first?.blob(0),
            Digest.equal(mac, self.mac(code, purpose, contact, flow))
        else {
            try countWrongCode(of: contact, flow, exchange, &connection)
            return false
        }
        try connection.run("DELETE FROM code WHERE flow = ?", .text(flow.id))
        try forgetWrongCodes(of: contact, flow, &connection)
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
