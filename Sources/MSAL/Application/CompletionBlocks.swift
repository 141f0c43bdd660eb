// SPDX-License-Identifier: Apache-2.0

import Dispatch

// As in Microsoft's SDK none of these is `Sendable`: a screen's block may change the screen.

/// Takes the outcome of a silent request: a result, or an error.
public typealias MSALCompletionBlock = (MSALResult?, (any Error)?) -> Void

/// Takes the account that is signed in, the one that was before, or an error.
public typealias MSALCurrentAccountCompletionBlock = (MSALAccount?, MSALAccount?, (any Error)?) -> Void

/// Takes accounts, or an error.
public typealias MSALAccountsCompletionBlock = ([MSALAccount]?, (any Error)?) -> Void

/// An app's block on its way to the queue that the app chose. It is only called there, so it needs not be `Sendable`: the
/// main queue, which is chosen by default, is the main actor.
struct CompletionBlock<Block>: @unchecked Sendable {
    private let block: Block
    private let queue: DispatchQueue

    init(_ block: Block, _ parameters: MSALParameters?) {
        self.block = block
        queue = parameters?.completionBlockQueue ?? .main
    }

    /// Calls the block, never before the app's call has returned.
    func call(_ use: @escaping @Sendable (Block) -> Void) {
        queue.async { use(block) }
    }
}
