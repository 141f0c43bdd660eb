// SPDX-License-Identifier: Apache-2.0

import Glibc
import Processes

/// A request of curl's that is given up as soon as its answer is 401, before anything of it was put out.
struct FirstAttempt {
    enum Ending {
        case rejected
        case ended(OtherProgram.Ending)
        /// What came could not be put out, whatever the program made of it.
        case unwritten(errno: Int32)
    }

    /// The most that is held back while nothing is known of the answer's status.
    private static let holdLimit = 1 << 20

    private let child: Int32
    private let head: Pipe
    private let body: Pipe
    private let output: Int32
    private var heads = AnswerHeads()
    private var held: [UInt8] = []
    private var failure: Int32?

    /// - Parameters:
    ///   - head: Where the program writes the heads of its answers; it inherits the end for it.
    ///   - output: Where the body goes.
    init(_ program: OtherProgram, head: Pipe, output: Int32) throws(SystemError) {
        body = try Pipe()
        child = try program.start(writing: body.writer.number)
        self.head = head
        self.output = output
        head.writer.close()
        body.writer.close()
    }

    /// Puts out what curl does, until it ends or is rejected. This thread waits meanwhile: curl is ended with it.
    mutating func run() -> Ending {
        while head.reader.number >= 0 || body.reader.number >= 0 {
            var waiting = [head.reader, body.reader].map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
            if poll(&waiting, 2, -1) < 0 { continue }
            // Heads are read before bodies: curl writes them first.
            if waiting[0].revents != 0 {
                heads.take(Self.read(head.reader))
                if heads.verdict == .rejected { return giveUp() }
            } else if waiting[1].revents != 0 {
                held += Self.read(body.reader)
            }
            if heads.verdict == .accepted || held.count > Self.holdLimit { putOut() }
        }
        putOut()
        let ending = OtherProgram.ending(of: child)
        // A small answer was read whole, so that curl has not noticed.
        guard let failure, ending == .exit(0) else { return .ended(ending) }
        return .unwritten(errno: failure)
    }

    private func giveUp() -> Ending {
        kill(child, SIGTERM)
        _ = OtherProgram.ending(of: child)
        return .rejected
    }

    /// A reader of ours that has gone is one of curl's that has.
    private mutating func putOut() {
        var rest = held[...]
        held = []
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if !mayWriteAgain() {
                failure = errno
                return body.reader.close()
            }
        }
    }

    /// After a failed write; an output that does not block is waited for.
    private func mayWriteAgain() -> Bool {
        guard errno == EAGAIN else { return errno == EINTR }
        var waiting = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        return poll(&waiting, 1, -1) > 0 || errno == EINTR
    }

    private static func read(_ end: Pipe.End) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = Glibc.read(end.number, &buffer, buffer.count)
        if count == 0 || (count < 0 && errno != EINTR) { end.close() }
        return Array(buffer.prefix(max(0, count)))
    }
}
