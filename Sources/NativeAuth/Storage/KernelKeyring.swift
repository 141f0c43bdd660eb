// SPDX-License-Identifier: Apache-2.0

import CKeyring
import FoundationEssentials
import Glibc

/// The kernel's keyring of this user.
struct KernelKeyring: KeyringItems {
    let keyring = Keyring.kernel

    func check() throws(KeyringProblem) {
        _ = try read("")
    }

    func read(_ name: String) throws(KeyringProblem) -> Data? {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        let code = na_keyring_read(Self.description(name), &bytes, &count)
        defer { na_keyring_free(bytes, count) }
        if code == ENOKEY { return nil }
        guard code == 0, let bytes else { throw KeyringProblem(errno: code, size: 0) }
        return Data(bytes: bytes, count: count)
    }

    func write(_ data: Data, as name: String) throws(KeyringProblem) {
        let bytes = [UInt8](data)
        let code = na_keyring_write(Self.description(name), bytes, bytes.count)
        guard code == 0 else { throw KeyringProblem(errno: code, size: bytes.count) }
    }

    func remove(_ name: String) throws(KeyringProblem) {
        let code = na_keyring_remove(Self.description(name))
        guard code == 0 || code == ENOKEY else { throw KeyringProblem(errno: code, size: 0) }
    }

    private static func description(_ name: String) -> String { "nativeauth:\(name)" }
}

extension KeyringProblem {
    fileprivate init(errno code: Int32, size: Int) {
        switch code {
        case ENOSYS, EPERM, EOPNOTSUPP: self = .unsupported(String(cString: strerror(code)))
        case EMSGSIZE: self = .tooLarge(size)
        case EDQUOT: self = .full
        default: self = .failed(String(cString: strerror(code)))
        }
    }
}
