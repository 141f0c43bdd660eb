// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TenantTesting
import Testing

@testable import Tenant

/// Faults between a client and the tenant, and new starts of it: afterwards everything is as if there had been none.
struct InProcessFaultTests {
    @Test("F10: a new start of the tenant between any two calls is not noticed", arguments: Script.all)
    func restarts(_ script: Script) throws {
        let tenant = try Prepared.tenant()
        var talk = tenant.talk(script)
        for index in script.calls.indices {
            try tenant.restart()
            try script.play(index, &talk, by: tenant.caller.delivery)
        }
        #expect(try tenant.findings() == [])
        #expect(try Effects(of: tenant.folder) == Prepared.effects(of: script))
    }

    @Test("Rule 22, F14: every request comes twice at the same time, and has one effect", arguments: Script.all)
    func doubleDelivery(_ script: Script) async throws {
        let tenant = try Prepared.tenant()
        try await OwnThread.run {
            Result {
                var talk = tenant.talk(script)
                try script.play(&talk) { path, body in
                    let answers = try twice { try tenant.caller.post(path, body) }
                    let places = Set(answers.map { "\($0.status) \($0.error ?? "")" })
                    // A new flow is opened by each; what continues one gets one answer.
                    #expect(places.count == 1, "\(script.name) \(path): \(places)")
                    return answers[Int.random(in: 0...1)]
                }
            }
        }.get()
        #expect(try tenant.findings() == [])
        #expect(try Effects(of: tenant.folder) == Prepared.effects(of: script))
    }

    @Test(
        "Rule 20: answers are lost again and again; the client finishes, nothing happens twice", arguments: Script.all)
    func lostAnswers(_ script: Script) throws {
        var random = SystemRandomNumberGenerator()
        let expected = try Prepared.effects(of: script)
        for _ in 0..<(isWhole ? 125 : 5) {
            let tenant = try Prepared.tenant()
            var talk = tenant.talk(script)
            try script.play(&talk) { path, body in
                for _ in 0..<Int.random(in: 0...3, using: &random) { _ = try tenant.caller.post(path, body) }
                return try tenant.caller.post(path, body)
            }
            #expect(try tenant.findings() == [])
            #expect(try Effects(of: tenant.folder) == expected)
        }
    }

    @Test("Rule 20: the same token with another request is refused")
    func otherRequest() throws {
        let tenant = try Prepared.tenant()
        let scene = Scene(tenant)
        let opened = try scene.start(People.new)
        #expect(try scene.signUpChallenge(opened.token).status == 200)
        let other = try tenant.caller.post(
            "/signup/v1.0/challenge", "client_id=\(Scene.passwordApp)&continuation_token=\(opened.token)&n=1")
        #expect(other.status == 400 && other.error == "invalid_grant")
        tenant.clock.advance(by: 61)
        #expect(try scene.signUpChallenge(opened.token).error == "invalid_grant", "the answer is kept for a minute")
    }
}

/// Runs a request on two threads at once.
private func twice(_ body: @escaping @Sendable () throws -> RawAnswer) throws -> [RawAnswer] {
    let answers = Mutex<[Result<RawAnswer, any Error>]>([])
    let done = DispatchGroup()
    for _ in 0..<2 {
        done.enter()
        OwnThread.start {
            let answer = Result { try body() }
            answers.withLock { $0.append(answer) }
            done.leave()
        }
    }
    done.wait()
    return try answers.withLock { $0 }.map { try $0.get() }
}
