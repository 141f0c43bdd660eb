// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

/// Chromium without a screen, and the person in front of it. It has a profile of its own, which is gone afterwards.
struct Chromium {
    private let driver: WebDriver

    /// Starts one for as long as `body` takes.
    static func run(
        in home: Home, _ setting: Setting = Setting(), _ body: (Chromium) async throws -> Void
    ) async throws {
        let process = try TerminalSession.spawn(
            executable: "/usr/bin/chromedriver", arguments: ["--port=0"],
            environment: home.environment(["TMPDIR": home.path]))
        try await process.expect("was started successfully on port ")
        let port = try await process.expect(".").dropLast()
        let root = WebDriver(address: "http://127.0.0.1:\(port)")
        var session: WebDriver?
        do {
            let opened = try await root("POST", "/session", ["capabilities": ["alwaysMatch": setting.capabilities]])
            let id = try #require((opened as? [String: Any])?.string("sessionId"))
            let driver = root.below("/session/\(id)")
            session = driver
            try await body(Chromium(driver: driver))
        } catch {
            _ = try? await session?("DELETE", "")
            await process.signal(15)
            throw error
        }
        try await session?("DELETE", "")
        await process.signal(15)
        try await process.finish()
    }

    private init(driver: WebDriver) { self.driver = driver }

    /// What a person may have chosen about their browser.
    struct Setting {
        var hasScripts = true
        var takesAnyCertificate = false

        fileprivate var capabilities: [String: Any] {
            var options: [String: Any] = [
                "binary": "/usr/bin/chromium",
                // Tests run as root, in containers with little shared memory. By the pipe it ends with its driver.
                "args": [
                    "--headless", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run",
                    "--disable-extensions", "--disable-background-networking", "--remote-debugging-pipe",
                ],
            ]
            if !hasScripts { options["prefs"] = ["profile.managed_default_content_settings.javascript": 2] }
            return ["acceptInsecureCerts": takesAnyCertificate, "goog:chromeOptions": options]
        }
    }

    // MARK: - What there is to see

    var title: String { get async throws { try await text("GET", "/title") } }
    var address: String { get async throws { try await text("GET", "/url") } }
    var source: String { get async throws { try await text("GET", "/source") } }

    /// What the address was given besides.
    var query: [String: String] {
        get async throws {
            let items = URLComponents(string: try await address)?.queryItems ?? []
            return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
        }
    }

    /// The text of the first element that a selector finds; nil where there is none.
    func text(of selector: String) async throws -> String? {
        let found = try await driver("POST", "/elements", ["using": "css selector", "value": selector])
        guard let id = (found as? [[String: String]])?.first?.values.first else { return nil }
        return try await text("GET", "/element/\(id)/text")
    }

    /// What was wrong.
    var problem: String? { get async throws { try await text(of: "[role=alert]") } }

    /// What a script in the page finds.
    @discardableResult
    func script(_ text: String, _ arguments: [Any] = []) async throws -> Any {
        try await driver("POST", "/execute/sync", ["script": text, "args": arguments])
    }

    /// What a screen reader says of the element that the keyboard is at: its name, and what describes it.
    var spoken: (name: String, description: String) {
        get async throws {
            let place = try await command(
                "Runtime.evaluate", ["expression": "document.activeElement", "objectGroup": "spoken"])
            let id = try #require(place.object("result").string("objectId"))
            let tree = try await command(
                "Accessibility.getPartialAXTree", ["objectId": id, "fetchRelatives": false])
            let node = try #require((tree["nodes"] as? [[String: Any]])?.first)
            return (node.object("name").string("value") ?? "", node.object("description").string("value") ?? "")
        }
    }

    /// What a frame in the page shows that is to show an address.
    func frame(of address: String) async throws -> String {
        let open = """
            const frame = document.createElement('iframe');
            frame.src = arguments[0];
            return new Promise(done => { frame.onload = () => done(true); document.body.append(frame); });
            """
        try await script(open, [address])
        try await driver("POST", "/frame", ["id": 0])
        let shown = try await script("return location.href") as? String ?? ""
        try await driver("POST", "/frame", ["id": NSNull()])
        return shown
    }

    // MARK: - What there is to do

    func go(to address: String) async throws { try await driver("POST", "/url", ["url": address]) }
    func goBack() async throws { try await driver("POST", "/back") }
    func reload() async throws { try await driver("POST", "/refresh") }

    /// Clicks a button or a link by its text, which leads to another page.
    func press(_ label: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await turningPage { try await click(label, sourceLocation: sourceLocation) }
    }

    /// Clicks a button that leads nowhere.
    func click(_ label: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await driver("POST", "/element/\(try await control(label, sourceLocation))/click")
    }

    /// Clicks twice, as fast as people do who have learnt that from folders.
    func pressTwice(_ label: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let origin = [Self.elementKey: try await control(label, sourceLocation)]
        let click: [[String: Any]] = [["type": "pointerDown", "button": 0], ["type": "pointerUp", "button": 0]]
        let move: [String: Any] = ["type": "pointerMove", "x": 0, "y": 0, "origin": origin]
        try await turningPage {
            try await driver(
                "POST", "/actions",
                ["actions": [["type": "pointer", "id": "mouse", "actions": [move] + click + click]]])
        }
    }

    private func control(_ label: String, _ sourceLocation: SourceLocation) async throws -> String {
        let path = "//*[self::button or self::a][normalize-space()='\(label)']"
        let found = try await driver("POST", "/elements", ["using": "xpath", "value": path])
        let shown = try await source
        return try #require(
            (found as? [[String: String]])?.first?.values.first, "no '\(label)' in \(shown)",
            sourceLocation: sourceLocation)
    }

    /// Replaces what is in a field, or chooses what begins like the text.
    func fill(
        _ name: String, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await driver("POST", "/elements", ["using": "css selector", "value": "[name='\(name)']"])
        let shown = try await source
        let id = try #require(
            (found as? [[String: String]])?.first?.values.first, "no field '\(name)' in \(shown)",
            sourceLocation: sourceLocation)
        if try await self.text("GET", "/element/\(id)/name") == "input" {
            try await driver("POST", "/element/\(id)/clear")
        }
        try await driver("POST", "/element/\(id)/value", ["text": text])
    }

    /// Types where the keyboard is, and Enter, which leads to another page.
    func enter(_ text: String) async throws {
        try await turningPage { try await type(text + "\n") }
    }

    /// Waits until a script of the page has made what a selector finds.
    func wait(for selector: String) async throws {
        try await wait("document.querySelector(arguments[0])", for: selector)
    }

    /// The same for a button, by its text.
    func wait(forButton label: String) async throws {
        try await wait(
            "[...document.querySelectorAll('button')].some(button => button.innerText.trim() == arguments[0])",
            for: label)
    }

    private func wait(_ condition: String, for text: String) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            let isThere = try? await script("return document.readyState == 'complete' && !!(\(condition))", [text])
            if isThere as? Bool == true { return }
        }
        throw WebDriver.Failure(command: "wait", said: "no '\(text)' in \(try await source)")
    }

    /// Keys and mouse buttons are only handed over: what comes of them is waited for here.
    private func turningPage(_ act: () async throws -> Void) async throws {
        let age = try await script("return performance.timeOrigin") as? Double
        try await act()
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            let state = try? await script("return [performance.timeOrigin, document.readyState]") as? [Any]
            if state?.first as? Double != age, state?.last as? String == "complete" { return }
        }
        throw WebDriver.Failure(command: "a page", said: "the browser stays at \(try await source)")
    }

    /// Types where the keyboard is: `"\t"` is Tab, `"\n"` Enter.
    func type(_ text: String) async throws {
        let keys: [String] = text.map { key in key == "\t" ? "\u{E004}" : key == "\n" ? "\u{E007}" : String(key) }
        let strokes: [[String: String]] = keys.flatMap {
            [["type": "keyDown", "value": $0], ["type": "keyUp", "value": $0]]
        }
        try await driver("POST", "/actions", ["actions": [["type": "key", "id": "keyboard", "actions": strokes]]])
    }

    /// Looks as on a window so wide, by day or by night.
    func look(width: Int, isDark: Bool) async throws {
        try await command(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600])
        let scheme = ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
        try await command("Emulation.setEmulatedMedia", ["features": [scheme]])
    }

    // MARK: - Chromium's own

    private static let elementKey = "element-6066-11e4-a52e-4f735466cecf"

    @discardableResult
    private func command(_ name: String, _ parameters: [String: Any]) async throws -> [String: Any] {
        try await driver("POST", "/goog/cdp/execute", ["cmd": name, "params": parameters]) as? [String: Any] ?? [:]
    }

    private func text(_ method: String, _ path: String) async throws -> String {
        try await driver(method, path) as? String ?? ""
    }
}
