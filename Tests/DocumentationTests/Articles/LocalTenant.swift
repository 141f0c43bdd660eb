// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import Testing

// The code of the article "Test against the local tenant".

func localClient(at address: String = "http://127.0.0.1:8400/local") throws -> NativeAuthClient {
    NativeAuthClient(
        Configuration(
            authority: try Authority(address), clientID: "5a3d1e00-0000-4000-8000-000000000001"))
}

func somebodySignsUp(_ client: NativeAuthClient, as mail: String) async throws {
    let first = try await client.signUp(
        username: mail, password: "Tr0ub4dor-and-3", attributes: ["country": "Norway"])
    guard case .codeRequired(let code) = first,
        case .completed(let completion) = try await code.submit("12345678"),
        case .completed(let account) = try await completion.signIn()
    else { throw UnexpectedStep() }
    #expect(account.claims.string("country") == "Norway")
}

struct UnexpectedStep: Error {}

struct Unreachable: Transport {
    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        throw TransportFailure(.noConnection, message: "The cable is out.")
    }
}
