// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Page {
    /// Where the page's links lead to, as they are written.
    package var links: [String] {
        prose.map(Self.withoutCode).flatMap { line in
            line.components(separatedBy: "](").dropFirst().map { String($0.prefix { $0 != ")" }) }
        }
    }

    /// The names of the headings, as links know them; the second of a name has a number behind it.
    package var anchors: Set<String> {
        var counts: [String: Int] = [:]
        return Set(
            headings.map { heading in
                let name = heading.lowercased().replacing(" ", with: "-").filter {
                    $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_"
                }
                defer { counts[name, default: 0] += 1 }
                return counts[name].map { "\(name)-\($0)" } ?? name
            })
    }

    /// The headings' words. A link in one is its text.
    private var headings: [String] {
        prose.filter { $0.wholeMatch(of: /#{1,6} .*/) != nil }.map { line in
            line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces)
                .replacing(/\[([^\]]*)\]\([^)]*\)/) { String($0.1) }
        }
    }

    /// What is wrong with a link; nil where it leads somewhere, or out of the tree.
    package func fault(of link: String) throws -> String? {
        guard link.firstMatch(of: /^[a-z]+:/) == nil else { return nil }
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let target = parts[0].isEmpty ? place : path(parts[0])
        guard let target, FileManager.default.fileExists(atPath: Self.root.appending(path: target).path) else {
            return "there is nothing"
        }
        guard parts.count == 2 else { return nil }
        guard target.hasSuffix(".md") else { return "\(target) has no headings" }
        return try Page(target).anchors.contains(parts[1]) ? nil : "\(target) has no heading #\(parts[1])"
    }

    /// The place that a link names; nil for what is out of the tree.
    private func path(_ link: String) -> String? {
        let folder = Self.root.appending(path: place).deletingLastPathComponent()
        let path = folder.appending(path: link.removingPercentEncoding ?? link).standardizedFileURL.path
        let top = Self.root.path + "/"
        return path.hasPrefix(top) ? String(path.dropFirst(top.count)) : nil
    }

    /// A line without what stands in code within it: between two runs of as many backticks.
    private static func withoutCode(_ line: String) -> String {
        var written = ""
        var rest = line[...]
        while let start = rest.firstIndex(of: "`") {
            let fence = rest[start...].prefix { $0 == "`" }
            let after = rest[fence.endIndex...]
            written += rest[..<start]
            guard let close = after.ranges(of: /`+/).first(where: { after[$0].count == fence.count }) else {
                written += fence
                rest = after
                continue
            }
            rest = after[close.upperBound...]
        }
        return written + rest
    }
}

extension Page {
    /// The places of all pages that people read in the tree.
    package static var places: [String] {
        get throws {
            let docs = FileManager.default.enumerator(atPath: root.appending(path: "docs").path)
            let names = (docs?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".md") }
            return ["README.md"] + names.map { "docs/" + $0 }.sorted()
        }
    }
}
