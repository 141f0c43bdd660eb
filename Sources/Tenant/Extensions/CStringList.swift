// SPDX-License-Identifier: Apache-2.0

/// C strings that live as long as a call.
enum CStringList {
    static func with<R>(_ texts: [String], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> R) -> R {
        let bytes = texts.map { Array($0.utf8CString) }
        let starts = bytes.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }.dropLast()
        return bytes.flatMap { $0 }.withUnsafeBufferPointer { all in
            starts.map { start in all.baseAddress.map { $0 + start } }.withUnsafeBufferPointer(body)
        }
    }
}
