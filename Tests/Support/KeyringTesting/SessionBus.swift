// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TerminalTesting

/// A D-Bus session of its own, with a real keyring daemon or something else in its place; all of it ends with the test.
package final class SessionBus: Sendable {
    /// Who keeps the secrets of a session.
    package enum Keeper: Sendable {
        /// GNOME Keyring with an unlocked keyring.
        case unlocked
        /// GNOME Keyring of a person who never made a keyring.
        case empty
        /// A program that never comes to answer.
        case stuck
        case nobody
    }

    private let folder: String
    private let process: pid_t

    package var address: String { "unix:path=\(folder)/bus" }

    package init(_ keeper: Keeper = .unlocked) throws {
        var template = Array("/tmp/nativeauth-bus-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SessionBusError(what: "no temporary folder: errno \(errno)") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do {
            try Self.prepare(folder, keeper)
            let daemon = Run(
                "/usr/bin/dbus-daemon", ["--config-file=\(folder)/bus.conf", "--fork", "--print-pid"],
                environment: ["HOME": folder, "PATH": "/usr/bin:/bin"])
            let outcome = try daemon.wait()
            let number = pid_t(outcome.output.trimmingCharacters(in: .whitespacesAndNewlines))
            guard outcome.ending == .exit(0), let number else { throw SessionBusError(what: "no bus: \(outcome)") }
            process = number
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    deinit {
        // Killed, and the keeper first: each would change the folder while it is being removed.
        let text = try? String(contentsOf: URL(filePath: folder + "/pid"), encoding: .utf8)
        if let keeper = text.flatMap({ pid_t($0.trimmingCharacters(in: .newlines)) }) { kill(keeper, SIGKILL) }
        kill(process, SIGKILL)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Locks the keyring, as a desktop does it after a while.
    package func lock() throws {
        let run = Run(
            "/usr/bin/dbus-send",
            [
                "--bus=\(address)", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets",
                "org.freedesktop.Secret.Service.Lock", "array:objpath:/org/freedesktop/secrets/collection/login",
            ], environment: [:])
        let outcome = try run.wait()
        guard outcome.ending == .exit(0) else { throw SessionBusError(what: "not locked: \(outcome)") }
    }

    /// The bus starts the keeper when it is first asked for, and makes who asks wait until it is there.
    private static func prepare(_ folder: String, _ keeper: Keeper) throws {
        try FileManager.default.createDirectory(atPath: folder + "/services", withIntermediateDirectories: true)
        try write(folder + "/bus.conf", configuration(folder))
        guard let script = script(keeper, folder) else { return }
        try write(folder + "/keeper", "#!/bin/sh\necho $$ >\(folder)/pid\n" + script)
        chmod(folder + "/keeper", 0o700)
        try write(
            folder + "/services/org.freedesktop.secrets.service",
            "[D-BUS Service]\nName=org.freedesktop.secrets\nExec=\(folder)/keeper\n")
    }

    private static func script(_ keeper: Keeper, _ folder: String) -> String? {
        let daemon = "gnome-keyring-daemon --foreground --components=secrets --control-directory=\(folder)/control"
        return switch keeper {
        case .unlocked: "printf 'of a test' >\(folder)/password; exec \(daemon) --unlock <\(folder)/password\n"
        case .empty: "exec \(daemon)\n"
        case .stuck: "mkfifo \(folder)/fifo; exec cat \(folder)/fifo\n"
        case .nobody: nil
        }
    }

    private static func configuration(_ folder: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:path=\(folder)/bus</listen>
          <servicedir>\(folder)/services</servicedir>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow send_destination="*" eavesdrop="false"/>
            <allow receive_sender="*"/>
            <allow own="*"/>
          </policy>
        </busconfig>

        """
    }

    private static func write(_ path: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }
}

struct SessionBusError: Error {
    let what: String
}
