// SPDX-License-Identifier: Apache-2.0

import CMicroHTTPD
import Glibc

/// Why a server cannot listen.
enum HTTPServerError: Error, Equatable {
    /// The text is not `HOST:PORT` with a literal address or `localhost`.
    case malformedEndpoint(String)
    /// Another program listens there.
    case addressInUse(HTTPServer.Endpoint)
    /// This machine does not have the address.
    case addressNotAvailable(HTTPServer.Endpoint)
    /// The port is reserved for the system administrator.
    case permissionDenied(HTTPServer.Endpoint)
    /// The TLS library takes neither the certificate nor its key.
    case certificateRefused
    /// The HTTP library was built without TLS.
    case noTLS
    /// The system refuses for another reason, a value of `errno`.
    case system(HTTPServer.Endpoint, errno: Int32)

    /// What an error number of the system means for a server that starts.
    init(_ code: Int32, at endpoint: HTTPServer.Endpoint) {
        self =
            switch code {
            case NA_HTTPD_CERTIFICATE: .certificateRefused
            case ENOTSUP: .noTLS
            case EADDRINUSE: .addressInUse(endpoint)
            case EADDRNOTAVAIL: .addressNotAvailable(endpoint)
            case EACCES, EPERM: .permissionDenied(endpoint)
            default: .system(endpoint, errno: code)
            }
    }
}

extension HTTPServerError: CustomStringConvertible {
    /// One sentence for the person who starts the server.
    var description: String {
        switch self {
        case .malformedEndpoint(let text):
            "\"\(text)\" is no address to listen on; write it like 127.0.0.1:8400, [::1]:8400 or localhost:8400."
        case .addressInUse(let endpoint):
            "Another program listens on \(endpoint)."
        case .addressNotAvailable(let endpoint):
            "This machine does not have the address \(endpoint.host)."
        case .permissionDenied(let endpoint):
            "Listening on port \(endpoint.port) is not permitted."
        case .certificateRefused:
            "The TLS library does not take the certificate with its key."
        case .noTLS:
            "The libmicrohttpd of this machine was built without TLS."
        case .system(let endpoint, let code):
            "Listening on \(endpoint) failed: \(String(cString: strerror(code)))."
        }
    }
}
