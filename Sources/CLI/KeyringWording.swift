// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// Sentences about keyrings.
extension CommandFailure {
    /// A keyring that fails is never replaced by a file: the person decides.
    init(_ keyring: Keyring, _ problem: KeyringProblem) {
        let sentence = problem.sentence(keyring)
        self.init(problem.status, sentence.message, hint: sentence.hint)
    }

    /// Signing in again is all that helps, so this is no damage but a session that has ended.
    init(keyMissing keyring: Keyring, _ path: String) {
        let reason =
            switch keyring {
            case .kernel: "The kernel's keyring is emptied when the machine restarts."
            case .secretService: "It was deleted from the Secret Service, or belongs to another user's."
            }
        self.init(
            .signInNeeded, "The key of \(path.printable) is gone, and the tokens with it. \(reason)",
            hint: "Sign in again: 'nativeauth signin'.")
    }
}

extension Keyring {
    var words: String {
        switch self {
        case .kernel: "the kernel's keyring"
        case .secretService: "the Secret Service"
        }
    }
}

extension KeyringProblem {
    /// What an administrator has to change is a matter of configuration; what a person can change by unlocking or starting
    /// something is not available now.
    fileprivate var status: ExitStatus {
        switch self {
        case .unsupported, .noSession: .configuration
        case .noService, .noCollection, .locked, .timedOut: .unavailable
        case .tooLarge, .full, .failed: .outputFailed
        }
    }

    fileprivate func sentence(_ keyring: Keyring) -> (message: String, hint: String) {
        let other = "Or choose another storage: 'nativeauth help storage'."
        switch self {
        case .unsupported(let why):
            let hint =
                keyring == .kernel
                ? "Containers often keep programs from it. \(other)" : "Install libsecret-1-0. \(other)"
            return ("\(keyring.words.capitalizedFirst) cannot be used here: \(why.printable).", hint)
        case .noSession:
            return (
                "There is no D-Bus session, which is the way to the Secret Service.",
                "Use a desktop session, or 'dbus-run-session'. \(other)"
            )
        case .noService(let why):
            return (
                "Nobody in this D-Bus session keeps secrets: \(why.printable)",
                "Start GNOME Keyring, KWallet or KeePassXC. \(other)"
            )
        case .noCollection:
            return (
                "The Secret Service has no default keyring yet to put tokens in.",
                "Make one in its own program, such as 'seahorse'. \(other)"
            )
        case .locked:
            return ("The keyring of the Secret Service is locked.", "Unlock it, by signing in to the desktop. \(other)")
        case .timedOut:
            return (
                "The Secret Service did not answer within 5 seconds.",
                "Look for a window that it has opened, and try again. \(other)"
            )
        case .tooLarge(let size):
            return (
                "\(keyring.words.capitalizedFirst) takes no item of \(size) bytes.",
                "Keep the tokens in an encrypted file, whose key it has: NATIVEAUTH_STORAGE=encrypted-file+kernel-keyring."
            )
        case .full:
            return (
                "Your share of the kernel's keyring is used up.",
                "'keyctl list @u' shows what is in it. An encrypted file needs only a key there: NATIVEAUTH_STORAGE=encrypted-file+kernel-keyring."
            )
        case .failed(let why):
            return ("\(keyring.words.capitalizedFirst) failed: \(why.printable).", other)
        }
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
