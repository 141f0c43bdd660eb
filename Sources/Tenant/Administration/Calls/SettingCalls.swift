// SPDX-License-Identifier: Apache-2.0

/// Reads the settings.
package struct ReadSettings: AdminCall {
    package init() {}

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> Settings {
        tenant.provider.currentSettings
    }
}

/// Changes a setting. Requests that come later meet the new value.
package struct ChangeSetting: AdminCall {
    package var name: String
    /// As ``Setting/change(to:)`` takes it.
    package var value: String

    package init(_ name: String, to value: String) {
        self.name = name
        self.value = value
    }

    package static let changesContents = true

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> Done {
        guard let setting = Settings.table.first(where: { $0.name == name }) else {
            throw AdminRefusal.noSuchSetting(name)
        }
        guard let change = setting.change(to: value) else { throw AdminRefusal.unusable("no value of \(name)") }
        try tenant.provider.database.transaction { connection in
            // As they are stored, for another call may have changed them since the tenant read them.
            var settings = try TenantContents.settings(&connection)
            change(&settings)
            try connection.save(settings)
            try tenant.provider.audit("config \(name)", &connection)
        }
        return Done()
    }
}
