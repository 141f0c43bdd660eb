// SPDX-License-Identifier: Apache-2.0

import Foundation
import NativeAuth

extension MSALPublicClientApplication {
    /// The accounts in the cache: one at most.
    ///
    /// - Throws: An error of ``MSALErrorDomain`` when the cache cannot be read.
    public func allAccounts() throws -> [MSALAccount] {
        do {
            return try client.account().map { [MSALAccount($0, client)] } ?? []
        } catch {
            throw NSError.msal(.internal, "The cache cannot be read: \(error.reason)")
        }
    }

    /// The account with this ``MSALAccount/identifier``.
    ///
    /// - Throws: An error of ``MSALErrorDomain`` when there is none.
    public func account(forIdentifier identifier: String) throws -> MSALAccount {
        try only { $0.identifier == identifier }
    }

    /// The account with this user name.
    ///
    /// - Throws: An error of ``MSALErrorDomain`` when there is none.
    public func account(forUsername username: String) throws -> MSALAccount {
        try only { $0.username == username.lowercased() }
    }

    /// The accounts that fit.
    ///
    /// - Parameter parameters: What they have to have; all accounts where it says nothing.
    /// - Throws: An error of ``MSALErrorDomain`` when the cache cannot be read.
    public func accounts(for parameters: MSALAccountEnumerationParameters) throws -> [MSALAccount] {
        try allAccounts().filter { account in
            (parameters.identifier.map { $0 == account.identifier } ?? true)
                && (parameters.username.map { $0.lowercased() == account.username } ?? true)
                && (parameters.tenantProfileIdentifier.map { $0 == account.homeAccountId?.objectId } ?? true)
        }
    }

    /// The same as ``accounts(for:)``: no broker of the device knows of others.
    public func accountsFromDevice(
        for parameters: MSALAccountEnumerationParameters, completionBlock: @escaping MSALAccountsCompletionBlock
    ) {
        let block = CompletionBlock(completionBlock, parameters)
        switch Result(catching: { try accounts(for: parameters) }) {
        case .success(let accounts): block.call { $0(accounts, nil) }
        case .failure(let error): block.call { $0(nil, error) }
        }
    }

    /// The same, awaited.
    ///
    /// - Throws: An error of ``MSALErrorDomain`` when the cache cannot be read.
    public func accountsFromDevice(for parameters: MSALAccountEnumerationParameters) async throws -> [MSALAccount] {
        try accounts(for: parameters)
    }

    /// The account that is signed in.
    ///
    /// - Parameters:
    ///   - parameters: Where the block is called; nil for the main queue.
    ///   - completionBlock: Takes the account, and never one that was signed in before.
    public func getCurrentAccount(
        with parameters: MSALParameters?, completionBlock: @escaping MSALCurrentAccountCompletionBlock
    ) {
        let block = CompletionBlock(completionBlock, parameters)
        switch Result(catching: { try allAccounts() }) {
        case .success(let accounts): block.call { $0(accounts.first, nil, nil) }
        case .failure(let error): block.call { $0(nil, nil, error) }
        }
    }

    /// The same, awaited.
    ///
    /// - Throws: An error of ``MSALErrorDomain`` when the cache cannot be read.
    public func currentAccount(with parameters: MSALParameters?) async throws -> (MSALAccount?, MSALAccount?) {
        (try allAccounts().first, nil)
    }

    /// Forgets an account and its tokens on this machine.
    ///
    /// - Throws: An error of ``MSALErrorDomain`` when the cache cannot be changed.
    public func remove(_ account: MSALAccount) throws {
        let session = account.account
        do { try Worker.shared.wait { try await session.signOut() } } catch {
            throw NSError.msal(.internal, "The account is still in the cache: \(error)")
        }
    }

    private func only(_ isWanted: (MSALAccount) -> Bool) throws -> MSALAccount {
        guard let account = try allAccounts().first(where: isWanted) else {
            throw NSError.msal(.internal, "There is no such account in the cache.")
        }
        return account
    }
}
