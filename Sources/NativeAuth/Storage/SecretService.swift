// SPDX-License-Identifier: Apache-2.0

import CSecretService
import FoundationEssentials
import Glibc

/// The Secret Service on a D-Bus session bus.
struct SecretService: KeyringItems {
    let keyring = Keyring.secretService
    /// The bus's address; nil where there is none.
    let bus: String?
    /// How long a call may take: a service that waits for its person, or hangs, is not waited for.
    var patience: Duration = .seconds(5)

    init(bus: String?) {
        self.bus = bus
    }

    /// The bus that the environment names, or the one that systemd has for each user. None is started: secrets that are in
    /// a service of this program's own are found by nobody.
    init(environment: [String: String]) {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty {
            bus = address.hasPrefix("autolaunch:") ? nil : address
        } else if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/"), access(folder + "/bus", F_OK) == 0
        {
            bus = "unix:path=\(folder)/bus"
        } else {
            bus = nil
        }
    }

    func check() throws(KeyringProblem) {
        _ = try call { na_secrets_check(&$0) }
    }

    func read(_ name: String) throws(KeyringProblem) -> Data? {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        let status = try call { na_secrets_read(&$0, name, &bytes, &count) }
        defer { na_secrets_free(bytes, count) }
        guard status == NA_SECRETS_DONE, let bytes else { return nil }
        return Data(bytes: bytes, count: count)
    }

    func write(_ data: Data, as name: String) throws(KeyringProblem) {
        let bytes = [UInt8](data)
        _ = try call { na_secrets_write(&$0, name, "nativeauth: \(name)", bytes, bytes.count) }
    }

    func remove(_ name: String) throws(KeyringProblem) {
        _ = try call { na_secrets_remove(&$0, name) }
    }

    private func call(_ body: (inout na_secrets) -> na_secrets_status) throws(KeyringProblem) -> na_secrets_status {
        guard let bus else { throw .noSession }
        let (status, message) = bus.withCString { address in
            var secrets = na_secrets()
            secrets.bus = address
            secrets.timeout_ms = Int(patience / .milliseconds(1))
            let status = body(&secrets)
            return (
                status, withUnsafeBytes(of: secrets.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            )
        }
        switch status {
        case NA_SECRETS_DONE, NA_SECRETS_NONE: return status
        case NA_SECRETS_NO_LIBRARY: throw .unsupported(message)
        case NA_SECRETS_NO_BUS: throw .noSession
        case NA_SECRETS_NO_SERVICE: throw .noService(message)
        case NA_SECRETS_NO_COLLECTION: throw .noCollection
        case NA_SECRETS_LOCKED: throw .locked
        case NA_SECRETS_TIMED_OUT: throw .timedOut
        default: throw .failed(message)
        }
    }
}
