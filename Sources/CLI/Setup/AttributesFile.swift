// SPDX-License-Identifier: Apache-2.0

import Console
import Glibc
import NativeAuth
import Wire

/// User attributes from a JSON object: `{"country": "Norway", "newsletter": true}`. Types are kept as they are written.
enum AttributesFile {
    private static let longest = 64 * 1024

    /// - Parameter path: The file; `-` for standard input.
    static func read(_ path: String) throws(CommandFailure) -> [String: AttributeValue] {
        let name = path == "-" ? "on standard input" : "in '\(path.printable)'"
        let bytes = try content(path, name)
        let value: JSONValue
        do throws(JSONValue.Malformed) { value = try JSONValue(reading: bytes) } catch {
            let line = bytes.prefix(error.position).count { $0 == UInt8(ascii: "\n") } + 1
            throw CommandFailure(
                .invalidData, "The attributes \(name) are no JSON, or name one twice: look at line \(line).")
        }
        guard let members = value.object else {
            throw CommandFailure(
                .invalidData, "The attributes \(name) are no JSON object.", hint: #"Write {"country": "Norway"}."#)
        }
        for (member, value) in members where !value.isAttribute {
            throw CommandFailure(
                .invalidData,
                "The attribute '\(member.printable)' \(name) is neither text, number, truth value nor a list of texts.")
        }
        return members.mapValues(AttributeValue.init)
    }

    private static func content(_ path: String, _ name: String) throws(CommandFailure) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        if descriptor < 0 { throw unreadable(name, String(cString: strerror(errno))) }
        defer { if path != "-" { close(descriptor) } }
        var bytes: [UInt8] = []
        do throws(InputError) {
            while bytes.count <= longest {
                let piece = try Input(descriptor: descriptor).next()
                if piece.isEmpty { return bytes }
                bytes += piece
            }
        } catch {
            throw unreadable(name, error.message)
        }
        throw unreadable(name, "longer than \(longest) bytes")
    }

    private static func unreadable(_ name: String, _ reason: String) -> CommandFailure {
        CommandFailure(.missingInput, "The attributes \(name) cannot be read: \(reason).")
    }
}

extension JSONValue {
    fileprivate var isAttribute: Bool {
        switch self {
        case .string, .bool, .integer, .number: true
        case .array(let values): values.allSatisfy { $0.string != nil }
        case .object, .null: false
        }
    }
}
