// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// One set of rules for every Swift target: Swift 6 mode, and what the next language version makes default.
let rules: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// A C shim: the only place that sees a C library's own types.
func shim(_ name: String, links libraries: [String], on shims: [Target.Dependency] = []) -> Target {
    .target(
        name: name,
        dependencies: shims,
        path: "Sources/System/\(name)",
        cSettings: [.define("_GNU_SOURCE")],
        linkerSettings: libraries.map { .linkedLibrary($0) }
    )
}

func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: rules)
}

/// Tests that are built as apps are: a language mode, and nothing that the next one brings.
func appTests(_ name: String, _ mode: SwiftLanguageMode, _ dependencies: Target.Dependency...) -> Target {
    .testTarget(
        name: name, dependencies: dependencies,
        swiftSettings: [.swiftLanguageMode(mode), .treatAllWarnings(as: .error)])
}

let package = Package(
    name: "nativeauth",
    products: [
        .library(name: "NativeAuth", targets: ["NativeAuth"]),
        .library(name: "MSAL", targets: ["MSAL"]),
        .executable(name: "nativeauth", targets: ["CLI"]),
        .executable(name: "nativeauth-tenant", targets: ["TenantServer"]),
    ],
    targets: [
        // C libraries, one folder each.
        shim("CCurl", links: []),  // loaded on first use, so nothing is linked
        shim("CCertificate", links: ["crypto"]),
        shim("CFiles", links: []),
        shim("CMicroHTTPD", links: ["microhttpd", "gnutls"]),
        shim("CIdn2", links: []),  // loaded on first use
        shim("CKeyring", links: []),
        shim("CLocalSocket", links: []),
        shim("COpenSSL", links: ["crypto"]),
        shim("CPattern", links: ["pcre2-8"]),
        shim("CPostgres", links: []),  // loaded on first use
        shim("CProcess", links: []),
        shim("CSecretService", links: []),  // loaded on first use
        // GNU Readline is under the GPL, and so is each program that contains it: of ours, `nativeauth` alone.
        shim("CReadline", links: ["readline", "tinfo"], on: ["CTerminal"]),
        shim("CTerminal", links: ["tinfo"]),
        shim("CUnicode", links: ["unistring"]),
        shim("CCommonPasswords", links: []),
        .systemLibrary(name: "CPipe", path: "Sources/System/CPipe"),
        .systemLibrary(name: "CSodium", path: "Sources/System/CSodium"),
        .systemLibrary(name: "CSQLite", path: "Sources/System/CSQLite"),

        // Files that survive a crash.
        .target(name: "Files", dependencies: ["CFiles"], path: "Sources/System/Files", swiftSettings: rules),

        // Ways between processes of one machine.
        .target(
            name: "Sockets", dependencies: ["CLocalSocket"], path: "Sources/System/Sockets", swiftSettings: rules),

        // Commands that a person configured, and programs that are handed a token.
        .target(
            name: "Processes", dependencies: ["CPipe", "CProcess"], path: "Sources/System/Processes",
            swiftSettings: rules),

        // The protocol's words, for both sides.
        .target(name: "Wire", swiftSettings: rules),

        // The SDK.
        .target(
            name: "NativeAuth", dependencies: ["Wire", "Files", "CCurl", "CKeyring", "COpenSSL", "CSecretService"],
            swiftSettings: rules),

        // The SDK by Microsoft's names.
        .target(name: "MSAL", dependencies: ["NativeAuth", "Wire"], swiftSettings: rules),

        // The local tenant, and its door.
        .target(
            name: "Tenant",
            dependencies: [
                "Wire", "Files", "Processes", "Sockets", "CCurl", "CCommonPasswords", "CIdn2", "COpenSSL", "CPattern",
                "CPostgres", "CSodium", "CSQLite", "CUnicode",
            ],
            swiftSettings: rules),
        .executableTarget(
            name: "TenantServer",
            dependencies: [
                "Tenant", "Wire", "Files", "Processes", "Console", "CCertificate", "CMicroHTTPD",
            ],
            swiftSettings: rules,
            // All of what it calls is bound when it starts, and then write-protected.
            linkerSettings: [
                .unsafeFlags(["-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now"])
            ]),

        // The terminal, and the program.
        .target(name: "Console", dependencies: ["CTerminal", "Processes"], swiftSettings: rules),
        .target(name: "LineEditor", dependencies: ["Console", "CReadline"], swiftSettings: rules),
        .executableTarget(
            name: "CLI", dependencies: ["NativeAuth", "Tenant", "Wire", "Files", "Processes", "Console", "LineEditor"],
            swiftSettings: rules),

        // What the tests share.
        .target(name: "CPty", path: "Tests/Support/CPty", cSettings: [.define("_GNU_SOURCE")]),
        .target(
            name: "TerminalTesting", dependencies: ["CPty"], path: "Tests/Support/TerminalTesting",
            swiftSettings: rules),
        .target(
            name: "TenantTesting", dependencies: ["Tenant", "Wire", "NativeAuth", "CPty"],
            path: "Tests/Support/TenantTesting",
            swiftSettings: rules),
        .target(
            name: "ProgramTesting", dependencies: ["TerminalTesting"], path: "Tests/Support/ProgramTesting",
            swiftSettings: rules),
        .target(
            name: "KeyringTesting", dependencies: ["TerminalTesting"], path: "Tests/Support/KeyringTesting",
            swiftSettings: rules),
        .target(
            name: "DocumentationTesting", path: "Tests/Support/DocumentationTesting", swiftSettings: rules),
        .target(
            name: "FuzzProperties", dependencies: ["Wire", "Tenant", "Console", "CMicroHTTPD"],
            path: "Tests/Fuzz/Properties", swiftSettings: rules),
        .executableTarget(
            name: "prompt-probe", dependencies: ["Console", "LineEditor"], path: "Tests/Support/PromptProbe",
            swiftSettings: rules),

        tests("WireTests", "Wire"),
        tests("FuzzTests", "FuzzProperties"),
        tests("ProcessesTests", "Processes"),
        tests(
            "NativeAuthTests", "NativeAuth", "Wire", "Files", "COpenSSL", "TenantTesting", "TerminalTesting",
            "KeyringTesting"),
        tests("MSALTests", "MSAL", "NativeAuth", "Wire", "TenantTesting"),
        tests("TenantTests", "Tenant", "Wire", "Files", "TenantTesting", "CSodium"),
        tests("TenantServerTests", "TenantServer", "Tenant", "TenantTesting"),
        .testTarget(
            name: "FaultTests",
            dependencies: [
                "Tenant", "TenantServer", "CLI", "NativeAuth", "Wire", "TenantTesting", "ProgramTesting",
                "TerminalTesting",
            ],
            exclude: ["Served/fault.c"], swiftSettings: rules),
        tests("ConversationTests", "NativeAuth", "Wire", "Tenant", "TenantServer", "TenantTesting"),
        tests("ConsoleTests", "Console", "TerminalTesting", "prompt-probe"),
        tests("CLITests", "CLI", "NativeAuth", "Wire", "Console"),
        tests("MSALSurfaceTests", "MSAL", "DocumentationTesting", "TerminalTesting", "CLI"),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "ProgramTesting", "TerminalTesting", "KeyringTesting", "TenantTesting", "CLI", "TenantServer",
            ],
            exclude: ["Transcripts"], swiftSettings: rules),

        // The same sources twice, in two language modes: those of the second target are links to those of the first.
        appTests("MSALDelegateTests", .v6, "MSAL", "NativeAuth", "TenantTesting"),
        appTests("MSALDelegateSwift5Tests", .v5, "MSAL", "NativeAuth", "TenantTesting"),
        appTests(
            "DocumentationTests", .v6, "MSAL", "NativeAuth", "DocumentationTesting", "ProgramTesting",
            "TerminalTesting", "Wire", "CLI", "TenantServer", "Console"),
        appTests(
            "TutorialTests", .v6, "MSAL", "DocumentationTesting", "ProgramTesting", "TenantTesting", "CLI",
            "TenantServer"),
        appTests(
            "TutorialSwift5Tests", .v5, "MSAL", "DocumentationTesting", "ProgramTesting", "TenantTesting", "CLI",
            "TenantServer"),
    ]
)

// libFuzzer brings a main function of its own, so its driver is part of a build that asks for it (`make fuzz`).
if Context.environment["NATIVEAUTH_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz", dependencies: ["FuzzProperties"], path: "Tests/Fuzz/Driver",
            swiftSettings: rules + [.unsafeFlags(["-parse-as-library"])]))
}
