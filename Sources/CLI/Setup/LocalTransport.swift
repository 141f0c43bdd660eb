// SPDX-License-Identifier: Apache-2.0

import Console
import Dispatch
import FoundationEssentials
import Glibc
import NativeAuth
import Tenant

/// Carries requests to the tenant on this machine: into this process while nobody else has its database open, and over
/// HTTP to the process that serves it.
struct LocalTransport: Transport {
    let access: TenantAccess
    let beyond: CurlTransport

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let path = URLComponents(string: request.url)?.path ?? ""
        switch await answer(request, path: path) {
        case .success(.done(let response)):
            return response
        case .success(.served(let url)):
            var request = request
            request.url = LocalTransport.origin(of: url) + path
            return try await beyond.send(request)
        case .failure(let error):
            throw TransportFailure(.unavailable, message: CommandFailure(tenant: error).message)
        }
    }

    /// A password's hash takes its time, so this does not happen on the cooperative pool.
    private func answer(_ request: HTTPRequest, path: String) async -> Result<
        TenantAccess.Result<HTTPResponse>, any Error
    > {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    returning: Result {
                        try access.use(waiting: LocalTransport.wait) { provider in
                            HTTPResponse(provider.answer(Request(request, path: path)))
                        }
                    })
            }
        }
    }

    /// Another command has the tenant open for a moment. The pause is random, since whoever has just released a lock
    /// would otherwise be the first to take it again; half a minute in all.
    static func wait(_ attempt: Int) -> Bool {
        usleep(UInt32.random(in: 2_000...20_000))
        return attempt < 2700
    }

    private static func origin(of url: String) -> String {
        var parts = URLComponents(string: url)
        parts?.path = ""
        return parts?.string ?? url
    }
}

extension TenantAccess {
    /// Makes the tenant if it is not there yet, and says what stands in the way.
    ///
    /// - Returns: Whether another process serves it.
    func prepare() throws(CommandFailure) -> Bool {
        do {
            if case .served = try use(waiting: LocalTransport.wait, { _ in }) { return true }
            return false
        } catch {
            throw CommandFailure(tenant: error)
        }
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
