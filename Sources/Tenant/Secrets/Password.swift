// SPDX-License-Identifier: Apache-2.0

import CUnicode

/// A password as it is compared: in Unicode's normalisation form KC, once, where it is set and where it is checked, since
/// keyboards differ in how they write the same character (NIST SP 800-63B, section 3.1.1.2). Nothing else is changed: no
/// case, no blank, no length. For a password in ASCII the form is the password itself.
package struct Password: Sendable, Equatable {
    let text: String
    /// Whether it was typed in ASCII; a character beyond it may have a form in ASCII.
    let isASCII: Bool

    package init(_ typed: String) {
        isASCII = typed.utf8.allSatisfy { $0 < 0x80 }
        text = isASCII ? typed : Self.normalised(typed)
    }

    private static func normalised(_ typed: String) -> String {
        var length = 0
        let bytes = Array(typed.utf8)
        guard let result = na_unicode_nfkc(bytes, bytes.count, &length) else { return typed }
        defer { na_unicode_free(result, length) }
        return String(decoding: UnsafeBufferPointer(start: result, count: length), as: UTF8.self)
    }
}
