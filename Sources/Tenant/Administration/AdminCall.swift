// SPDX-License-Identifier: Apache-2.0

import Files

/// Something that the tenant's owner asks of it: one value, which is carried out where the tenant is open. That is this
/// process, or the one that serves the tenant, which takes calls over a socket of the owner's own.
package protocol AdminCall: Codable, Sendable, SendableMetatype {
    associatedtype Reply: Codable & Sendable

    /// Whether the tenant is another one afterwards: it has to read its contents anew.
    static var changesContents: Bool { get }

    func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> Reply
}

extension AdminCall {
    package static var changesContents: Bool { false }

    /// What the call goes by on its way to another process.
    static var name: String { "\(Self.self)" }
}

/// A tenant that is open in this process, and where it is kept.
package struct OpenTenant: Sendable {
    package let provider: IdentityProvider
    package let folder: TenantFolder

    package init(_ provider: IdentityProvider, in folder: TenantFolder) {
        self.provider = provider
        self.folder = folder
    }
}

/// How far a call has come that takes long.
package struct AdminProgress: Codable, Sendable, Equatable {
    package var done: Int
    /// All there is to do; 0 where that is not known.
    package var of: Int

    package init(done: Int, of all: Int) {
        self.done = done
        of = all
    }
}

/// The reply of a call that has nothing to tell.
package struct Done: Codable, Sendable {}

/// Why a call came to nothing, as a value: it may have to travel.
package enum AdminRefusal: Error, Codable, Sendable, Equatable {
    case noSuchAccount(String)
    case noSuchFlow(String)
    case noSuchApp(String)
    case noSuchAPI(String)
    case noSuchExtension(String)
    case noSuchSetting(String)
    /// Another account goes by the alias.
    case aliasTaken(String)
    /// Another API has the identifier.
    case identifierTaken(String)
    /// Apps still use the user flow.
    case flowInUse(String)
    /// The definition is none, for this reason.
    case malformed(String)
    /// The definition or the value cannot be used, for this reason.
    case unusable(String)
    /// The rules for passwords do not take it, for this reason.
    case passwordRefused(String)
    case database(code: Int32, message: String)
    case file(operation: String, path: String, errno: Int32)
    /// What is done to a database that is a file, and this one is on a server.
    case databaseElsewhere
    /// What only a server in test mode does.
    case notInTestMode
    /// The process that serves the tenant is another version of this program.
    case unknownCall(String)
    /// The process that serves the tenant went away before it had answered.
    case interrupted
    case failed(String)

    /// What an error means to whoever called.
    init(_ error: any Error) {
        self =
            switch error {
            case let refusal as AdminRefusal: refusal
            case let error as ExtensionDraft.Malformed: .malformed(error.reason)
            case let error as IdentityProvider.AliasTaken: .aliasTaken(error.alias)
            case let error as StoreError: .database(code: error.code, message: error.message)
            case is Database.KeptElsewhere: .databaseElsewhere
            case let error as FileError:
                .file(operation: error.operation, path: error.path, errno: error.errno)
            default: .failed("\(error)")
            }
    }
}
