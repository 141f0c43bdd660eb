// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Calls from scripts of other origins (Fetch standard, "CORS protocol"). Nobody's are taken unless the owner lists the
/// origin; credentials of the browser's never count here, so no answer allows them.
extension IdentityProvider {
    /// What clients of this protocol send, and Microsoft's libraries besides.
    private static let requestHeaders = [
        "authorization", "content-type", "client-request-id", "return-client-request-id", "x-client-sku",
        "x-client-ver",
        "x-client-os", "x-client-cpu", "x-client-current-telemetry", "x-client-last-telemetry", "x-ms-lib-capability",
        "x-app-name", "x-app-ver",
    ]
    private static let answerHeaders = ["client-request-id", "retry-after", "www-authenticate", "x-ms-request-id"]

    /// The request's origin, if it is on the owner's list, character by character.
    private func listedOrigin(_ exchange: Exchange) -> String? {
        guard let origin = exchange.request.headers["origin"], settings.corsOrigins.contains(origin) else { return nil }
        return origin
    }

    /// The answer to a browser that asks first; nil for any other request.
    func preflight(_ exchange: Exchange) -> Answer? {
        guard exchange.request.method == "OPTIONS", listedOrigin(exchange) != nil, endpoint(exchange) != "other",
            exchange.request.headers["access-control-request-method"] != nil
        else { return nil }
        return Answer(
            status: 204,
            headers: [
                "access-control-allow-methods": "GET, POST", "access-control-max-age": "600",
                "cache-control": "no-store",
                "access-control-allow-headers": Self.requestHeaders.joined(separator: ", "),
                "client-request-id": exchange.correlationID, "x-ms-request-id": exchange.traceID,
            ])
    }

    /// The answer with what lets a listed origin read it. What caches keep depends on the origin then.
    func shared(_ answer: Answer, _ exchange: Exchange) -> Answer {
        guard !settings.corsOrigins.isEmpty, answer.headers["access-control-allow-origin"] == nil else { return answer }
        var answer = answer
        answer.headers["vary"] = "Origin"
        guard let origin = listedOrigin(exchange) else { return answer }
        answer.headers["access-control-allow-origin"] = origin
        answer.headers["access-control-expose-headers"] = Self.answerHeaders.joined(separator: ", ")
        return answer
    }
}

extension Settings {
    /// Whether a text is an origin as browsers write it (RFC 6454, section 6.2): scheme, host in lower case, and a port
    /// that is not the scheme's own. Plain http is for this machine alone.
    package static func canBe(origin text: String) -> Bool {
        guard !text.contains("*"), let target = CalloutTarget(text), let parts = URLComponents(string: text),
            let scheme = parts.scheme
        else {
            return false
        }
        let isDefault = parts.port == (scheme == "https" ? 443 : 80)
        return parts.path.isEmpty && parts.query == nil && !isDefault
            && text == "\(scheme)://" + (target.host.contains(":") ? "[\(target.host)]" : target.host)
                + (parts.port.map { ":\($0)" } ?? "")
    }
}
