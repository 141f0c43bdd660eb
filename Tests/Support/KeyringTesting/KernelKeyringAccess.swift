// SPDX-License-Identifier: Apache-2.0

internal import TerminalTesting

/// Whether tests may use the kernel's keyring: containers mostly keep programs from it. `keyctl(1)` tells, so that a fault of
/// this package's own calls is not taken for that.
package enum KernelKeyringAccess {
    package static let isAllowed: Bool = {
        let run = Run("/usr/bin/keyctl", ["list", "@u"], environment: [:])
        return (try? run.wait())?.ending == .exit(0)
    }()
}
