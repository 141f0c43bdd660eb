// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// An answer that can be fetched again for a while; it is sealed where it is kept, since it may hold tokens.
enum KeptAnswer {
    case complete(status: Int, body: Data)
    /// Without the signatures, which will be the same.
    case unsigned(Tokens)

    /// What the stored bytes begin with. An older program kept JSON, which begins otherwise.
    private enum Form: UInt8 {
        case complete = 1
        case unsigned = 2
    }

    init(_ answer: SettledAnswer) {
        switch answer {
        case .complete(let answer): self = .complete(status: answer.status, body: Data(answer.body))
        case .unsigned(let tokens): self = .unsigned(tokens)
        }
    }

    /// Nil for what this vault has not sealed.
    init?(sealed: [UInt8], _ vault: Vault) {
        guard let bytes = vault.open(sealed), let first = bytes.first else { return nil }
        switch Form(rawValue: first) {
        case .complete:
            guard bytes.count >= 3 else { return nil }
            self = .complete(status: Int(bytes[1]) << 8 | Int(bytes[2]), body: Data(bytes[3...]))
        case .unsigned:
            guard let tokens = try? WireJSON.decode(Tokens.self, from: Data(bytes[1...])) else { return nil }
            self = .unsigned(tokens)
        case nil:
            guard let kept = try? JSONDecoder().decode(Earlier.self, from: Data(bytes)) else { return nil }
            self = .complete(status: kept.status, body: kept.body)
        }
    }

    func sealed(_ vault: Vault) throws -> [UInt8] {
        switch self {
        case .complete(let status, let body):
            let digits = UInt16(truncatingIfNeeded: status)
            return vault.seal([Form.complete.rawValue, UInt8(digits >> 8), UInt8(digits & 0xFF)] + body)
        case .unsigned(let tokens):
            return vault.seal([Form.unsigned.rawValue] + (try WireJSON.encode(tokens)))
        }
    }

    /// As it goes out again.
    func settled(_ exchange: Exchange) -> SettledAnswer {
        switch self {
        case .complete(let status, let body): .complete(exchange.respond(status, body))
        case .unsigned(let tokens): .unsigned(tokens)
        }
    }

    private struct Earlier: Codable {
        let status: Int
        let body: Data
    }
}
