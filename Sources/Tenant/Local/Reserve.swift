// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// Room on the disk that is kept for what must not fail: a file of zeros, which is given away when the disk is full so that
/// a session can still be ended.
package final class Reserve: Sendable {
    private enum State {
        /// The disk had no room to keep.
        case none
        case held
        case spent
    }

    private let path: String
    private let state: Mutex<State>

    private static let size: off_t = 8 * 1024 * 1024

    /// Takes the room, where there is some.
    package init(in folder: TenantFolder) {
        path = folder.path + "/reserve"
        state = Mutex(Self.take(path) ? .held : .none)
    }

    /// Whether anybody may write. After the room was given away that is when it could be taken again: the others would
    /// use it up otherwise.
    var leavesRoom: Bool {
        state.withLock { state in
            if case .spent = state, Self.take(path) { state = .held }
            return state != .spent
        }
    }

    /// Gives the room away; false where there is none.
    func spend() -> Bool {
        state.withLock { state in
            guard case .held = state, unlink(path) == 0 else { return false }
            state = .spent
            return true
        }
    }

    private static func take(_ path: String) -> Bool {
        let file = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        // A file with holes would be a promise of nothing.
        if posix_fallocate(file, 0, size) == 0 { return true }
        unlink(path)
        return false
    }
}
