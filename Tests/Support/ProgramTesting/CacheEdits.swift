// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Testing

extension Home {
    /// Changes the token cache as a JSON object.
    package func changeCache(_ body: (inout [String: Any]) throws -> Void) throws {
        var root = try object(try #require(read(cache)))
        try body(&root)
        let data = try JSONSerialization.data(withJSONObject: root)
        try write(".config/nativeauth/accounts/local.json", String(decoding: data, as: UTF8.self))
    }

    /// Lets the access token end so many seconds from now.
    package func expireAccessToken(in seconds: Int) throws {
        let end = String(Int(Date().timeIntervalSince1970) + seconds)
        try changeCache { root in
            root["AccessToken"] = root.object("AccessToken").mapValues { entry in
                (entry as? [String: Any] ?? [:]).merging(["expires_on": end]) { $1 }
            }
        }
    }
}
