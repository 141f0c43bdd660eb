// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Values in columns of the database.
enum StoredJSON {
    static func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    static func value<T: Decodable>(_ type: T.Type, _ text: String?) throws -> T {
        try JSONDecoder().decode(type, from: Data((text ?? "").utf8))
    }
}
