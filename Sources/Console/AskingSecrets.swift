// SPDX-License-Identifier: Apache-2.0

internal import CTerminal

extension Terminal {
    /// Asks for a secret, which is not shown; Enter alone asks again.
    ///
    /// From here on the process leaves no core file.
    package func askSecret(_ question: String) throws(PromptError) -> Secret {
        while true {
            if let secret = try askSecretOrNothing(question) { return secret }
            show("Nothing was entered.")
        }
    }

    /// Asks for a secret; nil for Enter alone.
    func askSecretOrNothing(_ question: String) throws(PromptError) -> Secret? {
        // Where the kernel refuses, asking is still better than not asking.
        _ = na_disable_core_dumps()
        let secret = try readSecret(prompt(question, hint: nil))
        return secret.byteCount > 0 ? secret : nil
    }

    /// Asks for a new secret twice, and again if the two differ; three times at most.
    ///
    /// - Parameters:
    ///   - remarks: What can be said about the first entry; whoever heeds it presses Enter at the second.
    ///   - offer: What Enter alone leads to at the first entry; nil asks again.
    package func askNewSecret(
        _ question: String, confirmation: String, remarks: (Secret) -> [String] = { _ in [] },
        offer: () throws(PromptError) -> Secret? = { () throws(PromptError) in nil }
    ) throws(PromptError) -> Secret {
        var mismatches = 0
        while mismatches < 3 {
            guard let first = try askSecretOrNothing(question) else {
                show("Nothing was entered.")
                if let offered = try offer() { return offered }
                continue
            }
            for remark in remarks(first) { show(remark) }
            guard let second = try askSecretOrNothing(confirmation) else {
                show("Then once more from the start.")
                continue
            }
            if first == second { return first }
            warn("The two entries differ.")
            mismatches += 1
        }
        throw .mismatch
    }

    private func readSecret(_ prompt: String) throws(PromptError) -> Secret {
        let secret = try Secret(capacity: Secret.longest) { memory throws(PromptError) in
            let bytes = memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let answer = na_read_secret(descriptor, prompt, bytes, memory.count)
            try answer.throwIfNone()
            return answer.length
        }
        guard secret.withBytes({ Secret.isUTF8($0) }) else { throw .notUTF8 }
        return secret
    }
}
