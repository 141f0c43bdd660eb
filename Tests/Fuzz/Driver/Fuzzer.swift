// SPDX-License-Identifier: Apache-2.0

import FuzzProperties
import Glibc

/// What libFuzzer calls for each input; the target is the one that FUZZ_TARGET names.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try Chosen.check(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        fatalError(error.description)
    }
    return 0
}

private enum Chosen {
    /// libFuzzer's entry has no room for an argument.
    static let check: FuzzTarget.Check = {
        let name = getenv("FUZZ_TARGET").map { String(cString: $0) }
        guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
            fatalError("FUZZ_TARGET is one of: \(FuzzTarget.all.map(\.name).joined(separator: " "))")
        }
        do throws(Violation) { return try target.prepare() } catch { fatalError(error.description) }
    }()
}
