// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import Glibc
import NativeAuth
import Synchronization
import Tenant

/// Carries requests to the tenant on this machine: into this process while nobody else has its database open, and over
/// HTTP to the process that serves it.
final class LocalTransport: Transport {
    /// A way over the network, which trusts the certificate in a file, if one is named, and nothing else.
    typealias Network = @Sendable (_ certificate: String?) -> any Transport

    private let access: TenantAccess
    private let network: Network
    /// The way to where the tenant is served, once that is known; looked up again when nobody answers there any more.
    private let served = Mutex<Served?>(nil)

    private struct Served {
        let origin: String
        let certificate: String?
        let transport: any Transport
    }

    init(access: TenantAccess, network: @escaping Network) {
        self.access = access
        self.network = network
    }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let path = URLComponents(string: request.url)?.path ?? ""
        if let known = served.withLock({ $0 }) {
            do {
                return try await forward(request, path, to: known)
            } catch {
                // Whoever served it may be gone, or have another certificate now. Should the request have come through,
                // the tenant knows it again.
                guard [.noConnection, .connectionLost, .untrusted].contains(error.problem) else { throw error }
            }
        }
        switch await answer(request, path: path) {
        case .success(.done(let done)):
            // The answer is fixed; what it posted leaves now, while others may use the tenant.
            if done.hasSlowWays { await access.sendInTime() }
            return done.response
        case .success(.served(let place)):
            return try await forward(request, path, to: way(to: place))
        case .failure(let error):
            let failure = CommandFailure(tenant: error)
            throw TransportFailure(.unavailable, message: failure.message, code: Int(failure.status.rawValue))
        }
    }

    /// The way to a place. A certificate may be a new one in the same file, and libcurl remembers what was in a file, so
    /// only plain HTTP goes the way that it went before.
    private func way(to place: ServedPlace) -> Served {
        served.withLock { known in
            let former = place.certificate == nil && known?.certificate == nil ? known?.transport : nil
            let found = Served(
                origin: LocalTransport.origin(of: place.url), certificate: place.certificate,
                transport: former ?? network(place.certificate))
            known = found
            return found
        }
    }

    private func forward(
        _ request: HTTPRequest, _ path: String, to served: Served
    ) async throws(TransportFailure) -> HTTPResponse {
        var request = request
        request.url = served.origin + path
        return try await served.transport.send(request)
    }

    private struct Done: Sendable {
        let response: HTTPResponse
        let hasSlowWays: Bool
    }

    private func answer(_ request: HTTPRequest, path: String) async -> Result<TenantAccess.Result<Done>, any Error> {
        await access.useInTime { provider in
            let response = HTTPResponse(provider.answer(Request(request, path: path)))
            return Done(response: response, hasSlowWays: !provider.slowChannels.isEmpty)
        }
    }

    private static func origin(of url: String) -> String {
        var parts = URLComponents(string: url)
        parts?.path = ""
        return parts?.string ?? url
    }
}

extension Request {
    fileprivate init(_ request: HTTPRequest, path: String) {
        let headers = request.headers.map { ($0.key.lowercased(), $0.value) }
        self.init(
            method: request.method, path: path, headers: Dictionary(headers) { $1 }, body: Array(request.body ?? Data())
        )
    }
}

extension HTTPResponse {
    fileprivate init(_ answer: Answer) {
        self.init(status: answer.status, headers: answer.headers, body: Data(answer.body))
    }
}
