// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

@Suite("What a guess at a password costs", .inTurns)
struct CalibrateTests {
    private struct Found: Decodable {
        struct Row: Decodable {
            let hash_memory: Int
            let hash_passes: Int
            let milliseconds: Double
        }

        let schema: Int
        let current: Row
        let measured: [Row]
    }

    @Test("Rule 43: it is measured, and the tenant's own is among it")
    func measured() async throws {
        let home = try Home()
        try await home.succeed("tenant", "config", "set", "hash_memory", "20480")
        let text = try await home.succeed("tenant", "calibrate", "--json")
        let found = try JSONDecoder().decode(Found.self, from: Data(text.utf8))
        #expect(found.schema == 1)
        #expect(found.current.hash_memory == 20480 && found.current.hash_passes == 2)
        #expect(found.measured.count == 7)
        #expect(found.measured.allSatisfy { $0.milliseconds > 0 && $0.hash_memory >= 19456 && $0.hash_passes >= 2 })
        let table = try await home.succeed("tenant", "calibrate")
        #expect(table.contains("20480 KiB\t2 passes\t") && table.contains("the tenant's\n"))
    }

    @Test("a profile is set, told and listed")
    func profile() async throws {
        let home = try Home()
        #expect(try await home.succeed("tenant", "config", "get", "profile") == "entra\n")
        try await home.succeed("tenant", "config", "set", "lock_threshold", "7")
        try await home.succeed("tenant", "config", "set", "profile", "strict")
        #expect(try await home.succeed("tenant", "config", "get", "profile") == "strict\n")
        let list = try await home.succeed("tenant", "config", "list").split(separator: "\n")
        for line in ["profile\tstrict", "lock_threshold\t7", "lock_duration\t1", "password_minimum\t15"] {
            #expect(list.contains(Substring(line)), "\(line)")
        }
    }
}
