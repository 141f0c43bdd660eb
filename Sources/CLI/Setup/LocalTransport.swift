// SPDX-License-Identifier: Apache-2.0

import Console
import Dispatch
import FoundationEssentials
import Glibc
import NativeAuth
import Synchronization
import Tenant

/// Carries requests to the tenant on this machine: into this process while nobody else has its database open, and over
/// HTTP to the process that serves it.
final class LocalTransport: Transport {
    private let access: TenantAccess
    private let beyond: any Transport
    /// Where the tenant is served, once that is known; looked up again when nobody answers there any more.
    private let served = Mutex<String?>(nil)

    init(access: TenantAccess, beyond: any Transport) {
        self.access = access
        self.beyond = beyond
    }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let path = URLComponents(string: request.url)?.path ?? ""
        if let url = served.withLock({ $0 }) {
            do {
                return try await forward(request, path, to: url)
            } catch {
                // Whoever served it may be gone. Should the request have come through, the tenant knows it again.
                guard error.problem == .noConnection || error.problem == .connectionLost else { throw error }
            }
        }
        switch await answer(request, path: path) {
        case .success(.done(let response)):
            return response
        case .success(.served(let url)):
            served.withLock { $0 = url }
            return try await forward(request, path, to: url)
        case .failure(let error):
            let failure = CommandFailure(tenant: error)
            throw TransportFailure(.unavailable, message: failure.message, code: Int(failure.status.rawValue))
        }
    }

    private func forward(
        _ request: HTTPRequest, _ path: String, to url: String
    ) async throws(TransportFailure) -> HTTPResponse {
        var request = request
        request.url = LocalTransport.origin(of: url) + path
        return try await beyond.send(request)
    }

    private func answer(_ request: HTTPRequest, path: String) async -> Result<
        TenantAccess.Result<HTTPResponse>, any Error
    > {
        await access.useInTime { provider in HTTPResponse(provider.answer(Request(request, path: path))) }
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
