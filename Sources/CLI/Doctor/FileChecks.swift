// SPDX-License-Identifier: Apache-2.0

import Console
import Files
import FoundationEssentials
import Glibc

/// Looks at files and folders without changing them.
enum FileChecks {
    /// What a file or folder should be.
    enum Kind {
        case file, folder

        fileprivate var type: mode_t { self == .file ? S_IFREG : S_IFDIR }
        fileprivate var mode: String { self == .file ? "600" : "700" }
        fileprivate var name: String { self == .file ? "plain file" : "folder" }
    }

    /// Something that is for its owner alone; empty where it does not exist.
    static func secret(_ check: String, _ path: String, _ kind: Kind) -> [Finding] {
        guard let facts = facts(path, following: false) else { return [] }
        guard facts.st_mode & S_IFMT == kind.type else {
            return [
                .problem(
                    check, "\(path) is no \(kind.name).",
                    "Move it away; 'nativeauth help files' says what should be there.")
            ]
        }
        var findings: [Finding] = []
        if facts.st_uid != geteuid() {
            findings.append(
                .problem(check, "\(path) belongs to user \(facts.st_uid).", "sudo chown \(geteuid()) '\(path)'"))
        }
        if facts.st_mode & 0o077 != 0 {
            findings.append(
                .problem(
                    check, "\(path) has mode \(octal(facts.st_mode)): it is not its owner's alone.",
                    "chmod \(kind.mode) '\(path)'"))
        }
        if kind == .file, facts.st_nlink > 1 {
            findings.append(
                .problem(
                    check, "\(path) has another name, which will keep what is deleted here.",
                    "Find it by 'find / -samefile \(path)' and delete it."))
        }
        return findings.isEmpty ? [.ok(check, "\(path) has mode \(octal(facts.st_mode)).")] : findings
    }

    /// The configuration: no secret, so it may be a link and be read by others.
    static func configuration(_ path: String) -> [Finding] {
        guard let facts = facts(path, following: true) else {
            return [.ok("configuration", "\(path) does not exist, and need not.")]
        }
        do throws(CommandFailure) {
            let profiles = try StoredProfiles.read(path).profiles ?? [:]
            guard facts.st_mode & 0o022 == 0, facts.st_uid == geteuid() || facts.st_uid == 0 else {
                return [
                    .problem(
                        "configuration", "\(path) can be changed by other users: they could name another tenant.",
                        "chmod go-w '\(path)', and look at what it says.")
                ]
            }
            let impossible = profiles.keys.filter { !Profile.isName($0) }.sorted()
            if impossible.isEmpty { return [.ok("configuration", "\(path) has \(profiles.count) profiles.")] }
            return impossible.map { name in
                .problem(
                    "configuration", "\(path) has a profile '\(name)', which no command can name.",
                    "Use letters, digits, '.', '_' and '-', at most 64 of them.")
            }
        } catch {
            return [.problem("configuration", error.message, error.hint ?? "Correct the file.")]
        }
    }

    /// Folders above a place that anybody may rename things in.
    static func parents(of path: String) -> [Finding] {
        var findings: [Finding] = []
        var parent = path[...]
        while let slash = parent.lastIndex(of: "/"), slash > parent.startIndex {
            parent = parent[..<slash]
            guard let facts = facts(String(parent), following: true) else { continue }
            if facts.st_mode & 0o002 != 0, facts.st_mode & S_ISVTX == 0 {
                findings.append(
                    .problem(
                        "folders", "Anybody may replace what is in \(parent).",
                        "chmod o-w '\(parent)', or choose another folder with NATIVEAUTH_CONFIG_DIR."))
            }
        }
        return findings
    }

    /// Whether the folder, or the nearest one above it, can be written to. That is tried, for permissions are not all of
    /// it; what is made is gone at once.
    static func writable(_ folder: String, variable: String = "NATIVEAUTH_CONFIG_DIR") -> Finding {
        let place = nearestFolder(to: folder)
        let trial = (place == "/" ? "" : place) + "/.nativeauth-doctor-\(UUID().uuidString.lowercased())"
        do throws(FileError) {
            _ = try FileDescriptor(trial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
            unlink(trial)
            return .ok("folders", "\(place) can be written to.")
        } catch {
            return .problem(
                "folders", "\(place) cannot be written to: \(String(cString: strerror(error.errno))).",
                "Choose another folder with \(variable).")
        }
    }

    private static func nearestFolder(to folder: String) -> String {
        var place = folder
        while facts(place, following: true) == nil, let slash = place.lastIndex(of: "/") {
            if slash == place.startIndex { return "/" }
            place = String(place[..<slash])
        }
        return place
    }

    /// Whether the file system can lock, seen at the folder itself, which nothing else locks.
    static func lock(_ folder: String) -> [Finding] {
        guard facts(folder, following: true) != nil else { return [] }
        do throws(FileError) {
            let directory = try FileDescriptor(folder: folder)
            _ = try directory.tryLock()
            return [.ok("lock", "Locks work in \(folder).")]
        } catch {
            return [
                .problem(
                    "lock", "Locks do not work in \(folder): \(String(cString: strerror(error.errno))).",
                    "Choose a folder on a local file system with NATIVEAUTH_CACHE_DIR.")
            ]
        }
    }

    /// Whether another process holds this lock now.
    static func holder(_ path: String) -> [Finding] {
        guard let file = try? FileDescriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
            let isFree = try? file.tryLock(), !isFree
        else { return [] }
        return [.note("lock", "Another process holds \(path) now.", "Wait for it, or look for one that is stopped.")]
    }

    /// Damaged caches that were put aside: they may hold tokens.
    static func leftovers(in folder: String) -> [Finding] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let damaged = names.filter { $0.contains(".corrupt-") }.sorted().map { name in
            Finding.note(
                "accounts", "\(folder)/\(name) is a damaged token cache that was put aside.",
                "Delete it when nothing in it is wanted: it may hold tokens.")
        }
        let locked = names.filter { $0.hasSuffix(".encrypted.without-key") }.sorted().map { name in
            Finding.note(
                "accounts", "\(folder)/\(name) is an encrypted token cache whose key is gone.",
                "Delete it: nobody can read it.")
        }
        return damaged + locked
    }

    static func facts(_ path: String, following: Bool) -> stat? {
        var facts = stat()
        return (following ? stat(path, &facts) : lstat(path, &facts)) == 0 ? facts : nil
    }

    private static func octal(_ mode: mode_t) -> String {
        let digits = String(mode & 0o7777, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
