// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// A device that waits for somebody to sign in elsewhere, as the pages know it.
struct DeviceGoal: Sendable, Codable {
    var id: String
    var clientID: String
    /// As the person typed it.
    var userCode: String
}

/// The code that a person types (RFC 8628, section 6.1): no vowels, so that no words come of it, and nothing that looks
/// like something else.
enum UserCode {
    private static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ")

    static func random(_ source: RandomSource) -> String {
        let letters = (0..<8).map { _ in alphabet[Int(source.below(UInt32(alphabet.count)))] }
        return String(letters[..<4]) + "-" + String(letters[4...])
    }

    /// The form in which codes are compared; nil for what cannot be one.
    static func plain(_ typed: String) -> String? {
        let letters = typed.uppercased().filter { alphabet.contains($0) }
        return letters.count == 8 ? letters : nil
    }
}

// MARK: - The device's side

extension IdentityProvider {
    private static let deviceCodeLife: Int64 = 900
    private static let pollInterval: Int64 = 5

    /// Gives a device its codes.
    func deviceStart(_ call: DeviceAuthorization.Start, _ exchange: Exchange) throws -> Answer {
        let wish = try TokenWish(
            scope: (call.scope?.elements ?? []).map(\.rawValue).joined(separator: " "), claims: call.claims)
        let codes = (device: random.token(), user: UserCode.random(random))
        try database.transaction { connection in
            let app = try publicApp(call.clientId, &connection)
            _ = try grant(wish.scopes, app, &connection)
            try connection.run(
                "DELETE FROM device_grant WHERE id IN (SELECT id FROM device_grant WHERE expires_at < ? LIMIT 20)",
                .integer(exchange.seconds - 86400))
            try connection.run(
                """
                INSERT INTO device_grant
                (id, device_code, user_code, client_id, request, state, expires_at, interval, polled_at)
                VALUES (?, ?, ?, ?, ?, 'pending', ?, ?, ?)
                """, .text(random.uuid()), .blob(Digest.sha256(codes.device.utf8)), .blob(mac(ofUserCode: codes.user)),
                .text(app.clientID.lowercased()), .text(try StoredJSON.text(wish)),
                .integer(exchange.seconds + Self.deviceCodeLife), .integer(Self.pollInterval), .integer(0))
        }
        let address = "\(servedOrigin ?? settings.origin)/\(settings.name)\(Browser.devicePath)"
        return try exchange.answer(
            DeviceAuthorization.Start.Reply(
                deviceCode: codes.device, userCode: codes.user, verificationUri: address,
                verificationUriComplete: "\(address)?user_code=\(codes.user)", expiresIn: Int(Self.deviceCodeLife),
                interval: Int(Self.pollInterval),
                message: "To sign in, open \(address) in a browser and enter the code \(codes.user)."))
    }

    private func mac(ofUserCode code: String) -> [UInt8] {
        vault.mac(.userCode, UserCode.plain(code) ?? "")
    }

    /// Answers a device that asks whether somebody has signed in (RFC 8628, section 3.5).
    func redeemDeviceCode(_ call: SignIn.Token, _ exchange: Exchange) throws -> Answer {
        guard let code = call.deviceCode else { throw Refusal.missing("device_code") }
        return try redeem(code, exchange) { hash, connection in try polled(hash, call, exchange, &connection) }
    }

    private func polled(
        _ hash: [UInt8], _ call: SignIn.Token, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> Result<SettledAnswer, Refusal> {
        let app = try publicApp(call.clientId, &connection)
        let rows = try connection.rows(
            """
            SELECT id, request, authentication, state, expires_at, interval, polled_at FROM device_grant
            WHERE device_code = ? AND client_id = ?
            """, .blob(hash), .text(app.clientID.lowercased()))
        guard let row = rows.first, let id = row.text(0), row.text(3) != "used" else {
            return .failure(.deviceUnknown)
        }
        if row.text(3) == "denied" { return .failure(.deviceDenied) }
        guard exchange.seconds < row.integer(4) ?? 0 else { return .failure(.deviceExpired) }
        guard row.text(3) == "approved" else {
            return .failure(try pending(id, row.integer(5) ?? 0, row.integer(6) ?? 0, exchange, &connection))
        }
        try connection.run("UPDATE device_grant SET state = 'used' WHERE id = ?", .text(id))
        let proven = try StoredJSON.value(Authentication.self, row.text(2))
        let wish = try StoredJSON.value(TokenWish.self, row.text(1))
        return try tokens(for: proven, wish, app, call, exchange, &connection).map(\.answer)
    }

    /// A device that asks too often waits longer from then on.
    private func pending(
        _ id: String, _ interval: Int64, _ last: Int64, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> Refusal {
        // A clock of seconds makes five of them look like four.
        let isTooFast = exchange.seconds - last < interval - 1
        try connection.run(
            "UPDATE device_grant SET polled_at = ?, interval = ? WHERE id = ?", .integer(exchange.seconds),
            .integer(isTooFast ? interval + 5 : interval), .text(id))
        return isTooFast ? .deviceTooFast : .devicePending
    }
}

// MARK: - The person's side

extension IdentityProvider {
    /// The page that asks for a device's code. A code in the address is shown and has to be confirmed: whoever sent the
    /// address may be a stranger (RFC 8628, section 5.4).
    func devicePage(_ exchange: Exchange) throws -> Answer {
        let form = (try? exchange.parameters()) ?? Form()
        let code = form.value("user_code").flatMap(UserCode.plain)
        let typed = code.map { ["code": "\($0.prefix(4))-\($0.dropFirst(4))"] } ?? [:]
        return try open(nil, .deviceCode, typed: typed, exchange)
    }

    /// Takes the code that was typed; nil on every other page.
    func deviceStep(_ form: Form, _ draft: inout BrowserDraft, _ exchange: Exchange) throws -> BrowserOutcome? {
        guard case .deviceCode = draft.step, form.value("do") == nil else { return nil }
        let typed = form.value("code") ?? ""
        do {
            let device = try database.transaction { connection in
                try checkFailures(exchange, &connection)
                let device = try pendingDevice(typed, exchange, &connection)
                if device == nil { try countFailure(exchange, &connection) }
                return device
            }
            guard let device else { return .show(.deviceCode, .wrongDeviceCode) }
            draft.goal = .device(device)
            return .show(.deviceConsent, nil)
        } catch let throttled as Throttled {
            return .show(.deviceCode, .tooOften(seconds: throttled.seconds))
        }
    }

    private func pendingDevice(_ typed: String, _ exchange: Exchange, _ connection: inout Connection) throws
        -> DeviceGoal?
    {
        guard let code = UserCode.plain(typed) else { return nil }
        let rows = try connection.rows(
            "SELECT id, client_id FROM device_grant WHERE user_code = ? AND state = 'pending' AND expires_at > ?",
            .blob(mac(ofUserCode: code)), .integer(exchange.seconds))
        guard let row = rows.first, let id = row.text(0), let clientID = row.text(1) else { return nil }
        return DeviceGoal(id: id, clientID: clientID, userCode: "\(code.prefix(4))-\(code.dropFirst(4))")
    }

    /// - Returns: False if somebody else was faster, or it is too late.
    func approve(
        _ device: DeviceGoal, _ authentication: Authentication, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> Bool {
        try connection.run(
            """
            UPDATE device_grant SET state = 'approved', authentication = ?
            WHERE id = ? AND state = 'pending' AND expires_at > ?
            """, .text(try StoredJSON.text(authentication)), .text(device.id), .integer(exchange.seconds)) == 1
    }

    func deny(_ device: DeviceGoal) throws {
        _ = try database.transaction { connection in
            try connection.run(
                "UPDATE device_grant SET state = 'denied' WHERE id = ? AND state = 'pending'", .text(device.id))
        }
    }
}
