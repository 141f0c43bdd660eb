// SPDX-License-Identifier: Apache-2.0

/// Every call that a process which serves a tenant carries out for its owner.
enum AdminCalls {
    static var all: [any AdminCall.Type] { accounts + definitions + contents + security + testing }

    private static var accounts: [any AdminCall.Type] {
        [
            ReadAccounts.self, ReadAccount.self, ChangeAccount.self, SetPassword.self, DeleteAccount.self,
            ExportAccounts.self, ImportAccounts.self,
        ]
    }

    private static var definitions: [any AdminCall.Type] {
        [
            ReadDefinitions.self, SaveApp.self, RemoveApp.self, SaveUserFlow.self, RemoveUserFlow.self, SaveAPI.self,
            RemoveAPI.self, SaveExtension.self, RemoveExtensionCall.self, ReadExtensionFailures.self,
        ]
    }

    private static var testing: [any AdminCall.Type] {
        [MoveClock.self, AddFault.self, ReadFaults.self, ClearFaults.self, ReadJournal.self]
    }

    private static var contents: [any AdminCall.Type] {
        [
            ReadSettings.self, ChangeSetting.self, ReadOutbox.self, BackUp.self, NoteExport.self, EmptyTenant.self,
            CheckTenant.self,
        ]
    }

    private static var security: [any AdminCall.Type] {
        [ReadKeys.self, RotateKeys.self, MakeAPISecret.self, ReadAudit.self]
    }
}
