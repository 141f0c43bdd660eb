// SPDX-License-Identifier: Apache-2.0

/// Reads the messages that have not left, oldest first.
package struct ReadOutbox: AdminCall {
    package init() {}

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> [OutboxEntry] {
        try tenant.provider.outbox()
    }
}
