// SPDX-License-Identifier: Apache-2.0

/// Whoever imports Microsoft's SDK has Foundation with it, since its headers do; so the same imports suffice here.
@_exported public import Foundation
