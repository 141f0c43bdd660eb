// SPDX-License-Identifier: Apache-2.0

internal import CTerminal

extension Terminal {
    /// Asks for a secret, which is not shown; Enter alone asks again.
    ///
    /// From here on the process leaves no core file.
    package func askSecret(_ question: String) throws(PromptError) -> Secret {
        // Where the kernel refuses, asking is still better than not asking.
        _ = na_disable_core_dumps()
        while true {
            let secret = try readSecret(prompt(question, hint: nil))
            if secret.byteCount > 0 { return secret }
            show("Nothing was entered.")
        }
    }

    /// Asks for a new secret twice, and again if the two differ; three times at most.
    package func askNewSecret(_ question: String, confirmation: String) throws(PromptError) -> Secret {
        for _ in 1...3 {
            let first = try askSecret(question)
            let second = try askSecret(confirmation)
            if first == second { return first }
            show("The two entries differ.")
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
