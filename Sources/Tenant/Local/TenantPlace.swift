// SPDX-License-Identifier: Apache-2.0

/// Where the tenants of this user are kept: `$NATIVEAUTH_DATA_DIR/tenants`, or `nativeauth/tenants` in `$XDG_DATA_HOME` or
/// `~/.local/share`.
package struct TenantPlace: Sendable {
    package let path: String

    /// The variable that comes before those of the XDG specification.
    package static let variable = "NATIVEAUTH_DATA_DIR"

    /// Nil where no variable says where to. The XDG specification has relative paths ignored.
    package init?(environment: [String: String]) {
        if let own = environment[Self.variable], !own.isEmpty {
            path = own + "/tenants"
        } else if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
            path = data + "/nativeauth/tenants"
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            path = home + "/.local/share/nativeauth/tenants"
        } else {
            return nil
        }
    }

    /// The folder of a tenant; nil for a name that could lead elsewhere.
    package func folder(named name: String) -> TenantFolder? {
        let isName = name.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
            default: false
            }
        }
        guard isName, (1...64).contains(name.utf8.count) else { return nil }
        return TenantFolder(path: path + "/" + name)
    }
}

/// What a tenant is unless its owner says otherwise.
package enum TenantDefaults {
    package static let name = "local"
    package static let origin = "http://127.0.0.1:8400"
}
