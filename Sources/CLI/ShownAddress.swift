// SPDX-License-Identifier: Apache-2.0

import Console

extension String {
    /// This address without what stands before the host: `https://…@example.com`. People put passwords there (RFC 3986,
    /// section 3.2.1), and a malformed one may hold any character, so all up to the last `@` goes.
    var withoutUserInfo: String {
        guard let at = lastIndex(of: "@") else { return self }
        let start = firstRange(of: "//").flatMap { $0.upperBound <= at ? $0.upperBound : nil } ?? startIndex
        return "\(self[..<start])…\(self[at...])"
    }

    /// This address as a message repeats it.
    var shownAddress: String { withoutUserInfo.printable }
}
