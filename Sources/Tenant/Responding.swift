// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// A request while it is being answered: its ids and its time belong to the answer.
struct Exchange: Sendable {
    let request: Request
    /// The server's id of this request.
    let traceID: String
    /// The client's id of the conversation, or the server's own where the client sent none worth echoing.
    let correlationID: String
    /// By the machine's clock: what tokens and messages are dated by.
    let time: Date
    /// By the tenant's own time: what everything ends by that the tenant keeps. Whole seconds since 1970.
    let seconds: Int64
    /// The client's address, told by a trusted proxy where there is one between; nil for a call inside the process.
    var address: String?
    /// Of the step of a flow that is being taken: a request of a browser may take several.
    var callouts = CalloutAnswers()
    let noted = Noted()

    init(_ request: Request, id: String, at time: Date, seconds: Int64) {
        self.request = request
        address = request.address
        self.time = time
        self.seconds = seconds
        traceID = id
        let sent = request.headers["client-request-id"] ?? ""
        correlationID = UUID(uuidString: sent) == nil ? id : sent
    }

    /// Whole seconds since 1970 by the machine's clock.
    var date: Int64 { Int64(time.timeIntervalSince1970) }

    /// The path below the tenant's segment; nil if that names another tenant. Repeated slashes count as one, since
    /// Microsoft's SDK appends endpoint paths to authorities that may end in a slash.
    func path(in settings: Settings) -> String? {
        let segments = request.path.split(separator: "/")
        guard let tenant = segments.first, settings.isNamed(by: String(tenant)) else { return nil }
        return "/" + segments.dropFirst().joined(separator: "/")
    }

    func only(_ methods: String..., do body: () throws -> Answer) throws -> Answer {
        // HEAD is GET without the body, which the door leaves out (RFC 9110, section 9.3.2).
        let method = request.method == "HEAD" ? "GET" : request.method
        guard methods.contains(method) else {
            return answer(
                refusing: Refusal(.invalidRequest, description: "Use \(methods.joined(separator: " or "))."),
                status: 405,
                headers: ["allow": methods.joined(separator: ", ")])
        }
        return try body()
    }

    /// Reads the body as the form of a call.
    func form<C: Call>(_ type: C.Type, _ handle: (C, Exchange) throws -> Answer) throws -> Answer {
        try form { form in try handle(try form.call(type), self) }
    }

    /// Reads the body as a form.
    func form(_ handle: (Form) throws -> Answer) throws -> Answer {
        try only("POST") {
            let mediaType = (request.headers["content-type"] ?? "").split(separator: ";").first ?? ""
            guard mediaType.lowercased() == "application/x-www-form-urlencoded" else {
                throw Refusal(.invalidRequest, description: "The body has to be application/x-www-form-urlencoded.")
            }
            var form: Form
            do throws(Form.Malformed) { form = try Form(body: request.body) } catch {
                throw Refusal(.invalidRequest, description: error.sentence)
            }
            // The service's own documents have had both names.
            if form["capabilities"] == nil { form["capabilities"] = form["capability"] }
            return try handle(form)
        }
    }

    /// What makes two requests the same one sent twice: the path and the body.
    var digest: [UInt8] {
        Digest.sha256(Array(request.path.utf8) + [0] + request.body)
    }
}

extension Form.Malformed {
    var sentence: String {
        switch self {
        case .percentEncoding: "The body has a '%' that two hexadecimal digits do not follow."
        case .notUTF8: "The body is not UTF-8."
        case .repeated(let name): "The parameter '\(name.prefix(40))' occurs twice."
        case .tooManyFields: "The body has too many parameters."
        }
    }
}

// MARK: - Answers

extension Exchange {
    func answer(_ reply: some Encodable) throws -> Answer {
        respond(200, try WireJSON.encode(reply))
    }

    /// A document that anyone may keep for a while.
    func answer(document: some Encodable) -> Answer {
        let body = (try? WireJSON.encode(document)) ?? Data("{}".utf8)
        return respond(200, body, ["cache-control": "public, max-age=300", "access-control-allow-origin": "*"])
    }

    func answer(refusing refusal: Refusal, status: Int = 400, headers: [String: String] = [:]) -> Answer {
        var refusal = refusal
        refusal.timestamp = timestamp
        refusal.traceId = traceID
        refusal.correlationId = correlationID
        noted.refuse(refusal)
        let body = (try? WireJSON.encode(refusal)) ?? Data("{}".utf8)
        return respond(status, body, headers)
    }

    func respond(_ status: Int, _ body: Data, _ headers: [String: String] = [:]) -> Answer {
        let always = [
            "content-type": "application/json; charset=utf-8", "cache-control": "no-store", "pragma": "no-cache",
            "client-request-id": correlationID, "x-ms-request-id": traceID,
        ]
        var all = always.merging(headers) { $1 }
        if all["cache-control"] != "no-store" { all["pragma"] = nil }
        return Answer(status: status, headers: all, body: Array(body))
    }

    /// `yyyy-MM-dd HH:mm:ssZ`.
    private var timestamp: String {
        time.formatted(Date.ISO8601FormatStyle().dateTimeSeparator(.space))
    }
}
