// SPDX-License-Identifier: Apache-2.0

import CMicroHTTPD
import Tenant

extension Request {
    /// A request that passed the guard.
    init(_ raw: na_httpd_request) {
        let target = String(cString: raw.target)
        self.init(
            method: String(cString: raw.method),
            path: target,
            query: raw.query.map { String(cString: $0) },
            headers: Self.headers(UnsafeBufferPointer(start: raw.fields, count: raw.field_count)),
            body: Array(UnsafeBufferPointer(start: raw.body, count: raw.body_length)),
            address: String(cString: raw.address)
        )
        if let absolute = AbsoluteTarget(target) {
            path = absolute.path
            headers["host"] = absolute.authority
        }
    }

    /// Fields of one name become one list (RFC 9110 5.3); cookies have a separator of their own (RFC 6265 4.2.1).
    private static func headers(_ fields: UnsafeBufferPointer<na_httpd_field>) -> [String: String] {
        var headers: [String: String] = [:]
        for field in fields {
            let name = text(field.name, field.name_length).lowercased()
            let value = text(field.value, field.value_length).droppingTrailingBlanks
            if let earlier = headers[name] {
                headers[name] = earlier + (name == "cookie" ? "; " : ", ") + value
            } else {
                headers[name] = value
            }
        }
        return headers
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ length: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
    }
}

extension String {
    /// Blanks behind a value are no part of it (RFC 9110 5.5).
    fileprivate var droppingTrailingBlanks: String {
        let blanks = utf8.reversed().prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return String(self[..<utf8.index(endIndex, offsetBy: -blanks.count)])
    }
}

/// A target with scheme and authority, as a client sends it to a proxy; a server accepts it too (RFC 9112 3.2.2).
private struct AbsoluteTarget {
    let authority: String
    let path: String

    init?(_ target: String) {
        let schemes = ["http://", "https://"]
        guard let scheme = schemes.first(where: { target.lowercased().hasPrefix($0) }) else { return nil }
        let rest = target.dropFirst(scheme.count)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        authority = String(rest[..<slash])
        path = slash == rest.endIndex ? "/" : String(rest[slash...])
    }
}
