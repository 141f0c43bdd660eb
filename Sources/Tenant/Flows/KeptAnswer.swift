// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// An answer that can be fetched again for a while; it is sealed where it is kept, since it may hold tokens.
struct KeptAnswer: Codable {
    let status: Int
    let body: Data

    init(_ answer: Answer) {
        status = answer.status
        body = Data(answer.body)
    }

    /// Nil for what this vault has not sealed.
    init?(sealed: [UInt8], _ vault: Vault) {
        guard let bytes = vault.open(sealed), let kept = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else {
            return nil
        }
        self = kept
    }

    func sealed(_ vault: Vault) throws -> [UInt8] {
        vault.seal(Array(try JSONEncoder().encode(self)))
    }
}
