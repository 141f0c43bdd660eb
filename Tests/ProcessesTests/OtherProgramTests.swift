// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Processes
import Testing

struct OtherProgramTests {
    @Test func memoryIsReadAgainAndAgainAndNeverChanged() throws {
        let secret = String(repeating: "x", count: 200_000)
        let memory = try SealedMemory(secret)
        for _ in 0..<3 { #expect(try String(contentsOfFile: memory.path, encoding: .utf8) == secret) }
        #expect(write(memory.number, "y", 1) == -1 && errno == EPERM)
        #expect(ftruncate(memory.number, 0) == -1 && errno == EPERM)
        #expect(fcntl(memory.number, F_GETFD) & FD_CLOEXEC != 0, "a child inherits it unasked")
    }

    @Test func searchIsTheShells() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(
            at: folder.appending(path: "a-folder"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data().write(to: folder.appending(path: "plain"))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.path + "/plain")
        let path = "/nonexistent:\(folder.path):/usr/bin:/bin"
        #expect(ProgramSearch("env", path: path) == .found("/usr/bin/env"))
        #expect(ProgramSearch("/bin/sh", path: "") == .found("/bin/sh"))
        #expect(ProgramSearch("plain", path: path) == .notExecutable(folder.path + "/plain"))
        for name in ["a-folder", "nope", "", "./nope"] { #expect(ProgramSearch(name, path: path) == .nowhere) }
    }

    @Test func aChildHasItsWordsVariablesAndDescriptorsAndNothingOfOurs() throws {
        let pipe = try Processes.Pipe()
        let memory = try SealedMemory("from memory")
        let script = "cat /dev/fd/\(memory.number); echo \" $X $1 ${HOME-none}\"; umask; ls /proc/self/fd"
        let words = ["sh", "-c", script, "sh", "a b"].map { Array($0.utf8CString) }
        var program = OtherProgram("/bin/sh", words, OtherProgram.Surroundings(mask: 0o027, ignoresBrokenPipe: false))
        let later = try SealedMemory("not for children")
        program.variables = ["X": "x=y", "HOME": nil]
        program.inherited = [memory.number]
        let child = try program.start(writing: pipe.writer.number)
        pipe.writer.close()
        let lines = try read(pipe.reader).split(separator: "\n").map(String.init)
        var status: Int32 = 0
        #expect(waitpid(child, &status, 0) == child && status == 0)
        #expect(lines.prefix(2) == ["from memory x=y a b none", "0027"])
        #expect(lines.dropFirst(2).contains("\(memory.number)"))
        #expect(!lines.dropFirst(2).contains("\(later.number)"))
        #expect(fcntl(memory.number, F_GETFD) & FD_CLOEXEC != 0, "only that child inherits it")
    }

    @Test func aChildThatCannotBeIsAnError() throws {
        let pipe = try Processes.Pipe()
        let program = OtherProgram(
            "/etc/passwd", [[0]], OtherProgram.Surroundings(mask: 0, ignoresBrokenPipe: false))
        #expect(throws: SystemError(code: EACCES)) { _ = try program.start(writing: pipe.writer.number) }
    }

    private func read(_ end: Processes.Pipe.End) throws -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = Glibc.read(end.number, &buffer, buffer.count), count > 0 {
            bytes += buffer.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
