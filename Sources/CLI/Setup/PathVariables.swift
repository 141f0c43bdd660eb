// SPDX-License-Identifier: Apache-2.0

import Console

/// The variables that say where files are.
enum PathVariables {
    /// Refuses values that are no UTF-8 text. Repaired, they would lead to other folders than they name.
    static func check(_ environment: [String: String]) throws(CommandFailure) {
        let own = environment.keys.filter { $0.hasPrefix("NATIVEAUTH_") }.sorted()
        guard let name = ProcessEnvironment.firstUnreadable(of: own + places(environment)) else { return }
        throw CommandFailure(
            .configuration, "\(name.printable) is not UTF-8 text.", hint: "Set it to a name in UTF-8, or take it away.")
    }

    /// Those that are used, given the others.
    private static func places(_ environment: [String: String]) -> [String] {
        func isPath(_ name: String) -> Bool { environment[name]?.hasPrefix("/") == true }
        let hasConfiguration = environment["NATIVEAUTH_CONFIG_DIR"]?.isEmpty == false
        var names = ["XDG_DATA_HOME", "XDG_STATE_HOME"] + (hasConfiguration ? [] : ["XDG_CONFIG_HOME"])
        if !names.allSatisfy(isPath) { names.append("HOME") }
        return names
    }
}
