// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The checker that tells what keeps people from using a page. `make test` brings it; it is no part of these sources.
struct Accessibility {
    private let checker: String

    init(sourceFile: String = #filePath) throws {
        let root = URL(filePath: sourceFile).pathComponents.dropLast(4).joined(separator: "/")
        let place = root + "/.build/axe/axe_playwright_python/axe.min.js"
        let text = try? String(contentsOf: URL(filePath: place), encoding: .utf8)
        checker = try #require(text, "make test brings \(place)")
    }

    /// What is wrong with the page that a browser shows, by day and by night, and on the narrowest window that people have
    /// or make by magnifying (Web Content Accessibility Guidelines 2.2, 1.4.10).
    func problems(in browser: Chromium) async throws -> [String] {
        var problems: [String] = []
        try await browser.script(checker)
        for isDark in [false, true] {
            try await browser.look(width: 320, isDark: isDark)
            let isTooWide = try await browser.script(
                "return document.documentElement.scrollWidth > document.documentElement.clientWidth")
            if isTooWide as? Bool != false { problems.append("has to be scrolled sideways") }
            try await browser.look(width: 1280, isDark: isDark)
            let found = try await browser.script(Self.run)
            problems += (found as? [String] ?? ["cannot be checked"]).map { isDark ? "by night: \($0)" : $0 }
        }
        return problems
    }

    /// All rules, those for the size of what is clicked too, which have to be asked for.
    private static let run = """
        return axe.run(document, {rules: {'target-size': {enabled: true}}}).then(found => found.violations.map(
            rule => rule.id + ' (' + rule.impact + '): ' + rule.nodes.map(node => node.html).join(' ')));
        """
}
