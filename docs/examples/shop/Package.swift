// swift-tools-version: 6.2
import PackageDescription

// Asynchronous functions stay with their caller: one who waits may hand over what is not `Sendable`.
let rules: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let package = Package(
    name: "shop",
    dependencies: [.package(name: "nativeauth", path: "../../..")],
    targets: [
        .executableTarget(
            name: "Shop", dependencies: [.product(name: "NativeAuth", package: "nativeauth")], swiftSettings: rules),
        .testTarget(name: "ShopTests", dependencies: ["Shop"], swiftSettings: rules),
    ]
)
