// SPDX-License-Identifier: Apache-2.0

import Console
import Files
import FoundationEssentials
import Glibc
import Tenant
import Wire

extension TenantContext {
    /// Has a call carried out: here, or by the process that serves the tenant.
    func perform<C: AdminCall>(
        _ call: C, on tenant: String, _ tell: (AdminProgress) throws -> Void = { _ in }
    ) throws -> C.Reply {
        try access(tenant).perform(call, waiting: wait, tell)
    }

    /// Reads a definition from a JSON file; `-` stands for standard input.
    static func definition<T: Decodable>(
        in file: String, called what: String, shape: DefinitionShape, hint: String
    ) throws(CommandFailure) -> T {
        let data: Data
        do throws(FileError) {
            data = try FileDescriptor(file == "-" ? "/dev/stdin" : file, O_RDONLY).readToEnd(limit: 1024 * 1024)
        } catch {
            throw CommandFailure(
                .missingInput,
                "Cannot \(error.operation) '\(file.printable)': \(String(cString: strerror(error.errno))).")
        }
        if let unknown = JSONValue(json: data).flatMap({ shape.unknownMember(in: $0) }) {
            throw CommandFailure(
                .invalidData, "'\(file.printable)' has a member that is not known: '\(unknown.printable)'.", hint: hint)
        }
        do {
            return try JSONDecoder().decode(T.self, from: data)
        } catch {
            throw CommandFailure(
                .invalidData, "'\(file.printable)' is no \(what)\((error as? DecodingError)?.place ?? "").", hint: hint)
        }
    }
}

extension DecodingError {
    /// Where in a document the fault is.
    var place: String {
        switch self {
        case .keyNotFound(let key, _): ": '\(key.stringValue.printable)' is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            context.codingPath.isEmpty ? "" : ": '\(context.path.printable)' is of the wrong type"
        case .dataCorrupted(let context):
            context.codingPath.isEmpty ? "" : ": '\(context.path.printable)' has a value that is not known"
        @unknown default: ""
        }
    }
}

extension DecodingError.Context {
    fileprivate var path: String {
        codingPath.map { $0.intValue.map { String($0 + 1) } ?? $0.stringValue }.joined(separator: ".")
    }
}
