import NativeAuth

/// The customers of a shop. They sign up with a mail address, a code and their country.
struct Customers {
    let client: NativeAuthClient

    init(tenant: String, app: String) throws {
        client = NativeAuthClient(Configuration(authority: try Authority(tenant), clientID: app))
    }

    /// Makes an account, and signs it in.
    ///
    /// - Parameter code: Asks for the code that was sent. Where it is wrong, it is asked for again.
    func register(
        _ address: String, country: String, code: (CodeDelivery) throws -> String
    ) async throws -> Account {
        var step = try await client.signUp(username: address, attributes: ["country": .string(country)])
        while true {
            switch step {
            case .codeRequired(let sent):
                do {
                    step = try await sent.submit(code(sent.delivery))
                } catch let error as StepError<SignUpStep> {
                    // The step that may be tried again comes with the error; without one the flow is over.
                    guard error.error.reason == .invalidCode, let again = error.retry else { throw error }
                    step = again
                }
            case .completed(let registered):
                guard case .completed(let account) = try await registered.signIn() else { throw WantsMore() }
                return account
            case .passwordRequired, .attributesRequired:
                throw WantsMore()
            }
        }
    }
}

/// The tenant asks for something that this shop has no form for.
struct WantsMore: Error {}
