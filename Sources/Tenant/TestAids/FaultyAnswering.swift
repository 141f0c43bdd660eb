// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

extension IdentityProvider {
    /// Answers a request that came over the network. In test mode it may meet a fault first, and is written down; nil
    /// means that the connection is to be closed without an answer.
    package func answerOrFail(_ request: Request) -> Answer? {
        guard let aids else { return answer(request) }
        let answer = answer(request, meeting: aids.fault(for: request.path))
        aids.record(request, answer, at: now())
        return answer
    }

    private func answer(_ request: Request, meeting fault: TestFault.Action?) -> Answer? {
        switch fault {
        case nil: return answer(request)
        case .delay(let milliseconds)?:
            usleep(UInt32(clamping: milliseconds * 1000))
            return answer(request)
        case .refuse(let status)?:
            let exchange = Exchange(request, id: random.uuid(), at: now(), seconds: seconds)
            let refusal = Refusal(Refusal.unavailable(nil).error, description: "A fault that was asked for.")
            return exchange.answer(refusing: refusal, status: status, headers: ["retry-after": "1"])
        case .dropRequest?: return nil
        case .dropAnswer?:
            _ = answer(request)
            return nil
        }
    }

    /// The same tenant in test mode.
    package func inTestMode() -> IdentityProvider {
        var provider = self
        let aids = TestAids()
        let now = now
        provider.aids = aids
        provider.now = { aids.time(at: now()) }
        return provider
    }
}
