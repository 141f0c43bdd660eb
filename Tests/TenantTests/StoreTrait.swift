// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Testing

extension Trait where Self == ConditionTrait {
    /// For what only a tenant can suffer whose database is a file in its folder.
    static var inFile: Self { .enabled(if: TestTenant.store == .sqlite) }

    /// For what each server does by itself, and what the owner tells one and the others hear of within a second.
    static var atOneServer: Self { .enabled(if: TestTenant.store != .replicas) }
}
