import NativeAuth

@main
enum Shop {
    static func main() async throws {
        guard CommandLine.arguments.count == 3 else { return print("usage: Shop TENANT APP") }
        let customers = try Customers(tenant: CommandLine.arguments[1], app: CommandLine.arguments[2])
        let account = try await customers.register(ask("Email:"), country: ask("Country:")) { sent in
            ask("The code that was sent to \(sent.sentTo):")
        }
        print("Welcome, \(account.username). Your number is \(account.claims.string("oid") ?? "not known").")
    }

    private static func ask(_ question: String) -> String {
        print(question, terminator: " ")
        return readLine() ?? ""
    }
}
