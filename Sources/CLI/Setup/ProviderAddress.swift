// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// Who signs people in: a tenant, or another OpenID provider.
enum ProviderAddress: Equatable {
    case tenant(String)
    case issuer(String)

    /// What the flags say; else the environment; else the file.
    static func chosen(
        _ choice: ProfileChoice, _ environment: [String: String], _ stored: StoredProfile?
    ) throws(CommandFailure) -> ProviderAddress? {
        func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let flag = try one(choice.authority, "--authority", choice.issuer, "--issuer") { return flag }
        let (authority, issuer) = ("NATIVEAUTH_AUTHORITY", "NATIVEAUTH_ISSUER")
        if let set = try one(variable(authority), authority, variable(issuer), issuer) { return set }
        return try one(stored?.authority, "authority", stored?.issuer, "issuer")
    }

    /// One of the two that are said in the same place, if any.
    private static func one(
        _ tenant: String?, _ tenantName: String, _ issuer: String?, _ issuerName: String
    ) throws(CommandFailure) -> ProviderAddress? {
        guard tenant == nil || issuer == nil else {
            throw CommandFailure(
                tenantName.hasPrefix("-") ? .usage : .configuration,
                "Of \(tenantName) and \(issuerName) only one can be meant.")
        }
        return tenant.map { .tenant($0) } ?? issuer.map { .issuer($0) }
    }

    var authority: Authority {
        get throws(CommandFailure) {
            do throws(Authority.Invalid) {
                switch self {
                case .tenant(let address): return try Authority(address)
                case .issuer(let name): return try Authority(issuer: name)
                }
            } catch {
                throw CommandFailure(.configuration, error.sentence)
            }
        }
    }
}
