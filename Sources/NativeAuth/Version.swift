// SPDX-License-Identifier: Apache-2.0

/// The version of the package.
public enum Version {
    /// `MAJOR.MINOR.PATCH`.
    public static let current = "0.1.0"
}
