// SPDX-License-Identifier: Apache-2.0

/// A shell that completes command lines. Its script asks the program what may follow.
package enum CompletionShell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// What the shell reads at its start, for a program of this name.
    package func script(for program: String) -> String {
        let function = "_" + program.replacing("-", with: "_")
        return template.replacing("PROGRAM", with: program).replacing("FUNCTION", with: function)
    }

    /// The lines that the script understands: a word, a tab and a text each, or one line that asks for files.
    package static func lines(_ answer: Completion.Answer) -> String {
        guard case .words(let candidates) = answer else { return ":files\n" }
        return candidates.map { "\($0.word)\t\($0.text)\n" }.joined()
    }

    private var template: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    // Bash cuts words at '=' and ':', and replaces only what follows the cut.
    private static let bashScript = #"""
        # bash completion for PROGRAM
        FUNCTION() {
            local word prefix= joined=()
            for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
                if ((${#joined[@]} > 1)) && [[ $word == [=:]* || (${joined[-1]} == *[=:] && $word != -*) ]]; then
                    joined[-1]+=$word
                else
                    joined+=("$word")
                fi
            done
            [[ ${joined[-1]} == -*=* && $COMP_WORDBREAKS == *=* ]] && prefix=${joined[-1]%%=*}=
            COMPREPLY=()
            while IFS=$'\t' read -r word _; do
                if [[ $word == :files ]]; then
                    compopt -o default
                    return
                fi
                COMPREPLY+=("${word#"$prefix"}")
            done < <("${joined[0]/#\~/$HOME}" completion bash -- "${joined[@]}" 2>/dev/null)
        }
        complete -F FUNCTION PROGRAM

        """#

    private static let zshScript = #"""
        #compdef PROGRAM
        # zsh completion for PROGRAM
        FUNCTION() {
            local line program=${~${(Q)words[1]}}
            local -a lines described
            lines=("${(@f)$("$program" completion zsh -- "${(@Q)words[1,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
            if [[ $lines[1] == :files ]]; then
                [[ $PREFIX == -*=* ]] && compset -P '*='
                _files
                return
            fi
            for line in $lines; do
                described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
            done
            _describe -V PROGRAM described
        }
        if [[ $funcstack[1] == FUNCTION ]]; then
            FUNCTION "$@"
        elif (( $+functions[compdef] )); then
            compdef FUNCTION PROGRAM
        fi

        """#

    private static let fishScript = #"""
        # fish completion for PROGRAM
        function FUNCTION
            set -l words (commandline -opc)
            set -l current (commandline -ct)
            set -l lines ($words[1] completion fish -- $words "$current" 2>/dev/null)
            if test "$lines[1]" = :files
                set -l flag (string match -r -- '^--[^=]+=' "$current")
                for path in (__fish_complete_path (string replace -r -- '^--[^=]+=' '' "$current"))
                    echo "$flag$path"
                end
            else
                printf '%s\n' $lines
            end
        end
        complete -c PROGRAM -f -a '(FUNCTION)'

        """#
}
