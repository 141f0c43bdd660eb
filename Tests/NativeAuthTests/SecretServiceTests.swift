// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KeyringTesting
import Testing

@testable import NativeAuth

/// What a desktop session may lack: none of it is waited for, and nobody is asked.
struct SecretServiceTests {
    private func problem(_ body: () throws(KeyringProblem) -> Void) -> KeyringProblem? {
        do throws(KeyringProblem) { try body() } catch { return error }
        return nil
    }

    @Test func sessionWithoutABusIsNone() {
        let none = SecretService(environment: ["XDG_RUNTIME_DIR": "/nonexistent", "DBUS_SESSION_BUS_ADDRESS": ""])
        #expect(none.bus == nil)
        #expect(problem { () throws(KeyringProblem) in try none.check() } == .noSession)
        #expect(SecretService(environment: ["DBUS_SESSION_BUS_ADDRESS": "autolaunch:"]).bus == nil)
        let gone = SecretService(environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"])
        #expect(problem { () throws(KeyringProblem) in _ = try gone.read("x") } == .noSession)
    }

    @Test func busOfTheRuntimeFolderIsFound() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "bus")
        #expect(SecretService(environment: ["XDG_RUNTIME_DIR": folder.path]).bus == "unix:path=\(folder.path)/bus")
    }

    @Test func sessionWithoutAServiceIsTold() throws {
        let bus = try SessionBus(.nobody)
        let service = SecretService(bus: bus.address)
        guard case .noService(let why)? = problem({ () throws(KeyringProblem) in try service.check() }) else {
            Issue.record("a service")
            return
        }
        #expect(!why.isEmpty)
    }

    @Test func serviceWithoutACollectionIsTold() throws {
        let bus = try SessionBus(.empty)
        let service = SecretService(bus: bus.address)
        #expect(problem { () throws(KeyringProblem) in try service.check() } == .noCollection)
        #expect(problem { () throws(KeyringProblem) in try service.write(Data("x".utf8), as: "x") } == .noCollection)
        #expect(try service.read("x") == nil)
    }

    /// Also an item that is there cannot be read then; a new one of the same name is not made.
    @Test func lockedCollectionIsTold() throws {
        let bus = try SessionBus()
        let service = SecretService(bus: bus.address)
        try service.write(Data("x".utf8), as: "x")
        try bus.lock()
        #expect(problem { () throws(KeyringProblem) in try service.check() } == .locked)
        #expect(problem { () throws(KeyringProblem) in _ = try service.read("x") } == .locked)
        #expect(problem { () throws(KeyringProblem) in try service.write(Data("y".utf8), as: "x") } == .locked)
        #expect(try service.read("another") == nil)
    }

    @Test(.timeLimit(.minutes(10))) func serviceThatIsStuckIsNotWaitedFor() throws {
        let bus = try SessionBus(.stuck)
        var service = SecretService(bus: bus.address)
        service.patience = .milliseconds(300)
        #expect(problem { () throws(KeyringProblem) in _ = try service.read("x") } == .timedOut)
    }

    /// A peer that takes the connection and says nothing.
    @Test(.timeLimit(.minutes(10))) func busThatIsStuckIsNotWaitedFor() throws {
        let peer = try ListeningSocket { $0.waitForEnd() }
        var service = SecretService(bus: "tcp:host=127.0.0.1,port=\(peer.port)")
        service.patience = .milliseconds(300)
        #expect(problem { () throws(KeyringProblem) in _ = try service.read("x") } == .timedOut)
    }

    @Test func itemsAreSeenByTheirNames() throws {
        let bus = try SessionBus()
        let service = SecretService(bus: bus.address)
        try service.write(Data("1".utf8), as: "one")
        try service.write(Data("2".utf8), as: "two")
        try service.write(Data(), as: "one")
        #expect(try service.read("one") == Data())
        try service.remove("one")
        try service.remove("one")
        #expect(try service.read("one") == nil)
        #expect(try service.read("two") == Data("2".utf8))
    }
}
