// SPDX-License-Identifier: Apache-2.0

import Tenant
import Wire

private let mira = "mira@lofoten.example"
private let fresh = "Midnight-Sun-48"

extension Conformance {
    /// `/resetpassword/v1.0`, and the tokens after it.
    static let reset = opening + code + submission + polling + afterReset

    private static let opening: [ConformanceVector] = [
        ConformanceVector("91", "reset of an account with a password", .continuation) { scene in
            try scene.passwordAccount(mira)
            return try scene.resetStart(mira)
        },
        ConformanceVector("92", "reset of an account with codes", .refused("invalid_request", nil, 500_222)) { scene in
            try scene.codeAccount(mira)
            return try scene.resetStart(mira)
        },
        ConformanceVector("93", "reset of nobody", .refused("user_not_found", nil, 50034)) { try $0.resetStart(mira) },
        ConformanceVector(
            "94", "reset where the tenant has none", .refused("invalid_request", nil, 500_222),
            settings: { $0.passwordReset = false }
        ) { scene in
            try scene.passwordAccount(mira)
            return try scene.resetStart(mira)
        },
    ]

    private static let code: [ConformanceVector] = [
        ConformanceVector("95", "code for a reset", .codeSent) { try $0.resetCodeSent(mira) },
        ConformanceVector("96", "another code for a reset", .codeSent) { scene in
            let first = try scene.resetCodeSent(mira)
            scene.tenant.clock.advance(by: 1)
            return try scene.resetChallenge(first.token)
        }.and("the mails are two more than the sign-up's") { scene, _ in try scene.tenant.mails(to: mira) == 3 },
        ConformanceVector(
            "97", "right code of a reset",
            Expected(members: ["expires_in": .integer(600)], present: ["continuation_token"], absent: ["error"])
        ) { try $0.resetVerified(mira) },
        ConformanceVector("98", "wrong code of a reset", .refused("invalid_grant", "invalid_oob_value", 50181)) {
            scene in
            let sent = try scene.resetCodeSent(mira)
            return try scene.resetProceed(sent.token, try scene.wrongCode(mira))
        },
        ConformanceVector("99", "reset's code with a sign-up's token", .refused("invalid_request", nil, 55200)) {
            scene in
            try scene.resetProceed(try scene.codeSent(mira).token, "12345678")
        },
        ConformanceVector("99", "reset's code with garbage", .refused("invalid_request", nil, 55200)) {
            try $0.resetProceed("garbage", "12345678")
        },
        ConformanceVector("99", "reset's code before it was sent", .refused("invalid_request", nil, 55200)) { scene in
            try scene.passwordAccount(mira)
            return try scene.resetProceed(try scene.resetStart(mira).token, "12345678")
        },
    ]

    private static let submitted = Expected(
        members: ["poll_interval": .integer(2)], present: ["continuation_token"], absent: ["error"])

    private static let submission: [ConformanceVector] = [
        ConformanceVector("100", "strong new password", submitted) { scene in
            try scene.resetSubmit(try scene.resetVerified(mira).token, fresh)
        },
        ConformanceVector("101", "weak new password", .refused("invalid_grant", "password_too_weak", 399_246)) {
            scene in
            try scene.resetSubmit(try scene.resetVerified(mira).token, "aaaaaaaaaa")
        },
        ConformanceVector("101", "strong new password with the token of the weak one", submitted) { scene in
            let verified = try scene.resetVerified(mira)
            _ = try scene.resetSubmit(verified.token, "aaaaaaaaaa")
            return try scene.resetSubmit(verified.token, fresh)
        },
        ConformanceVector("102", "the old password anew", .refused("invalid_grant", "password_recently_used", nil)) {
            scene in
            try scene.resetSubmit(try scene.resetVerified(mira).token, Scene.password)
        },
        ConformanceVector("103", "new password after ten minutes", .refused("expired_token", nil, 552_003)) { scene in
            let verified = try scene.resetVerified(mira)
            scene.tenant.clock.advance(by: 600)
            return try scene.resetSubmit(verified.token, fresh)
        },
    ]

    private static let inProgress = Expected(
        members: ["status": .string("in_progress")], absent: ["continuation_token", "error"])
    private static let succeeded = Expected(
        members: ["status": .string("succeeded")], present: ["continuation_token"], absent: ["error"])

    private static let polling: [ConformanceVector] = [
        ConformanceVector("104", "the first look", inProgress) { scene in
            try scene.poll(try scene.resetSubmitted(mira).token)
        },
        ConformanceVector("105", "the second look with the same token", succeeded) { scene in
            let submitted = try scene.resetSubmitted(mira)
            _ = try scene.poll(submitted.token)
            return try scene.poll(submitted.token)
        },
        ConformanceVector(
            "106", "a look at an account that was disabled meanwhile",
            Expected(members: ["status": .string("failed")], absent: ["continuation_token", "error"])
        ) { scene in
            let submitted = try scene.resetSubmitted(mira)
            _ = try scene.poll(submitted.token)
            _ = try scene.tenant.provider.changeAccount(mira) { $0.isDisabled = true }
            return try scene.poll(submitted.token)
        },
        ConformanceVector("107", "a look after ten minutes", .refused("expired_token", nil, 552_003)) { scene in
            let submitted = try scene.resetSubmitted(mira)
            scene.tenant.clock.advance(by: 600)
            return try scene.poll(submitted.token)
        },
    ]

    private static let afterReset: [ConformanceVector] = [
        ConformanceVector("108", "tokens after a reset", .tokens) { scene in
            try scene.redeem(try scene.resetDone(mira).token + "&username=mira%40lofoten.example")
        },
        ConformanceVector("108", "sign-in with the new password", .tokens) { scene in
            _ = try scene.resetDone(mira)
            return try scene.submit(password: fresh, try scene.challenged(mira).token)
        },
        ConformanceVector("108", "sign-in with the old password", .refused("invalid_grant", nil, 50126)) { scene in
            _ = try scene.resetDone(mira)
            return try scene.signIn(mira)
        },
    ]
}

// MARK: - Steps

extension Scene {
    /// Opens a reset; `more` is appended to the form.
    package func resetStart(_ address: String, app: String = passwordApp, _ more: String = "") throws -> RawAnswer {
        try caller.post(
            "/resetpassword/v1.0/start", "client_id=\(app)&username=\(address)&challenge_type=oob+redirect" + more)
    }

    package func resetChallenge(_ token: String, app: String = passwordApp) throws -> RawAnswer {
        try caller.post("/resetpassword/v1.0/challenge", "client_id=\(app)&continuation_token=\(token)")
    }

    package func resetProceed(_ token: String, _ code: String, app: String = passwordApp) throws -> RawAnswer {
        try caller.post(
            "/resetpassword/v1.0/continue",
            "client_id=\(app)&continuation_token=\(token)&grant_type=oob&oob=\(code)")
    }

    package func resetSubmit(_ token: String, _ password: String, app: String = passwordApp) throws -> RawAnswer {
        try caller.post(
            "/resetpassword/v1.0/submit", "client_id=\(app)&continuation_token=\(token)&new_password=\(password)")
    }

    package func poll(_ token: String, app: String = passwordApp) throws -> RawAnswer {
        try caller.post("/resetpassword/v1.0/poll_completion", "client_id=\(app)&continuation_token=\(token)")
    }

    /// A reset whose code was sent, of a new account.
    package func resetCodeSent(_ address: String, app: String = passwordApp, _ more: String = "") throws -> RawAnswer {
        try passwordAccount(address)
        tenant.clock.advance(by: 1)
        return try resetChallenge(try resetStart(address, app: app, more).token, app: app)
    }

    package func resetVerified(_ address: String, app: String = passwordApp, _ more: String = "") throws -> RawAnswer {
        let sent = try resetCodeSent(address, app: app, more)
        return try resetProceed(sent.token, try code(address), app: app)
    }

    package func resetSubmitted(_ address: String, app: String = passwordApp, _ more: String = "") throws -> RawAnswer {
        try resetSubmit(try resetVerified(address, app: app, more).token, "Midnight-Sun-48", app: app)
    }

    /// A reset as far as its success, of a new account; the password is `Midnight-Sun-48` now.
    package func resetDone(_ address: String, app: String = passwordApp, _ more: String = "") throws -> RawAnswer {
        let submitted = try resetSubmitted(address, app: app, more)
        _ = try poll(submitted.token, app: app)
        return try poll(submitted.token, app: app)
    }
}
