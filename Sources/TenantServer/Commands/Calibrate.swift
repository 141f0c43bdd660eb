// SPDX-License-Identifier: Apache-2.0

import Console
import Tenant

/// Measures what a guess at a password costs on this machine.
struct Calibrate: TenantCommand {
    var tenant = TenantDefaults.name
    var json = false

    static let name = "calibrate"
    static let summary = "Measure how long passwords take to hash here"

    static var parameters: [Parameter<Calibrate>] {
        [.flag("--json", to: \.json, help: "Print a JSON object."), .tenant(to: \.tenant)]
    }

    static var examples: [Example] {
        [
            Example("nativeauth tenant calibrate"),
            Example("nativeauth tenant config set hash_memory 65536", "Ask more of a guess, from the next sign-in on."),
        ]
    }

    func run(_ context: TenantContext) throws {
        let current = try context.perform(ReadSettings(), on: tenant).hashCost
        let costs = Calibration.candidates.contains(current) ? [] : [current]
        let measured = try (costs + Calibration.candidates).compactMap { try Calibration.measure($0) }
        guard let own = measured.first(where: { $0.cost == current }) else {
            throw CommandFailure(
                .failed, "There is no memory for \(current.memory) KiB, which the tenant's hashes need.",
                hint: "Lower it: nativeauth tenant config set hash_memory \(PasswordCost.least.memory)")
        }
        let recommended = Calibration.recommended(of: measured)
        if json {
            return try context.print(json: CalibrationObject(measured, current: own, recommended: recommended))
        }
        for row in measured {
            let mark = row.cost == current ? "  the tenant's" : row.cost == recommended?.cost ? "  recommended" : ""
            try context.output.line(
                "\(row.cost.memory) KiB\t\(row.cost.passes) passes\t\(row.milliseconds.inTenths) ms\(mark)")
        }
        if let warning = own.warning { try context.errors.line(warning) }
    }
}

extension Calibration {
    /// What is wrong with a cost; nil if nothing is.
    fileprivate var warning: String? {
        if milliseconds < Self.sensible.lowerBound {
            "The tenant's passwords take less than 10 ms to guess here. Set hash_memory or hash_passes higher."
        } else if milliseconds > Self.sensible.upperBound {
            "The tenant's passwords take more than a second to check here. Set hash_memory or hash_passes lower."
        } else {
            nil
        }
    }
}

extension Double {
    fileprivate var inTenths: Double { (self * 10).rounded() / 10 }
}

/// What `--json` prints.
private struct CalibrationObject: Encodable {
    struct Row: Encodable {
        let hashMemory: Int
        let hashPasses: Int
        let milliseconds: Double

        init(_ measured: Calibration) {
            hashMemory = measured.cost.memory
            hashPasses = measured.cost.passes
            milliseconds = measured.milliseconds.inTenths
        }

        enum CodingKeys: String, CodingKey {
            case hashMemory = "hash_memory"
            case hashPasses = "hash_passes"
            case milliseconds
        }
    }

    let schema = 1
    let current: Row
    let recommended: Row?
    let measured: [Row]

    init(_ measured: [Calibration], current: Calibration, recommended: Calibration?) {
        self.current = Row(current)
        self.recommended = recommended.map(Row.init)
        self.measured = measured.map(Row.init)
    }
}
