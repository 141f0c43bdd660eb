// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL
import Synchronization
import TenantTesting
import Testing

/// The log of a whole process, which takes one callback: all tests share it, and look for their own conversation.
private final class LogLines: Sendable {
    static let shared = LogLines()

    struct Line {
        let level: MSALLogLevel
        let text: String
        let containsPII: Bool
    }

    private let lines = Mutex<[Line]>([])
    /// Whether the log was modest before anybody had set it.
    let wasModest: Bool

    private init() {
        let log = MSALGlobalConfig.loggerConfig
        wasModest = log.logLevel == .info && log.logMaskingLevel == .settingsMaskAllPII && log.callback == nil
        MSALGlobalConfig.loggerConfig.logLevel = .verbose
        MSALGlobalConfig.loggerConfig.setLogCallback { [lines = self] level, text, containsPII in
            lines.lines.withLock { $0.append(Line(level: level, text: text ?? "", containsPII: containsPII)) }
        }
    }

    func lines(of id: UUID) -> [Line] {
        lines.withLock { $0.filter { $0.text.contains(id.uuidString.lowercased()) } }
    }

    func lines(with words: String) -> [Line] { lines.withLock { $0.filter { $0.text.contains(words) } } }
}

/// What the log tells, and what it never does.
@MainActor @Suite(.serialized, .timeLimit(.minutes(10)))
struct LogTests {
    private let scene: AppScene
    private let log = LogLines.shared

    init() throws { scene = try AppScene() }

    @Test func logIsModestFromTheStart() {
        #expect(log.wasModest)
    }

    @Test func flowIsToldByItsId() async throws {
        _ = try await scene.signUpCode()
        let lines = log.lines(of: scene.id)
        #expect(lines.map(\.level) == [.info, .verbose, .verbose, .info])
        #expect(lines.allSatisfy { !$0.containsPII })
        let first = try #require(lines.first)
        // As in Microsoft's SDK: thread, version, system, time and conversation, then the text.
        let shape = #/TID=\d+ MSAL [\d.]+ Linux \[\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ - [0-9a-f-]{36}\] \[MSAL\] (.*)/#
        let text = try #require(try shape.wholeMatch(in: first.text)).1
        #expect(text == "signUp(parameters:delegate:) begins for Masked(not-null)")
    }

    @Test func errorsAreToldWithWhatLiesBehindThem() async throws {
        _ = try await scene.hear([.offline, .offline]) { scene.app.signUp(parameters: scene.signUp(), delegate: $0) }
        let errors = log.lines(of: scene.id).filter { $0.level == .error }
        #expect(errors.count == 3, "two requests and the call: \(errors)")
        #expect(errors.last?.text.contains("noConnection") == true)
    }

    @Test func namesAreShownWhereTheAppWantsThem() async throws {
        MSALGlobalConfig.loggerConfig.logMaskingLevel = .settingsMaskSecretsOnly
        defer { MSALGlobalConfig.loggerConfig.logMaskingLevel = .settingsMaskAllPII }
        _ = try await scene.signUpCode()
        let first = try #require(log.lines(of: scene.id).first)
        #expect(first.text.hasSuffix("begins for \(Fjordshop.mira)"))
        #expect(first.containsPII)
    }

    /// Even with nothing masked, in a flow in which everything goes wrong once.
    @Test func secretsAreNeverShown() async throws {
        MSALGlobalConfig.loggerConfig.logMaskingLevel = .settingsMaskSecretsOnly
        defer { MSALGlobalConfig.loggerConfig.logMaskingLevel = .settingsMaskAllPII }
        let secrets = ["Pass.secret", "Code.secret", "CT1.secret", "CT2.secret", "AT1.secret", "RT1.secret"]
        let echo = AppScene.Line.no("invalid_grant", "invalid_oob_value", 50181, words: secrets.joined(separator: " "))
        let code: SignInCodeRequiredState = try #require(
            try await scene.hear([.ok(Said.token("CT1.secret")), .ok(Said.codeSent("CT2.secret"))]) {
                scene.app.signIn(parameters: scene.signIn(password: "Pass.secret"), delegate: $0)
            }.state as? SignInCodeRequiredState)
        let down = AppScene.Line.no("server_error", words: secrets.joined(separator: " "), status: 503)
        _ = try await scene.hear([echo]) { code.submitCode(code: "Code.secret", delegate: $0) }
        _ = try await scene.hear([down, down]) { code.submitCode(code: "Code.secret", delegate: $0) }
        let account = try #require(
            try await scene.hear([.tokens]) { code.submitCode(code: "Code.secret", delegate: $0) }.account)
        _ = try await scene.hear { account.getAccessToken(parameters: .init(), delegate: $0) }
        let lines = log.lines(of: scene.id)
        #expect(lines.count > 6)
        for secret in secrets { #expect(log.lines(with: secret).isEmpty, "\(secret) is in the log") }
    }

    @Test func onlyTheFirstCallbackCounts() {
        MSALGlobalConfig.loggerConfig.setLogCallback { _, text, _ in Issue.record("told: \(text ?? "")") }
        #expect(log.lines(with: "setLogCallback was called again").contains { $0.level == .warning })
    }
}
